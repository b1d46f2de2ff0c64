// Whether an allow list covers a shell command: every command in it, with everything it runs, writes and sets.
import type { Finding } from '../finding.ts'
import { glob } from '../glob.ts'
import { unclear, unlisted } from './findings.ts'
import { isData } from './programs/data-words.ts'
import { isHarmlessSetting, isPowerful } from './programs/variables.ts'
import { isKnownProgram, nestedIn } from './programs/nesting.ts'
import { behindPlainOptions } from './programs/git-commands.ts'
import { baseName, type Nested, type Nesting } from './programs/nested-command.ts'
import { DEEPEST, patternsOf, render, type CommandPattern, type EntryList } from './command-patterns.ts'
import { opened } from './opened-files.ts'
import { readScript } from './script.ts'
import { commandOf, type ShellRedirect, type ShellScript, type SimpleCommand } from './simple-command.ts'
import { literal, type ShellWord } from './shell-word.ts'

/** Where what a name of these runs is the system's, an entry that says the name means it. */
const SYSTEM_FOLDERS = new Set(['/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin', '/opt/homebrew/bin'])

const UNKNOWN_VALUE = 'it contains a value that cannot be determined before it runs'
const LOST = 'the directory it changes to cannot be determined'
const TOO_DEEP = 'it is nested too deeply'

/** Null when it is covered, else the reason. */
export function refusedByAllow(source: unknown, list: EntryList): Finding | null {
  if (typeof source !== 'string') return unclear('its command is not text', JSON.stringify(source) ?? '')
  const { patterns, place, depth } = list
  const script = readScript(source, place)
  if (typeof script === 'string') return unclear(script, source)
  // Word for word what an entry says, expansions and all.
  if (patterns.some(({ written }) => written === source.trim() && !written.includes('*'))) return null
  if (depth > DEEPEST) return unclear(TOO_DEEP, source)
  if (script.commands.length === 0) return unlisted('it contains no command', source)
  if (coversChain(script, list)) return null
  if (script.evaluates) return unclear(UNKNOWN_VALUE, source)
  for (const command of script.commands) {
    const found = uncovered(command, list)
    if (found) return found
  }
  return script.lost === null ? null : unclear(LOST, script.lost)
}

/** An entry that spells several commands covers just these, between the same operators. */
function coversChain({ chain }: ShellScript, list: EntryList): boolean {
  if (!chain || chain.length < 2) return false
  return list.patterns.some(
    (pattern) =>
      pattern.chain.length === chain.length &&
      pattern.chain.every((wanted, index) => {
        const actual = chain[index]
        if (typeof wanted === 'string' || typeof actual === 'string' || !actual) return wanted === actual
        return covers(wanted, actual, list)
      }),
  )
}

function uncovered(command: SimpleCommand, list: EntryList): Finding | null {
  const [program] = command.words
  if (!program) return uncoveredBare(command, list)
  const single = patternsOf([program.text, baseName(program.text)], list)
  if (single.some((pattern) => covers(pattern, command, list))) return null
  const { nested, transparent, isPlain } = viewOf(command)
  const outer =
    transparent && settingsAreHarmless(command) && command.redirects.every((each) => mayOpen(each, command, list))
      ? literal('')
      : single.find((pattern) => covers(pattern, command, list, true))
  if (!outer) return isPlain ? unlisted('no entry covers it', command.source) : unclear(UNKNOWN_VALUE, command.source)
  for (const each of nested) {
    if ('prefix' in outer && (names(outer, command, each) || runsProject(outer, command, each))) continue
    const found = uncoveredNested(each, command, list)
    if (found) return found
  }
  return null
}

function uncoveredNested(each: Nested, command: SimpleCommand, list: EntryList): Finding | null {
  if (list.depth > DEEPEST) return unclear(TOO_DEEP, command.source)
  if (each.kind === 'opaque') return unclear(each.why, command.source)
  const deeper = { ...list, depth: list.depth + 1 }
  if (each.kind === 'code') return refusedByAllow(each.code, deeper)
  return uncovered(commandOf(each.words, command), deeper)
}

/** Redirections and assignments without a command. */
function uncoveredBare(command: SimpleCommand, list: EntryList): Finding | null {
  const { source, assignments, redirects } = command
  if (assignments.some(({ name }) => isPowerful(name)))
    return unlisted('it sets a variable that programs may read', source)
  return redirects.every((each) => mayOpen(each, command, list) || list.single.some((pattern) => spells(pattern, each)))
    ? null
    : unlisted('it redirects to or from a file that no entry names', source)
}

/** `beyond`: what the command runs beyond itself is judged elsewhere. */
function covers(pattern: CommandPattern, command: SimpleCommand, list: EntryList, beyond = false): boolean {
  const { nested, isPlain } = viewOf(command)
  if (!isPlain || !fits(pattern, command)) return false
  const isStdin = nested.some((each) => each.kind === 'opaque' && each.stdin)
  const isOpened = command.redirects.every(
    (each) =>
      mayOpen(each, command, list) ||
      spells(pattern, each) ||
      isText(each, pattern) ||
      (isStdin && each.operator.startsWith('<<')),
  )
  return isOpened && (beyond || nested.every((each) => names(pattern, command, each)))
}

interface View extends Nesting {
  texts: string[]
  isPlain: boolean
}

const views = new WeakMap<SimpleCommand, View>()

/** Texts of a command to compare with every entry. */
function viewOf(command: SimpleCommand): View {
  const known = views.get(command)
  if (known) return known
  const nesting = nestedIn(command)
  const isPlain = command.words.every((_, at) => isPlainWord(command.words, at))
  const view = { ...nesting, isPlain, texts: isPlain ? texts(command, nesting) : [] }
  views.set(command, view)
  return view
}

/** Names of files are let pass where their beginning says that none of them is an option, or which one. */
function isPlainWord(words: readonly ShellWord[], at: number): boolean {
  const word = words[at]
  if (!word || word.is === 'literal') return true
  if (word.is === 'pathname' && at > 0 && /^([^-]|--[a-z][a-z-]*=)/.test(word.text)) return true
  return isData(words, at)
}

function fits({ text, prefix, bare }: CommandPattern, command: SimpleCommand): boolean {
  if (!viewOf(command).texts.some((each) => glob(text, each) || each === bare)) return false
  // A path that begins as the entry says stays below it.
  return !/\/[^ ]*$/.test(prefix) || prefix === text || !climbs(command.words)
}

const climbs = (words: readonly ShellWord[]) => words.some(({ text }) => text.split(/[/=]/).includes('..'))

/** The command verbatim, and with the bare name of a program in a system folder. */
function texts(command: SimpleCommand, { nested: [runs] }: Nesting): string[] {
  const { words, assignments } = command
  const [program, ...rest] = words
  if (!program || /[^!-~]/.test(program.text)) return []
  if (assignments.some(({ value }) => value.is !== 'literal')) return []
  const spelled = assignments.map(({ name, value }) => literal(`${name}=${value.text}`))
  const written = render([...spelled, ...words])
  if (!settingsAreHarmless(command)) return [written]
  const plain = [...new Set([written, render(words)])]
  // An interpreter without a script reads its input, as with `-`.
  if (runs?.kind === 'opaque' && runs.stdin && !rest.some(({ text }) => text === '-'))
    plain.push(render([program, literal('-'), ...rest]))
  const at = program.text === 'git' ? behindPlainOptions(words, command.folders ?? []) : 1
  if (at > 1) plain.push(render([program, ...words.slice(at)]))
  const slash = program.text.lastIndexOf('/')
  if (slash > 0 && SYSTEM_FOLDERS.has(program.text.slice(0, slash)) && assignments.length === 0)
    plain.push(render([literal(baseName(program.text)), ...rest]))
  return plain
}

function settingsAreHarmless({ assignments }: SimpleCommand): boolean {
  return assignments.every(({ name, value }) => isHarmlessSetting(name, value))
}

/** Harmless, or a file that the tools Read and Write may open. */
const mayOpen = (redirect: ShellRedirect, command: SimpleCommand, list: EntryList): boolean =>
  harmless(redirect) || (opened(redirect, command, list)?.every(Boolean) ?? false)

/** Descriptors, and the devices that keep nothing. */
function harmless({ operator, target }: ShellRedirect): boolean {
  if (target.source === 'pipe') return operator === '<'
  if (target.is !== 'literal') return false
  if (operator === '>&' || operator === '<&') return /^(\d+-?|-)$/.test(target.text)
  return target.text === '/dev/null' || (!operator.startsWith('<<') && /^\/dev\/(stdout|stderr)$/.test(target.text))
}

function spells({ redirects }: CommandPattern, { operator, descriptor, target }: ShellRedirect): boolean {
  if (descriptor === null) return false
  return (
    target.is === 'literal' &&
    redirects.some(
      (wanted) => glob(wanted, `${descriptor}${operator} ${target.text}`) && !target.text.split('/').includes('..'),
    )
  )
}

/** A text that is known goes to a command whose words the entry leaves open. */
function isText(redirect: ShellRedirect, pattern: CommandPattern): boolean {
  return typeof redirect.text === 'string' && pattern.prefix !== pattern.text
}

/** Whether the entry names the nested program: its words reach it before the first star. */
function names(pattern: CommandPattern, { words }: SimpleCommand, nested: Nested): boolean {
  if (pattern.prefix === pattern.text) return true
  if (nested.at === 0) return nested.kind === 'opaque' && nested.stdin === true && pattern.words[1] === '-'
  if (nested.kind === 'opaque' && nested.file)
    return pattern.prefix.length > render(words.slice(0, nested.at)).length + 1
  const spelled = render(words.slice(0, nested.at + 1))
  return pattern.prefix.length > spelled.length && pattern.prefix.startsWith(`${spelled} `)
}

/** `bundle exec` and others run the programs of the project's packages: an entry for them covers these. */
function runsProject({ prefix }: CommandPattern, { words }: SimpleCommand, nested: Nested): boolean {
  if (nested.kind !== 'words' || !nested.project || prefix.length < render(words.slice(0, nested.at)).length)
    return false
  const name = nested.words[0]?.text ?? ''
  return /^[\w.-]+$/.test(name) && !isKnownProgram(name)
}
