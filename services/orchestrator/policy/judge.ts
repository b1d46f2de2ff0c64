// What a tool policy says to a tool request: its size, the directories, then the policy's mode. Pure but for the file
// system's links.
import { RecentMap } from '../../../platform/core/recent.ts'
import { parseToolEntry, type ToolEntryParts } from '../../../schemas/tools/entry.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import { addressFault } from './address-faults.ts'
import { outside } from './boundary.ts'
import { fileCovers, isFileTool, speaksOf, targetsOf, type ToolCall } from './file-targets.ts'
import { mainArgument } from './main-argument.ts'
import { denyMessages } from './deny-messages.ts'
import { PathLookups, TooManyLookups } from './real-path.ts'
import type { Place, RequestPlace } from './workplace.ts'
import { refusedByAllow } from './shell/allow-list.ts'
import { refusedByDeny } from './shell/deny-list.ts'
import { entryList, readPattern, type BashPattern } from './shell/command-patterns.ts'
import { glob } from './glob.ts'
import { urlCovers } from './url-patterns.ts'

export { denyMessages, noDecision } from './deny-messages.ts'

export type Decision = 'allow' | 'deny' | 'ask'

export interface Judgement {
  /** `ask` = hold the request for a person. */
  decision: Decision
  /** What the agent is told when it is denied. */
  message: string
}

/** A tool's input of more bytes is refused without being judged. */
export const LARGEST_INPUT = 64 * 1024

/** An unknown mode denies. */
export function judge(policy: ToolPolicy, tool: string, input: unknown, place: Place): Judgement {
  const size = Buffer.byteLength(JSON.stringify(input ?? {}))
  if (size > LARGEST_INPUT) return { decision: 'deny', message: denyMessages.tooLarge(tool, size, LARGEST_INPUT) }
  const members = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  try {
    return judgeMembers(policy, tool, members, { ...place, lookups: new PathLookups() })
  } catch (error) {
    if (error instanceof TooManyLookups) return { decision: 'deny', message: denyMessages.tooManyPaths(tool) }
    throw error
  }
}

function judgeMembers(
  policy: ToolPolicy,
  tool: string,
  members: Record<string, unknown>,
  place: RequestPlace,
): Judgement {
  const byPolicy = denyMessages.policy(tool, policy.mode)
  const refusal = outside(tool, members, place)
  if (refusal !== null) return { decision: 'deny', message: refusal }
  const call = { tool, input: members, place }
  switch (policy.mode) {
    case 'allow_all':
      return { decision: 'allow', message: byPolicy }
    case 'allow_list':
    case 'deny_list': {
      const fault = faultOfAddress(policy, call)
      if (fault !== null) return { decision: 'deny', message: denyMessages.address(tool, fault) }
      const reading = policy.mode === 'allow_list' ? 'allow' : 'deny'
      const isAllowed = isListed(policy, { ...call, reading }) === (reading === 'allow')
      return { decision: isAllowed ? 'allow' : 'deny', message: byPolicy }
    }
    case 'require_approval':
      return { decision: 'ask', message: byPolicy }
    default:
      return { decision: 'deny', message: byPolicy }
  }
}

/**
 * The decision alone.
 * @testing
 */
export function decide(policy: ToolPolicy, tool: string, input: unknown, place: Place): Decision {
  return judge(policy, tool, input, place).decision
}

interface Entries {
  parts: ToolEntryParts[]
  /** Patterns of the entries for Bash. */
  bash: BashPattern[]
}

const MOST_LISTS = 100
/** Lists of entries that were read lately. */
const read = new RecentMap<Entries>(MOST_LISTS)

function entriesOf(policy: ToolPolicy): Entries {
  const tools = policy.tools ?? []
  const key = tools.join('\0')
  const known = read.get(key)
  if (known) return known
  const parts = tools.flatMap((entry) => parseToolEntry(entry) ?? [])
  const bash = parts.flatMap(({ tool, pattern }) => (tool === 'Bash' && pattern !== null ? [readPattern(pattern)] : []))
  const entries = { parts, bash }
  read.set(key, entries)
  return entries
}

/** One tool, two names: it is listed as Task and asks as Agent. */
const SYNONYMS: Record<string, string> = { Task: 'Agent', KillBash: 'KillShell', BashOutput: 'TaskOutput' }
const sameTool = (name: string) => (Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : name)

function isListed(policy: ToolPolicy, call: Omit<ToolCall, 'targets'>): boolean {
  const { parts, bash } = entriesOf(policy)
  const { tool } = call
  if (parts.some((entry) => entry.pattern === null && namesTool(entry.tool, tool))) return true
  if (tool === 'Bash') return isBashListed(policy, bash, call)
  const targets = isFileTool(tool) ? targetsOf(tool, call.input, call.place) : null
  const targeted = { ...call, targets }
  return parts.some(({ tool: named, pattern }) => pattern !== null && covers(named, pattern, targeted))
}

/** `mcp__server` is every tool of the server. */
function namesTool(named: string, tool: string): boolean {
  if (sameTool(named) === sameTool(tool)) return true
  if (!named.startsWith('mcp__')) return false
  return named.includes('*') ? glob(named, tool) : named.split('__').length === 2 && tool.startsWith(`${named}__`)
}

/** Null also if the entries do not depend on the address. */
function faultOfAddress(policy: ToolPolicy, { tool, input }: Pick<ToolCall, 'tool' | 'input'>): string | null {
  if (tool !== 'WebFetch') return null
  const entries = entriesOf(policy).parts.filter((entry) => namesTool(entry.tool, tool))
  return entries.length > 0 && entries.every(({ pattern }) => pattern !== null) ? addressFault(input.url) : null
}

function isBashListed(policy: ToolPolicy, patterns: readonly BashPattern[], call: Omit<ToolCall, 'targets'>): boolean {
  const { input, reading, place } = call
  const listsFile = (tool: string, file_path: string) => isListed(policy, { ...call, tool, input: { file_path } })
  const list = entryList(patterns, place, listsFile)
  if (reading === 'allow') return patterns.length > 0 && refusedByAllow(input.command, list) === null
  // Without patterns nothing but a file that it opens can be denied.
  const finding = refusedByDeny(input.command, list)
  return finding !== null && (patterns.length > 0 || finding.kind === 'refused')
}

function covers(named: string, pattern: string, call: ToolCall): boolean {
  const { tool, input, reading } = call
  if (isFileTool(tool)) return speaksOf(named, call) && fileCovers(pattern, call)
  if (!namesTool(named, tool)) return false
  if (tool === 'WebFetch') return urlCovers(pattern, input.url, reading)
  return glob(pattern, mainArgument(tool, input))
}
