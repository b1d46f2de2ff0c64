// The directories that an agent's tools may reach: what lies outside is refused before any mode is asked.
import { isFileTool, targetsOf } from './file-targets.ts'
import { absolute, openDirectories, type RequestPlace } from './workplace.ts'
import { isWithin } from './real-path.ts'
import { pathsOf } from './shell/reached-paths.ts'

/** Why a call reaches outside; null when it does not, as far as that can be told. */
export function outside(tool: string, input: Record<string, unknown>, place: RequestPlace): string | null {
  const folders = openDirectories(place)
  if (folders.includes('/')) return null
  const isOpen = (path: string) => folders.some((folder) => isWithin(path, folder))
  if (isFileTool(tool)) {
    const targets = targetsOf(tool, input, place)
    if (!targets) return 'the files it would access cannot be determined before it runs'
    const paths = targets.flatMap((target) => target.paths)
    return firstOutside(paths, isOpen)
  }
  if (tool === 'Bash') return commandOutside(input.command, place, isOpen)
  return tool.startsWith('mcp__') ? firstOutside(pathMembers(input, place), isOpen) : null
}

/** A command that cannot be read may reach anything. */
function commandOutside(command: unknown, place: RequestPlace, isOpen: (path: string) => boolean): string | null {
  if (typeof command !== 'string') return null
  const paths = pathsOf(command, place, isOpen)
  return paths
    ? firstOutside(paths, isOpen)
    : 'the command cannot be parsed, so the paths it would access cannot be determined'
}

function firstOutside(paths: readonly string[], isOpen: (path: string) => boolean): string | null {
  const path = paths.find((each) => !isOpen(each))
  return path === undefined ? null : `${path.slice(0, 200)} is outside its working_dir and additional_dirs`
}

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
