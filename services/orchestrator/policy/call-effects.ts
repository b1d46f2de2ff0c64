// The paths that a call reads or may change, for people who decide on it.
import type { CallEffects } from '../../../schemas/tools/approval.ts'
import type { Reached } from './desired-writes.ts'
import { isFileTool, targetsOf, writesFiles } from './file-targets.ts'
import { PathLookups, TooManyLookups } from './real-path.ts'
import { reachedBy } from './shell/reached-paths.ts'
import type { Place, RequestPlace } from './workplace.ts'

/** Null for other tools than file tools and commands, and if the call cannot be parsed. */
export function effectsOf(tool: string, input: Record<string, unknown>, place: Place): CallEffects | null {
  try {
    return effectsAt(tool, input, { ...place, lookups: new PathLookups() })
  } catch (error) {
    if (error instanceof TooManyLookups) return null
    throw error
  }
}

function effectsAt(tool: string, input: Record<string, unknown>, place: RequestPlace): CallEffects | null {
  if (isFileTool(tool)) {
    const paths = targetsOf(tool, input, place)?.flatMap((target) => target.paths)
    if (!paths) return null
    return writesFiles(tool)
      ? { reads: [], writes: paths, complete: true }
      : { reads: paths, writes: [], complete: true }
  }
  if (tool !== 'Bash' || typeof input.command !== 'string') return null
  const reach = reachedBy(input.command, place)
  if (!reach) return null
  const pathsOf = (holds: (reached: Reached) => boolean) => [
    ...new Set(reach.found.filter(holds).map(({ path }) => path)),
  ]
  const writes = pathsOf(({ access }) => access !== 'read')
  const reads = pathsOf(({ access, path }) => access === 'read' && !writes.includes(path))
  return { reads, writes, complete: reach.unclear === null }
}
