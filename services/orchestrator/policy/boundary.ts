// The directories that an agent's tools may reach. Other paths are refused under every policy.
import { isHidden, isWithin } from '../../../platform/files/closed-set.ts'
import { denyMessages } from './deny-messages.ts'
import { desiredWrite, type Reached } from './desired-writes.ts'
import { isFileTool, targetsOf, writesFiles, type Target } from './file-targets.ts'
import { absolute, openDirectories, type OpenDirectory, type RequestPlace } from './workplace.ts'
import { pathsOf } from './shell/reached-paths.ts'

const UNKNOWN_FILES = 'the files it would access cannot be determined before it runs'
const UNREADABLE = 'the command cannot be parsed, so the paths it would access cannot be determined'

/** Returns the message for the agent, or null if no path outside its directories, or closed to it, is found. */
export function outside(tool: string, input: Record<string, unknown>, place: RequestPlace): string | null {
  const open = openDirectories(place)
  const isEverywhere = open.some(({ real }) => real === '/')
  const fault = (unknown: string) => (isEverywhere ? null : denyMessages.outside(tool, unknown))
  const isOpen = (path: string) => open.some((folder) => isOpenIn(folder, path))
  const desired = (reached: readonly Reached[]) => {
    const found = desiredWrite(
      reached,
      place,
      open.map(({ real }) => real),
    )
    return found && denyMessages.desired(tool, found.path.slice(0, SHOWN), found.readBy)
  }
  const refusal = (reached: readonly Reached[]) => {
    const path = reached.find((each) => !isOpen(each.path))?.path
    if (path === undefined) return desired(reached)
    return open.some(({ real }) => isWithin(path, real))
      ? denyMessages.closed(tool, path.slice(0, SHOWN))
      : denyMessages.outside(tool, `${path.slice(0, SHOWN)} is outside its working_dir and additional_dirs`)
  }
  if (isFileTool(tool)) {
    const targets = targetsOf(tool, input, place)
    if (!targets) return fault(UNKNOWN_FILES)
    const access = writesFiles(tool) ? 'write' : 'read'
    const reached = targets.flatMap(({ paths }) => paths.map((path) => ({ path, access, isFile: true }) as const))
    return refusal(reached) ?? closedBelow(tool, targets, { open, place })
  }
  if (tool === 'Bash') {
    // A command that cannot be parsed may reach anything.
    const paths = typeof input.command === 'string' ? pathsOf(input.command, place, isOpen) : []
    return paths ? refusal(paths) : fault(UNREADABLE)
  }
  if (!tool.startsWith('mcp__')) return null
  const access = readsByName(tool) ? 'read' : 'place'
  return refusal(pathMembers(input, place).map((path) => ({ path, access })))
}

const SHOWN = 200

const isOpenIn = ({ real, hidden }: OpenDirectory, path: string): boolean =>
  isWithin(path, real) && !isHidden(path, hidden)

/** A search reads the files of all folders below. */
function closedBelow(
  tool: string,
  targets: readonly Target[],
  { open, place }: { open: readonly OpenDirectory[]; place: RequestPlace },
): string | null {
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
