// What the entries of a list say about a tool call.
import { RecentMap } from '../../../platform/core/recent.ts'
import { parseToolEntry, type ToolEntryParts } from '../../../schemas/tools/entry.ts'
import { UNNAMED_TOOL } from '../../../schemas/tools/unnamed-tool.ts'
import { fileCovers, isFileTool, speaksOf, targetsOf, type ToolCall } from './file-targets.ts'
import type { Finding } from './finding.ts'
import { glob } from './glob.ts'
import { mainArgument } from './main-argument.ts'
import { refusedByAllow } from './shell/allow-list.ts'
import { entryList, readPattern, type BashPattern } from './shell/command-patterns.ts'
import { refusedByDeny } from './shell/deny-list.ts'
import { urlCovers } from './url-patterns.ts'

/** A tool call without the reading of an entry. */
export type Call = Pick<ToolCall, 'tool' | 'input' | 'place'>

interface Entries {
  parts: ToolEntryParts[]
  /** Patterns of the entries for Bash. */
  bash: BashPattern[]
  /** The beginning of each pattern's program. */
  begins: string[]
}

const MOST_LISTS = 300
/** Lists of entries that were read lately. */
const read = new RecentMap<Entries>(MOST_LISTS)

function entriesOf(list: readonly string[]): Entries {
  const key = list.join('\0')
  const known = read.get(key)
  if (known) return known
  const parts = list.flatMap((entry) => parseToolEntry(entry) ?? [])
  const bash = parts.flatMap(({ tool, pattern }) => (tool === 'Bash' && pattern !== null ? [readPattern(pattern)] : []))
  const entries = { parts, bash, begins: bash.map((pattern) => /^[^\s*]*/.exec(pattern.written)![0]) }
  read.set(key, entries)
  return entries
}

/** One tool, two names: it is listed as Task and asks as Agent. */
const SYNONYMS: Record<string, string> = { Task: 'Agent', KillBash: 'KillShell', BashOutput: 'TaskOutput' }
const sameTool = (name: string) => (Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : name)

/** `mcp__server` is every tool of the server. */
function namesTool(named: string, tool: string): boolean {
  if (sameTool(named) === sameTool(tool)) return true
  if (!named.startsWith('mcp__')) return false
  return named.includes('*') ? glob(named, tool) : named.split('__').length === 2 && tool.startsWith(`${named}__`)
}

/** True if an entry names the tool without a pattern. */
export function listsWhole(list: readonly string[], tool: string): boolean {
  return entriesOf(list).parts.some((entry) => entry.pattern === null && namesTool(entry.tool, tool))
}

/** True if entries for the tool depend on its input. */
export function readsInput(list: readonly string[], tool: string): boolean {
  return !listsWhole(list, tool) && entriesOf(list).parts.some((entry) => namesTool(entry.tool, tool))
}

/** Reads entries narrowly: null if they cover the call, else why not. */
export function uncoveredBy(list: readonly string[], call: Call): Finding | null {
  const { tool, input, place } = call
  if (listsWhole(list, tool)) return null
  const entries = entriesOf(list)
  const { parts } = entries
  if (!parts.some((entry) => namesTool(entry.tool, tool))) return unlisted('no entry names the tool', tool)
  if (tool === 'Bash') {
    const listsFile = (fileTool: string, path: string) => uncoveredBy(list, fileCall(fileTool, path, place)) === null
    return shortened(refusedByAllow(input.command, entryList(possible(entries, input.command), place, listsFile)))
  }
  return findEntry(parts, call, 'allow') ? null : unlisted(UNLISTED, partOf(call))
}

interface Naming {
  /** A search that could reach a denied file below its folder is named too. */
  isWide: boolean
}

/** Reads entries widely: null if none may cover the call, else whether one does (`refused`) or could (`unclear`). */
export function namedBy(list: readonly string[], call: Call, { isWide }: Naming): Finding | null {
  const { tool, input, place } = call
  if (list.length === 0) return null
  if (listsWhole(list, tool)) return { kind: 'refused', reason: 'an entry names the tool', part: tool }
  if (tool === UNNAMED_TOOL)
    return { kind: 'unclear', reason: 'its program does not name the tool', part: partOf(call) }
  const { parts, bash } = entriesOf(list)
  if (tool === 'Bash') {
    const listsFile = (fileTool: string, path: string) =>
      namedBy(list, fileCall(fileTool, path, place), { isWide }) !== null
    const finding = refusedByDeny(input.command, entryList(bash, place, listsFile))
    // Without patterns for commands, only a file that the command opens can be denied.
    return bash.length > 0 || finding?.kind === 'refused' ? shortened(finding) : null
  }
  const found = findEntry(parts, call, 'deny', isWide)
  return found ? { kind: 'refused', reason: `the entry ${written(found)} covers it`, part: partOf(call) } : null
}

/** An entry that names the call by itself; null if none does. Halves the list, because a list may be long. */
export function namingEntry(list: readonly string[], call: Call): string | null {
  if (namedBy(list, call, { isWide: false })?.kind !== 'refused') return null
  if (list.length === 1) return list[0]!
  const middle = Math.floor(list.length / 2)
  return namingEntry(list.slice(0, middle), call) ?? namingEntry(list.slice(middle), call)
}

/** Patterns whose program is in the command: comparing each of a thousand takes too long. */
function possible({ bash, begins }: Entries, command: unknown): BashPattern[] {
  if (typeof command !== 'string') return []
  const unquoted = command.replace(/["'\\]/g, '')
  return bash.filter((_, at) => unquoted.includes(begins[at]!))
}

const UNLISTED = 'no entry covers it'
const fileCall = (tool: string, file_path: string, place: Call['place']): Call => ({
  tool,
  input: { file_path },
  place,
})

const unlisted = (reason: string, part: string): Finding => ({ kind: 'unlisted', reason, part })
const LONGEST_PART = 120
const partOf = ({ tool, input }: Call): string => cut(mainArgument(tool, input))

const shortened = (finding: Finding | null): Finding | null => finding && { ...finding, part: cut(finding.part) }

function cut(part: string): string {
  const text = part.trim()
  return text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART)}…` : text
}
const written = ({ tool, pattern }: ToolEntryParts): string => (pattern === null ? tool : `${tool}(${pattern})`)

function findEntry(
  parts: readonly ToolEntryParts[],
  call: Call,
  reading: ToolCall['reading'],
  isWide = true,
): ToolEntryParts | undefined {
  const { tool, input, place } = call
  const found = isFileTool(tool) ? targetsOf(tool, input, place) : null
  const targets = isWide ? found : (found?.map((target) => ({ ...target, walks: false })) ?? null)
  return parts.find(
    ({ tool: named, pattern }) => pattern !== null && covers(named, pattern, { ...call, reading, targets }),
  )
}

function covers(named: string, pattern: string, call: ToolCall): boolean {
  const { tool, input, reading } = call
  if (isFileTool(tool)) return speaksOf(named, call) && fileCovers(pattern, call)
  if (!namesTool(named, tool)) return false
  if (tool === 'WebFetch') return urlCovers(pattern, input.url, reading)
  return glob(pattern, mainArgument(tool, input))
}
