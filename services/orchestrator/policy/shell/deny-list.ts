// Whether a deny list may cover anything that a shell command runs. What cannot be known may be anything.
import { posix } from 'node:path'
import { glob } from '../glob.ts'
import type { Place } from '../workplace.ts'
import { gitSubcommand } from './git-commands.ts'
import { baseName, type Nested } from './nested-command.ts'
import { nestedIn } from './nesting.ts'
import { sameOptions } from './option-sets.ts'
import {
  DEEPEST,
  render,
  withoutTail,
  type BashPattern,
  type CommandPattern,
  type EntryList,
} from './command-patterns.ts'
import { ORDINARY } from './ordinary-programs.ts'
import { readScript, type SimpleCommand } from './script.ts'
import { literal, type ShellWord } from './shell-word.ts'

const MOST_SUFFIXES = 24
/** Variables by which a program runs another, finds another, or reads another configuration. */
const POWERFUL =
  /^(PATH|IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|SHELL|PROMPT_COMMAND|PS[0-4]|HOME|CDPATH|FPATH|ZDOTDIR|EDITOR|VISUAL|BROWSER|.*PAGER|LESSOPEN|LESSCLOSE|LD_.*|DYLD_.*|GIT_.*|.*_RSH|.*ASKPASS|PYTHON.*|NODE_OPTIONS|NODE_PATH|PERL.*|RUBY.*|LUA_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAKEFLAGS|MAKE|CC|CXX|GCONV_PATH|LOCPATH|TERMINFO.*|XDG_CONFIG_.*|DOCKER_HOST|KUBECONFIG|npm_config_.*|NPM_CONFIG_.*|CARGO_.*|RUSTC.*|GOFLAGS|TAR_OPTIONS|POSIXLY_CORRECT|.*COMMAND|.*_CMD)$/
const HARMLESS_GIT =
  /^GIT_(TERMINAL_PROMPT|AUTHOR_(NAME|EMAIL|DATE)|COMMITTER_(NAME|EMAIL|DATE)|MERGE_AUTOEDIT|OPTIONAL_LOCKS)$/

/** Null when nothing in it is denied, else why it is. */
export function refusedByDeny(source: string, list: EntryList): string | null {
  const { patterns, place, depth } = list
  const script = readScript(source, place)
  if (typeof script === 'string') return script
  if (depth > DEEPEST) return 'it is nested too deeply'
  if (
    patterns.some(
      ({ written, chain }) => glob(written, source) || glob(written, source.trim()) || spelledBy(chain, script.chain),
    )
  )
    return 'an entry covers it'
  if (script.loose.some((word) => word.is === 'unknown'))
    return 'it contains a value that cannot be determined before it runs'
  const written = writtenFiles(script.commands, place)
  for (const command of script.commands) {
    const refused = refusedCommand(command, list) ?? runsWritten(command, written, place)
    if (refused) return refused
  }
  return null
}

/** An entry that spells several commands denies them wherever they stand in a chain. */
function spelledBy(wanted: BashPattern['chain'], chain: (SimpleCommand | string)[] | null): boolean {
  if (wanted.length < 2 || !chain) return false
  return chain.some((_, from) =>
    wanted.every((each, index) => {
      const actual = chain[from + index]
      if (typeof each === 'string' || typeof actual === 'string' || !actual) return each === actual
      return candidates(actual).some((candidate) => denies(each, candidate))
    }),
  )
}

function refusedCommand(command: SimpleCommand, list: EntryList): string | null {
  const { single, place } = list
  const { words, assignments, redirects } = command
  const [program] = words
  const values = [...words, ...assignments.map(({ value }) => value), ...redirects.map(({ target }) => target)]
  if (values.some((word) => word.is === 'unknown')) return 'it contains a word that cannot be determined before it runs'
  if (assignments.some(({ name }) => POWERFUL.test(name) && !HARMLESS_GIT.test(name)))
    return 'it sets a variable that can change which program runs'
  if (!program) return null
  if (program.is !== 'literal' || program.text === '' || /[^!-~]/.test(program.text))
    return 'its program cannot be determined before it runs'
  if (
    /^(export|declare|typeset|readonly|local)$/.test(program.text) &&
    words.some(({ text }) => text.includes('=') && POWERFUL.test(text.slice(0, text.indexOf('='))))
  )
    return 'it sets a variable that can change which program runs'
  if (words.length > MOST_SUFFIXES && words.slice(1, MOST_SUFFIXES).every(({ text }) => text.startsWith('-')))
    return 'it has too many options before its arguments'
  const all = candidates(command, place)
  if (single.some((pattern) => all.some((candidate) => denies(pattern, candidate)))) return 'an entry covers it'
  for (const each of nestedIn(command).nested) {
    const refused = refusedNested(each, command, list)
    if (refused) return refused
  }
  return ORDINARY.has(baseName(program.text)) ? null : refusedUnknown(words, single)
}

function refusedNested(each: Nested, { piped }: SimpleCommand, list: EntryList): string | null {
  if (each.kind === 'opaque') return each.writes ? null : each.why
  if (list.depth > DEEPEST) return 'it is nested too deeply'
  const deeper = { ...list, depth: list.depth + 1 }
  if (each.kind === 'code') return refusedByDeny(each.code, deeper)
  const words = each.words.filter((word, index) => index < each.words.length - 1 || word.is !== 'unknown')
  // Words that come from elsewhere stand behind those that are written.
  const open = words.length < each.words.length
  const more: ShellWord[] = open ? [{ text: '', is: 'pathname', expanded: true }] : []
  return refusedCommand({ words: [...words, ...more], assignments: [], redirects: [], piped }, deeper)
}

interface Candidate {
  text: string
  /** More may follow: names of files, or what another program says. */
  open: boolean
  words: ShellWord[]
}

/**
 * The ways to read a command: as written, by its program's name, without options before the subcommand, with paths
 * made plain.
 */
function candidates({ words }: SimpleCommand, place?: Place): Candidate[] {
  const [program, ...rest] = words
  if (!program) return []
  const name = literal(baseName(program.text))
  const named = [name, ...rest]
  const all = [words, named]
  if (name.text.startsWith('git-')) all.push([literal('git'), literal(name.text.slice(4)), ...rest])
  if (name.text === 'git') all.push([name, ...words.slice(Math.max(1, gitSubcommand(words).at))])
  // Whether a word is the value of an option or a subcommand is not known: each is tried.
  if (rest[0]?.text.startsWith('-'))
    for (let at = 2; at < Math.min(words.length, MOST_SUFFIXES); at++) all.push([name, ...words.slice(at)])
  if (place && rest.some(({ text }) => /[/~]|^\.{1,2}$/.test(text))) {
    const rewrite = (change: (text: string) => string) => [
      name,
      ...rest.map((word) => ({ ...word, text: change(word.text) })),
    ]
    all.push(rewrite((text) => (text.includes('/') ? posix.normalize(text) : text)))
    all.push(rewrite((text) => (text.startsWith('-') ? text : posix.resolve(place.workingDir, text))))
  }
  return all.map(candidate)
}

function candidate(words: ShellWord[]): Candidate {
  const at = words.findIndex((word) => word.is !== 'literal')
  const open = at >= 0
  return {
    text: render((open ? words.slice(0, at + 1) : words).map((word) => ({ ...word, is: 'literal' }))),
    open,
    words,
  }
}

function denies(pattern: CommandPattern, { text, open, words }: Candidate): boolean {
  if (glob(pattern.text, text) || text === withoutTail(pattern.text)) return true
  if (open && (pattern.prefix.startsWith(text) || text.startsWith(pattern.prefix))) return true
  return !open && sameOptions(pattern.words, words)
}

/** A program that is not known may run its words, or hand them to a shell. */
function refusedUnknown(words: ShellWord[], single: CommandPattern[]): string | null {
  for (let at = 1; at < Math.min(words.length, MOST_SUFFIXES); at++) {
    const rest = candidate(words.slice(at))
    if (single.some((pattern) => denies(pattern, rest))) return 'it may run a command that an entry denies'
  }
  const text = words.map((word) => word.text).join('\n')
  const within = single.some(
    ({ prefix }) => prefix.trim().length > 2 && text.includes(prefix.trim().replaceAll('\u0001', ' ')),
  )
  return within ? 'it may run a command that an entry denies' : null
}

/** Files that the same script writes, or makes of a program: what they hold is not judged. */
function writtenFiles(commands: readonly SimpleCommand[], place: Place): Set<string> {
  const paths = new Set<string>()
  for (const { words, redirects } of commands) {
    for (const { operator, target } of redirects)
      if (operator.includes('>')) paths.add(posix.resolve(place.workingDir, target.text))
    const name = baseName(words[0]?.text ?? '')
    if (/^(tee|cp|mv|ln|install|dd|curl|wget|sed|chmod|rsync|tar|unzip)$/.test(name))
      for (const { text } of words.slice(1)) paths.add(posix.resolve(place.workingDir, text.replace(/^of=/, '')))
  }
  return paths
}

function runsWritten({ words }: SimpleCommand, written: Set<string>, place: Place): string | null {
  const [program, ...rest] = words
  if (!program || written.size === 0) return null
  const interpreter = /^(python|node|perl|ruby|php|lua|deno|bun|tsx|make|awk)/.test(baseName(program.text))
  const run = [...(program.text.includes('/') ? [program] : []), ...(interpreter ? rest : [])]
  const [found] = run.filter(({ text }) => written.has(posix.resolve(place.workingDir, text)))
  return found ? `it writes ${JSON.stringify(found.text.slice(0, 80))} and runs it` : null
}
