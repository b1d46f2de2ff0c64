// Tool calls that create or close an issue. Pure but for the file system's links.
import { LARGEST_INPUT } from '../judge.ts'
import { PathLookups, TooManyLookups } from '../real-path.ts'
import { DEEPEST } from '../shell/command-patterns.ts'
import { baseName } from '../shell/programs/nested-command.ts'
import { nestedIn } from '../shell/programs/nesting.ts'
import { readScript } from '../shell/script.ts'
import type { ShellWord } from '../shell/shell-word.ts'
import { commandOf, type SimpleCommand } from '../shell/simple-command.ts'
import type { Place, RequestPlace } from '../workplace.ts'
import { curlChanges, ghApiChanges, wgetChanges } from './requests.ts'

const RELATED = /gh|curl|wget|issue|graphql/i

/** False for an input that is too large to be judged: every policy denies it. */
export function changesIssues(tool: string, input: unknown, placeOf: () => Place): boolean {
  const members = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  if (tool.startsWith('mcp__')) return isIssueTool(tool.slice(tool.lastIndexOf('__') + 2), members)
  const { command } = members
  if (tool !== 'Bash' || typeof command !== 'string' || command.length > LARGEST_INPUT) return false
  // Most commands need not be parsed.
  if (!RELATED.test(command.replace(/['"\\]/g, ''))) return false
  try {
    return scriptChanges(command, { ...placeOf(), lookups: new PathLookups() }, 0)
  } catch (error) {
    if (error instanceof TooManyLookups) return mentions(command)
    throw error
  }
}

function isIssueTool(name: string, { state }: Record<string, unknown>): boolean {
  return /^(create_issue|close_issue|issue_write)$/.test(name) || (name === 'update_issue' && state === 'closed')
}

function scriptChanges(source: string, place: RequestPlace, depth: number): boolean {
  const script = readScript(source, place)
  if (typeof script === 'string' || depth > DEEPEST) return mentions(source)
  return script.commands.some((command) => commandChanges(command, { source, place, depth }))
}

interface Around {
  /** Of the whole script. */
  source: string
  place: RequestPlace
  /** Commands that run this one. */
  depth: number
}

function commandChanges(command: SimpleCommand, around: Around): boolean {
  const { source, place, depth } = around
  if (programChanges(command.words, source)) return true
  return nestedIn(command).nested.some((each) => {
    if (each.kind === 'opaque' || depth > DEEPEST) return mentions(source)
    if (each.kind === 'code') return scriptChanges(each.code, place, depth + 1)
    return commandChanges(commandOf(each.words, command), { ...around, depth: depth + 1 })
  })
}

type Program = (words: readonly ShellWord[], source: string) => boolean

const PROGRAMS: Readonly<Record<string, Program>> = { gh: ghChanges, curl: curlChanges, wget: wgetChanges }

function programChanges([program, ...words]: readonly ShellWord[], source: string): boolean {
  if (!program) return false
  const name = baseName(program.text)
  // A program that is not known may be any of them.
  if (program.is !== 'literal') return Object.values(PROGRAMS).some((changes) => changes(words, source))
  return Object.hasOwn(PROGRAMS, name) && PROGRAMS[name]!(words, source)
}

function ghChanges(words: readonly ShellWord[], source: string): boolean {
  const operands = subcommandsOf(words)
  const [first, second] = operands
  if (!first) return false
  if (first.is !== 'literal' && !second) return true
  // A first word that is not known may be no word at all.
  const readings = first.is === 'literal' ? [operands] : [operands, operands.slice(1)]
  return readings.some(([group, verb]) => {
    if (mayBe(group, 'issue') && mayBe(verb, 'create', 'new', 'close')) return true
    return group?.is === 'literal' && group.text === 'api' && ghApiChanges(withoutWord(words, group), source)
  })
}

/** As gh finds them: an option that it does not know yet takes the next word. */
function subcommandsOf(words: readonly ShellWord[]): ShellWord[] {
  const found: ShellWord[] = []
  for (let at = 0; at < words.length; at++) {
    const { text } = words[at]!
    if (!text.startsWith('-')) found.push(words[at]!)
    else if (!text.includes('=') && /^(--.+|-.)$/s.test(text) && !/^(--help|--version|-h)$/.test(text)) at++
  }
  return found
}

const mayBe = (word: ShellWord | undefined, ...names: readonly string[]): boolean =>
  word !== undefined && names.some((name) => (word.is === 'literal' ? name === word.text : name.startsWith(word.text)))

const withoutWord = (words: readonly ShellWord[], word: ShellWord): ShellWord[] => words.filter((each) => each !== word)

const MENTIONED = /\bgh\b[^\n;&|]{0,200}\bissue\W{1,10}(create|new|close)\b/

/** Of code that cannot be parsed: whether its text contains a command for issues. */
const mentions = (text: string): boolean => MENTIONED.test(text)
