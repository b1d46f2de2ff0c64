// What a command does to the files that its words name. In doubt it writes them.
import type { Access } from './desired-writes.ts'
import { gitSubcommand } from './shell/programs/git-commands.ts'
import { baseName } from './shell/programs/nested-command.ts'
import { nestedIn } from './shell/programs/nesting.ts'
import type { SimpleCommand } from './shell/simple-command.ts'
import type { ShellWord } from './shell/shell-word.ts'
import { wordSet } from './shell/word-list.ts'
import { wrapperNested } from './shell/programs/wrappers.ts'

const READERS = wordSet(`
  cd pushd popd chdir pwd dirs echo printf true false : test [ type which whereis command basename dirname realpath
  readlink ls dir cat tac head tail less more wc nl od hexdump file stat du find locate diff cmp comm diff3 md5sum
  sha1sum sha256sum sha512sum b2sum cksum sum base64 strings sort cut paste fold fmt column rev join grep egrep fgrep rg
  ag ack jq sed awk gawk mawk nawk fd fdfind bat yamllint
`)
/** They change the index, branches or another repository, and no file that they are given. */
const GIT_READERS = wordSet(`
  status diff log show blame annotate grep ls-files ls-tree cat-file rev-parse rev-list shortlog describe show-ref
  merge-base add commit push fetch branch tag remote
`)
/** Commands of svc that read the folder that they are given. */
const SVC_READERS: Record<string, ReadonlySet<string>> = {
  svc: wordSet('validate plan diff reconcile apply policy'),
  agent: wordSet('apply teardown'),
}
/** Options that write a file, of programs that otherwise read. */
const WRITING_OPTION: Record<string, RegExp> = {
  sed: /^(-[nrEsuz]*i|--i)/,
  bat: /^--(config-dir|cache)/,
  svc: /^(--out(?!put)|--write)/,
}
const REMOVERS = wordSet('rm rmdir unlink shred')
const MOVERS = wordSet('mv ln link')
/** Options with which the last word is not the target, or both names are one file. */
const TURNED: Record<string, RegExp> = {
  cp: /^(-[a-zA-Z]*[tl]|--(target|link))/,
  install: /^(-[a-zA-Z]*t|--target)/,
  mv: /^(-[a-zA-Z]*t|--target)/,
  ln: /^(-[a-zA-Z]*t|--target)/,
  link: /^-/,
  rsync: /^--remove/,
  scp: /^$/,
}
const DEEP = /^(-[a-zA-Z]*[rRa]|--(rec|arch))/

/** Returns what happens to each of `words`, which are the command's own words. */
export function accessOf(command: SimpleCommand, words: readonly ShellWord[]): (word: ShellWord) => Access {
  const name = baseName(words[0]?.text ?? '')
  // The command that a wrapper runs is judged separately.
  if (readsOnly(command) || wrapperNested(name, command)?.nested.every(({ kind }) => kind !== 'opaque'))
    return () => 'read'
  const turned = Object.hasOwn(TURNED, name) ? TURNED[name] : undefined
  if (REMOVERS.has(name)) return () => 'replace'
  if (turned === undefined) return () => 'write'
  const has = (pattern: RegExp) => words.some(({ text }, at) => at > 0 && pattern.test(text))
  if (has(turned)) return () => 'replace'
  const last = words.findLast(({ text }) => !text.startsWith('-'))
  if (MOVERS.has(name)) return (word) => (word === last ? 'place' : 'replace')
  const target = name === 'rsync' || has(DEEP) ? 'replace' : 'place'
  return (word) => (word === last ? target : 'read')
}

/** True if the command, and every command that it runs, writes no file that is named to it. */
export function readsOnly(command: SimpleCommand): boolean {
  const [program] = command.words
  if (!program) return true
  const name = baseName(program.text)
  const wrapped = wrapperNested(name, command)
  if (program.is !== 'literal' || !(wrapped || isReader(name, command.words))) return false
  const writing = WRITING_OPTION[name]
  if (writing !== undefined && command.words.some(({ text }, at) => at > 0 && writing.test(text))) return false
  const { nested } = wrapped ?? nestedIn(command)
  return nested.every((each) => each.kind === 'words' && readsOnly({ ...command, words: each.words }))
}

function isReader(name: string, words: readonly ShellWord[]): boolean {
  if (name === 'git') return GIT_READERS.has(words[gitSubcommand(words).at]?.text ?? '')
  if (Object.hasOwn(SVC_READERS, name)) return SVC_READERS[name]?.has(words[1]?.text ?? '') ?? false
  return READERS.has(name)
}
