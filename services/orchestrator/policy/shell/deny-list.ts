// Whether a deny list may cover anything that a shell command runs. What cannot be known may be anything.
import { posix } from 'node:path'
import type { Finding } from '../finding.ts'
import { glob } from '../glob.ts'
import type { Place } from '../workplace.ts'
import { gitSubcommand } from './programs/git-commands.ts'
import { baseName, type Nested } from './programs/nested-command.ts'
import { isData, isText } from './programs/data-words.ts'
import { isKnownProgram, nestedIn } from './programs/nesting.ts'
import { ORDINARY } from './programs/ordinary-programs.ts'
import { sameOptions } from './option-sets.ts'
import {
  patternsOf,
  DEEPEST,
  INNER_BLANK,
  render,
  type BashPattern,
  type CommandPattern,
  type EntryList,
} from './command-patterns.ts'
import { refused, strongest, unclear } from './findings.ts'
import { opened } from './opened-files.ts'
import { changesPrograms } from './programs/variables.ts'
import { readScript } from './script.ts'
import { commandOf, type SimpleCommand } from './simple-command.ts'
import { literal, type ShellWord } from './shell-word.ts'

const MOST_SUFFIXES = 24
const NAMED = 'an entry covers it'
const OPENS = 'it opens a file that an entry denies'
/** Replaces a text that is not known. */
const SOME_TEXT = '\u0003'
const MAY_RUN = 'it may run a command that an entry denies'
const TOO_DEEP = 'it is nested too deeply'

/** Null if nothing in it is denied; else the denied or the uncertain part. */
export function refusedByDeny(source: unknown, list: EntryList): Finding | null {
  if (typeof source !== 'string') return unclear('its command is not text', JSON.stringify(source) ?? '')
  const { patterns, place, depth } = list
  const script = readScript(source, place)
  if (
    patterns.some(
      ({ written, chain }) =>
        glob(written, source) ||
        glob(written, source.trim()) ||
        (typeof script !== 'string' && spelledBy(chain, script.chain)),
    )
  )
    return refused(NAMED, source)
  if (typeof script === 'string') return unclear(script, source)
  if (depth > DEEPEST) return unclear(TOO_DEEP, source)
  const written = writtenFiles(script.commands, place)
  return strongest([
    ...script.commands.flatMap((command) => [denied(command, list), runsWritten(command, written, place)]),
    script.evaluates ? unclear('it contains a value that cannot be determined before it runs', source) : null,
    script.lost === null ? null : unclear('the directory it changes to cannot be determined', script.lost),
  ])
}

/** An entry that spells several commands denies them at any place in a chain. */
function spelledBy(wanted: BashPattern['chain'], chain: (SimpleCommand | string)[] | null): boolean {
  if (wanted.length < 2 || !chain) return false
  return chain.some((_, from) =>
    wanted.every((each, index) => {
      const actual = chain[from + index]
      if (typeof each === 'string' || typeof actual === 'string' || !actual) return each === actual
      return candidates(actual).some((candidate) => fit(each, candidate) !== null)
    }),
  )
}

function denied(command: SimpleCommand, list: EntryList): Finding | null {
  const { single, place } = list
  const { source, words, redirects } = command
  const [program] = words
  const why = unclearWhy(command)
  const doubt = why === null ? null : unclear(why, source)
  if (redirects.some((redirect) => opened(redirect, command, list)?.includes(true))) return refused(OPENS, source)
  if (!program || program.is !== 'literal' || program.text === '') return doubt
  const name = baseName(program.text)
  const near = patternsOf([program.text, name, name.replace(/^git-.*/, 'git')], list)
  const found =
    near.length === 0 ? [] : candidates(command, place).flatMap((each) => near.map((pattern) => fit(pattern, each)))
  if (found.includes('named')) return refused(NAMED, source)
  return strongest([
    ...nestedIn(command).nested.map((each) => deniedNested(each, command, list)),
    doubt,
    found.includes('open') ? unclear(MAY_RUN, source) : null,
    ORDINARY.has(name) ? null : deniedArguments(command, single),
  ])
}

/** Why a command cannot be compared with entries. */
function unclearWhy({ words, assignments, redirects }: SimpleCommand): string | null {
  const [program] = words
  if (program && (program.is !== 'literal' || program.text === '' || /[^!-~]/.test(program.text)))
    return 'its program cannot be determined before it runs'
  const isUnknown = words.some(({ is }, at) => is === 'unknown' && !isData(words, at))
  if (isUnknown || redirects.some(({ target }) => target.is === 'unknown' && target.source !== 'pipe'))
    return 'it contains a word that cannot be determined before it runs'
  const isExport = /^(export|declare|typeset|readonly|local)$/.test(program?.text ?? '')
  const exported = words.flatMap((word) => {
    const [, name, text = ''] = /^(\w+)=(.*)$/s.exec(isExport ? word.text : '') ?? []
    return name === undefined ? [] : [{ name, value: { ...word, text } }]
  })
  if ([...assignments, ...exported].some(({ name, value }) => changesPrograms(name, value)))
    return 'it sets a variable that can change which program runs'
  if (words.length > MOST_SUFFIXES && words.slice(1, MOST_SUFFIXES).every(({ text }) => text.startsWith('-')))
    return 'it has too many options before its arguments'
  return null
}

function deniedNested(each: Nested, command: SimpleCommand, list: EntryList): Finding | null {
  if (each.kind === 'opaque') return each.writes ? null : unclear(each.why, command.source)
  if (list.depth > DEEPEST) return unclear(TOO_DEEP, command.source)
  const deeper = { ...list, depth: list.depth + 1 }
  if (each.kind === 'code') return refusedByDeny(each.code, deeper)
  const words = each.words.filter((word, index) => index < each.words.length - 1 || word.is !== 'unknown')
  // Unknown words come last.
  const open = words.length < each.words.length
  const more: ShellWord[] = open ? [{ text: '', is: 'pathname' }] : []
  return denied(commandOf([...words, ...more], command), deeper)
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
function candidates({ words: all, folders }: SimpleCommand, place?: Place): Candidate[] {
  // Text is not compared: no entry names what a program only prints.
  const words = all.map((word, at) =>
    word.is === 'unknown' && isText(all, at) ? literal(`${word.text}${SOME_TEXT}`) : word,
  )
  const [program, ...rest] = words
  if (!program) return []
  const name = literal(baseName(program.text))
  const named = [name, ...rest]
  const ways = program.text === name.text ? [named] : [words, named]
  if (name.text.startsWith('git-')) ways.push([literal('git'), literal(name.text.slice(4)), ...rest])
  const subcommand = name.text === 'git' ? gitSubcommand(words).at : 1
  if (subcommand > 1) ways.push([name, ...words.slice(subcommand)])
  // Whether a word is the value of an option or a subcommand is not known: each is tried.
  if (rest[0]?.text.startsWith('-'))
    for (let at = 2; at < Math.min(words.length, MOST_SUFFIXES); at++) ways.push([name, ...words.slice(at)])
  const from = folders ?? (place ? [place.workingDir] : [])
  const isElsewhere = from.some((folder) => folder !== place?.workingDir)
  if (place && (isElsewhere || rest.some(({ text }) => /[/~]|^\.{1,2}$/.test(text)))) {
    const rewrite = (change: (text: string) => string) => [
      name,
      ...rest.map((word) => ({ ...word, text: change(word.text) })),
    ]
    ways.push(rewrite((text) => (text.includes('/') ? posix.normalize(text) : text)))
    for (const folder of from) ways.push(rewrite((text) => (text.startsWith('-') ? text : posix.resolve(folder, text))))
  }
  return ways.map(candidate)
}

function candidate(words: ShellWord[]): Candidate {
  const at = words.findIndex((word) => word.is !== 'literal')
  if (at < 0) return { text: render(words), open: false, words }
  const known = render([...words.slice(0, at), literal('.')]).slice(0, -1)
  return { text: known + (words[at]?.text ?? '').replaceAll(' ', INNER_BLANK), open: true, words }
}

/** `named`: the pattern covers it; `open`: it may, by words that are not known. */
function fit(pattern: CommandPattern, { text, open, words }: Candidate): 'named' | 'open' | null {
  if (text === pattern.bare) return 'named'
  if (glob(pattern.text, text)) return open && !pattern.text.endsWith('*') ? 'open' : 'named'
  if (open) return pattern.prefix.startsWith(text) || text.startsWith(pattern.prefix) ? 'open' : null
  return sameOptions(pattern.words, words) ? 'named' : null
}

/** Programs beyond the ordinary ones may run their words, or hand them to a shell. */
function deniedArguments({ source, words }: SimpleCommand, single: CommandPattern[]): Finding | null {
  for (let at = 1; at < Math.min(words.length, MOST_SUFFIXES); at++) {
    const rest = candidate(words.slice(at))
    if (single.some((pattern) => fit(pattern, rest) === 'named')) return refused(MAY_RUN, source)
  }
  const text = words.map((word) => word.text).join('\n')
  if (
    single.some(({ prefix }) => prefix.trim().length > 2 && text.includes(prefix.trim().replaceAll(INNER_BLANK, ' ')))
  )
    return unclear(MAY_RUN, source)
  return words.length < 2 || isKnownProgram(baseName(words[0]?.text ?? ''))
    ? null
    : unclear('its program is not known, and may run its arguments', source)
}

/** A word as a path, from wherever the command may run. */
const pathsFrom = ({ folders }: SimpleCommand, place: Place, text: string): string[] =>
  (folders ?? [place.workingDir]).map((folder) => posix.resolve(folder, text))

/** Files that the same script writes, or makes of a program: what they hold is not judged. */
function writtenFiles(commands: readonly SimpleCommand[], place: Place): Set<string> {
  const written = commands.flatMap((command) => {
    const { words, redirects } = command
    const targets = redirects.flatMap(({ operator, target }) => (operator.includes('>') ? [target] : []))
    const name = baseName(words[0]?.text ?? '')
    const isWriter = /^(tee|cp|mv|ln|install|dd|curl|wget|sed|chmod|rsync|tar|unzip)$/.test(name)
    return [...targets, ...(isWriter ? words.slice(1) : [])].flatMap(({ text }) =>
      pathsFrom(command, place, text.replace(/^of=/, '')),
    )
  })
  return new Set(written)
}

function runsWritten(command: SimpleCommand, written: Set<string>, place: Place): Finding | null {
  const { source, words } = command
  const [program, ...rest] = words
  if (!program || written.size === 0) return null
  const interpreter = /^(python|node|perl|ruby|php|lua|deno|bun|tsx|make|awk)/.test(baseName(program.text))
  const run = [...(program.text.includes('/') ? [program] : []), ...(interpreter ? rest : [])]
  const found = run.find(({ text }) => pathsFrom(command, place, text).some((path) => written.has(path)))
  return found ? unclear(`it writes ${JSON.stringify(found.text.slice(0, 80))} and runs it`, source) : null
}
