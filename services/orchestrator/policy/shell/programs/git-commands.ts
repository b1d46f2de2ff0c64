// What git runs beyond itself: configuration that holds commands, and subcommands that take one.
import { posix } from 'node:path'
import { codeIn, codeOf, opaque, writes, type Nested } from './nested-command.ts'
import { hasShort, isLong } from './option-parser.ts'
import type { ShellWord } from '../shell-word.ts'
import { wordList, wordSet } from '../word-list.ts'

const FLAGS = wordSet(`
  -p -P --paginate --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs
  --icase-pathspecs --no-optional-locks --no-lazy-fetch --version --help -h -v --html-path --man-path --info-path
`)
/** Configuration that changes wording, identity and layout, and runs nothing. */
const HARMLESS_KEY =
  /^(user\.(name|email)|color\..*|core\.(quotepath|autocrlf|eol|safecrlf|abbrev|ignorecase|filemode)|init\.defaultbranch|advice\..*|commit\.gpgsign|tag\.gpgsign|log\..*|diff\.(algorithm|renames|context|mnemonicprefix)|pull\.(rebase|ff)|merge\.(ff|conflictstyle)|push\.(default|autosetupremote)|fetch\.prune|rerere\..*|column\..*|status\..*)$/i
const PLAIN = /^(-c|--no-pager|--no-optional-locks)$/
const SUBCOMMANDS = wordSet(`
  add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap
  check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree
  config count-objects describe diagnose diff diff-files diff-index diff-tree fast-export fast-import fetch
  fetch-pack for-each-ref format-patch fsck gc get-tar-commit-id grep gui hash-object help http-fetch http-push
  index-pack init init-db interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge
  merge-base merge-file merge-index merge-tree mktag mktree multi-pack-index mv name-rev notes p4 pack-objects
  pack-redundant pack-refs patch-id prune prune-packed pull push range-diff read-tree rebase reflog remote repack
  replace request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show
  show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule subtree switch
  symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var verify-commit
  verify-pack verify-tag version whatchanged worktree write-tree lfs flow svn
`)

export interface GitCommand {
  /** The subcommand's place; -1 when there is none. */
  at: number
  /** The parts before it that cannot be judged. */
  nested: Nested[]
}

/** The subcommand behind git's own options. */
export function gitSubcommand(words: readonly ShellWord[]): GitCommand {
  const nested: Nested[] = []
  let at = 1
  for (let word = words[at]; word; word = words[++at]) {
    const { text } = word
    if (!text.startsWith('-')) return { at, nested }
    if (text === '-c' || text.startsWith('--config-env'))
      nested.push(...configNested(words[text === '-c' ? ++at : at], at))
    else if (/^-c./.test(text)) nested.push(opaque(at, 'its git configuration is not recognized'))
    else if (['-C', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--attr-source'].includes(text)) at++
    else if (/^--(work-tree|namespace|git-dir)=/.test(text)) continue
    else if (!FLAGS.has(text)) nested.push(opaque(at, 'its git option is not recognized'))
  }
  return { at: -1, nested }
}

const isHarmlessConfig = (key: string, value: string): boolean =>
  (/^(core\.pager|pager\.[\w-]+)$/i.test(key) && /^(cat|false)?$/.test(value)) ||
  (/^(core|sequence)\.editor$/i.test(key) && /^(true|:)$/.test(value))

/**
 * Where the subcommand is behind options that change nothing but wording and layout; 1 behind others. `folders`: where
 * git may run; `-C` with that folder changes nothing.
 */
export function behindPlainOptions(words: readonly ShellWord[], folders: readonly string[]): number {
  const { at, nested } = gitSubcommand(words)
  const isHere = (path: string) =>
    folders.length > 0 &&
    !path.split('/').includes('..') &&
    folders.every((folder) => posix.resolve(folder, path) === posix.resolve(folder))
  const isPlain = words.slice(1, Math.max(1, at)).every(({ text }, index) => {
    const before = words[index]?.text
    return PLAIN.test(text) || before === '-c' || (before === '-C' ? isHere(text) : text === '-C')
  })
  return at > 1 && isPlain && nested.length === 0 ? at : 1
}

function configNested(word: ShellWord | undefined, at: number): Nested[] {
  if (word?.is !== 'literal') return [opaque(at, 'its git configuration cannot be determined before it runs')]
  const [key = ''] = word.text.split('=', 1)
  const value = word.text.slice(key.length + 1)
  if (HARMLESS_KEY.test(key) || isHarmlessConfig(key, value)) return []
  return [
    ...(value ? codeIn(value.replace(/^!/, ''), at) : []),
    opaque(at, `git configuration "${key}" can run commands`),
  ]
}

export function gitNested(words: ShellWord[]): Nested[] {
  const { at, nested } = gitSubcommand(words)
  const sub = words[at]
  if (at < 0 || !sub) return nested
  if (sub.is !== 'literal') return [...nested, opaque(at, 'its git subcommand cannot be determined before it runs')]
  if (!SUBCOMMANDS.has(sub.text)) nested.push(opaque(at, `git ${sub.text} may be an alias for an unknown command`))
  return [...nested, ...subcommandNested(sub.text, words, at)]
}

/** Long options that take a command or a program, and short ones with them, by subcommand. */
const COMMANDS: Record<string, { long: string; short?: string }> = {
  rebase: { long: '--exec', short: 'x' },
  difftool: { long: '--extcmd --tool', short: 'x' },
  mergetool: { long: '--tool' },
  grep: { long: '--open-files-in-pager', short: 'O' },
  fetch: { long: '--upload-pack' },
  pull: { long: '--upload-pack' },
  clone: { long: '--upload-pack --config --template', short: 'uc' },
  'ls-remote': { long: '--upload-pack --exec' },
  push: { long: '--receive-pack --exec' },
  archive: { long: '--exec --remote' },
  'fetch-pack': { long: '--upload-pack --exec' },
  'send-pack': { long: '--receive-pack --exec' },
  'send-email': { long: '--smtp-server --to-cmd --cc-cmd --header-cmd --sendmail-cmd' },
  init: { long: '--template' },
}
const ALWAYS = wordSet('filter-branch instaweb daemon hook credential remote-ext merge-index for-each-repo gui svn p4')
const EXTERNAL_DIFF = wordSet('diff log show stash format-patch whatchanged diff-tree diff-files diff-index')

function subcommandNested(sub: string, words: ShellWord[], at: number): Nested[] {
  const rest = words.slice(at + 1)
  const found: Nested[] = []
  if (ALWAYS.has(sub)) found.push(opaque(at, `git ${sub} runs commands`))
  for (const [index, { text }] of rest.entries()) {
    const here = at + 1 + index
    const taken = COMMANDS[sub]
    const long = wordList(taken?.long ?? '').some((name) => isLong(text, name, 2))
    const short = (taken?.short ?? '').split('').some((letter) => hasShort(text, letter))
    if (long || short)
      found.push(...codeIn(valueAfter(text, rest[index + 1]), here), opaque(here, `git ${sub} ${text} runs a command`))
    if (/^(ext|fd)::|^[a-z-]+::/.test(text) && sub !== 'show' && sub !== 'log')
      found.push(opaque(here, 'a remote helper runs commands'))
    if (EXTERNAL_DIFF.has(sub) && isLong(text, '--ext-diff', 4))
      found.push(opaque(here, 'it runs an external diff program'))
    if (EXTERNAL_DIFF.has(sub) && isLong(text, '--output', 3) && !text.startsWith('--output-indicator'))
      found.push(writes(here, 'it writes a file'))
    if (text.startsWith('--upload-pack') || text.startsWith('--receive-pack'))
      found.push(opaque(here, 'it names a program for git to run'))
  }
  return [...found, ...takingCode(sub, rest, at)]
}

function takingCode(sub: string, rest: ShellWord[], at: number): Nested[] {
  const why = `the command that git ${sub} runs cannot be determined`
  const operands = rest.filter(({ text }) => !text.startsWith('-'))
  const code = (words: ShellWord[]) => [codeOf(words, at, why)]
  if (sub === 'submodule' && operands[0]?.text === 'foreach')
    return code(
      rest.slice(rest.indexOf(operands[0]) + 1).filter(({ text }) => !/^(--recursive|-q|--quiet)$/.test(text)),
    )
  if (sub === 'bisect' && operands[0]?.text === 'run')
    return [{ at, kind: 'words', words: rest.slice(rest.indexOf(operands[0]) + 1) }]
  if (sub === 'config' && rest.some(({ text }) => /^(-e|--edit)$/.test(text)))
    return [opaque(at, 'it starts an editor')]
  if (
    sub === 'config' &&
    !/^(get|list)$/.test(operands[0]?.text ?? '') &&
    !rest.some(({ text }) => /^(--get|--list|-l|--unset|--get-all|--get-regexp)/.test(text))
  ) {
    const [key, value] = operands[0]?.text === 'set' ? operands.slice(1) : operands
    if (key && (value || rest.some(({ text }) => /^(--add|--replace-all)$/.test(text))) && !HARMLESS_KEY.test(key.text))
      return [opaque(at, `git configuration "${key.text}" can run commands`)]
  }
  return []
}

function valueAfter(text: string, next: ShellWord | undefined): string {
  const equals = text.indexOf('=')
  if (equals > 0) return text.slice(equals + 1)
  return next?.is === 'literal' ? next.text : ''
}
