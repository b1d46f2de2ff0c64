// The directories that an agent's tools may reach. Other paths are refused under every policy.
import { isHidden } from '../../../platform/files/closed-set.ts'
import { isWithin } from '../../../platform/files/within.ts'
import { denyMessages } from './deny-messages.ts'
import { desiredWrite, type Reached } from './desired-writes.ts'
import { isFileTool, targetsOf, writesFiles, type Target } from './file-targets.ts'
import { absolute, openDirectories, sandboxDirectories, type OpenDirectory, type RequestPlace } from './workplace.ts'
import { reachedBy } from './shell/reached-paths.ts'
import type { Call } from './entry-lists.ts'
import type { Finding } from './finding.ts'

const UNKNOWN_FILES = 'the files it would access cannot be determined before it runs'
const NO_TEXT: Finding = { kind: 'unclear', reason: 'its command is not text', part: '' }
const UNREADABLE = 'the command cannot be parsed, so the paths it would access cannot be determined'

export interface Boundary {
  /** Message for the agent if it reaches outside its directories, or a closed path. */
  refusal: string | null
  /** Why it may reach other paths than those that were checked. */
  unclear: Finding | null
}

/** In a sandbox, only paths that a call certainly reaches are refused. */
export function boundaryOf({ tool, input, place }: Call): Boundary {
  const own = openDirectories(place)
  const open = [...own, ...sandboxDirectories(place)]
  const isEverywhere = place.isSandboxed === true || own.some(({ real }) => real === '/')
  const unknown = (reason: string) => decided(isEverywhere ? null : denyMessages.outside(tool, reason))
  const refusal = (reached: readonly Reached[]) => refusalOf(tool, reached, { own, open, place })
  if (isFileTool(tool)) {
    const targets = targetsOf(tool, input, place)
    if (!targets) return unknown(UNKNOWN_FILES)
    const access = writesFiles(tool) ? 'write' : 'read'
    const reached = targets.flatMap(({ paths }) => paths.map((path) => ({ path, access, isFile: true }) as const))
    return decided(refusal(reached) ?? closedBelow(tool, targets, { open, place }))
  }
  if (tool === 'Bash') {
    const { command } = input
    if (typeof command !== 'string') return { refusal: null, unclear: isEverywhere ? null : NO_TEXT }
    const reach = reachedBy(command, place)
    return reach ? { refusal: refusal(reach.found), unclear: isEverywhere ? null : reach.unclear } : unknown(UNREADABLE)
  }
  if (!tool.startsWith('mcp__')) return decided(null)
  const access = readsByName(tool) ? 'read' : 'place'
  const reached = pathMembers(input, place).map((path) => ({ path, access }) as const)
  if (!place.isSandboxed) return decided(refusal(reached))
  // A server on this machine runs in the sandbox too, and the paths of a remote one are not on this machine.
  return decided(desiredRefusal(tool, reached, { own, place }))
}

const decided = (refusal: string | null): Boundary => ({ refusal, unclear: null })

interface Opened {
  own: readonly OpenDirectory[]
  open: readonly OpenDirectory[]
  place: RequestPlace
}

function refusalOf(tool: string, reached: readonly Reached[], { own, open, place }: Opened): string | null {
  const outside = reached.find((each) => !open.some((folder) => isOpenIn(folder, each)))
  if (outside !== undefined) {
    const shown = outside.path.slice(0, SHOWN)
    return open.some(({ real, isForReading }) => !isForReading && isWithin(outside.path, real))
      ? denyMessages.closed(tool, shown)
      : denyMessages.outside(tool, `${shown} is outside its working_dir and additional_dirs`)
  }
  const pattern = reached.find(
    ({ begins }) => begins !== undefined && open.some(({ hidden }) => covers(begins, hidden)),
  )
  if (pattern?.begins !== undefined) return denyMessages.closed(tool, pattern.begins.slice(0, SHOWN))
  return desiredRefusal(tool, reached, { own, place })
}

function desiredRefusal(
  tool: string,
  reached: readonly Reached[],
  { own, place }: Omit<Opened, 'open'>,
): string | null {
  const folders = own.map(({ real }) => real)
  const written = desiredWrite(reached, place, folders)
  return written && denyMessages.desired(tool, written.path.slice(0, SHOWN), written.readBy)
}

const SHOWN = 200

/** A pattern matches no name that begins with a dot unless it begins with one. */
function covers(begins: string, hidden: readonly string[]): boolean {
  const slash = begins.lastIndexOf('/') + 1
  return hidden.some(
    (path) => path.startsWith(begins) && (begins.length > slash ? begins[slash] === '.' : path[slash] !== '.'),
  )
}

const isOpenIn = ({ real, hidden, isForReading }: OpenDirectory, { path, access }: Reached): boolean =>
  isWithin(path, real) && !isHidden(path, hidden) && !(isForReading && access !== 'read')

/** A search reads the files of all folders below. */
function closedBelow(tool: string, targets: readonly Target[], { open, place }: Omit<Opened, 'own'>): string | null {
  if (tool !== 'Grep') return null
  const searched = targets.flatMap(({ paths }) => paths)
  const closed = open
    .flatMap(({ hidden }) => hidden)
    .find((path) => searched.some((folder) => isWithin(path, folder)) && place.lookups.entryAt(path) !== null)
  return closed === undefined ? null : denyMessages.searchesClosed(tool, closed)
}

const READING_TOOL = /^mcp__.+__(read|get|list|search|find|view|show|stat|query|fetch|describe|directory_tree)/i
/** A tool of a server whose name says that it changes nothing. */
export const readsByName = (tool: string): boolean => READING_TOOL.test(tool)

const PATH_MEMBER =
  /(paths?|files?|file_?names?|dir|directory|directories|folder|cwd|root|source|destination|uri|target)$/i
const DEEPEST = 4

/**
 * Paths in the input of an MCP tool: members that are called so and hold one that exists on this machine from the
 * root on.
 */
function pathMembers(input: object, place: RequestPlace, depth = 0): string[] {
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) => {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    return values.flatMap((each): string[] => {
      if (typeof each === 'object' && each !== null) return depth < DEEPEST ? pathMembers(each, place, depth + 1) : []
      return typeof each === 'string' && PATH_MEMBER.test(name) ? localPaths(each, place) : []
    })
  })
}

function localPaths(written: string, place: RequestPlace): string[] {
  if (!/^(file:\/\/\/|[/~])/.test(written) && !written.split('/').includes('..')) return []
  const real = place.lookups.realPaths(absolute(written.replace(/^file:\/\/(?=\/)/, ''), place)) ?? []
  return real.filter((found) => place.lookups.entryAt(`/${found.split('/')[1] ?? ''}`) !== null)
}
