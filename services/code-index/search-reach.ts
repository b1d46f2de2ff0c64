// The directories that a caller may search without an index.
import { realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Actor } from '../../platform/core/actor.ts'
import { unprocessable } from '../../platform/core/problem.ts'
import { pathClosed, type ClosedSet } from '../../platform/files/closed-set.ts'
import { isWithin } from '../../platform/files/within.ts'
import type { OpenTree } from '../../platform/files/open-file.ts'

/** Returns the directories, with links resolved, that the tools of an agent may use; null if the agent is unknown. */
export type DirectoriesOf = (agentId: string) => Promise<readonly string[] | null>

export interface SearchReach {
  closed: ClosedSet
  /** Base of relative paths. */
  working: string
  /** With links resolved. */
  roots: readonly string[]
  /** Folders of the data directory that the caller may use; undefined: those of every agent. */
  own: readonly string[] | undefined
  refusal(path: string): Error
}

interface Parts {
  closed: ClosedSet
  working: string
  /** The working directory was chosen by a setting, and not by the place where the daemon was started. */
  isChosen: boolean
  repositories: readonly { root: string }[]
  directoriesOf: DirectoriesOf
}

/** Directories of an agent as caller; none if it is unidentified. Undefined for others. */
export async function ownDirectories(
  { agent, actor }: Actor,
  directoriesOf: DirectoriesOf,
): Promise<readonly string[] | undefined> {
  if (agent === undefined) return actor.startsWith('agent:') ? [] : undefined
  return (await directoriesOf(agent)) ?? []
}

/** Agents reach their own directories, viewers registered repositories, and others also the working directory. */
export async function reachOf(by: Actor, parts: Parts): Promise<SearchReach> {
  const { closed, working, isChosen, directoriesOf } = parts
  const repositories = parts.repositories.map(({ root }) => root)
  const refused = (path: string, reason: string) => pathClosed(`path ${JSON.stringify(path)} ${reason}`)
  const own = await ownDirectories(by, directoriesOf)
  const common = { closed, working, own }
  if (own !== undefined) {
    const reason =
      own.length > 0
        ? `is outside the directories of ${by.actor} (${own.join(', ')}): add it to additional_dirs of the agent`
        : `is not open to ${by.actor}: this process knows no directory of it, so serve the index and the orchestrator in one process ("svc serve"), or search from outside the session`
    return { ...common, roots: own, refusal: (path) => refused(path, reason) }
  }
  if (by.role === 'viewer') {
    const reason = `is in no registered repository, and ${by.actor} is viewer: register the directory, or use a token with the role operator`
    return { ...common, roots: repositories, refusal: (path) => refused(path, reason) }
  }
  const real = await realpath(working).catch(() => working)
  if (!isChosen && closed.holdsHome(real)) {
    const reason = `is in no registered repository, and the daemon was started in ${real}, which holds a home directory: set SVC_INDEX_WORKING_DIR to the directory to search`
    return { ...common, roots: repositories, refusal: (path) => refused(path, reason) }
  }
  const reason = `is outside the allowed directories: use one in ${working} or in a registered repository`
  const refusal = (path: string) => unprocessable(`path ${JSON.stringify(path)} ${reason}`)
  return { ...common, roots: [real, ...repositories], refusal }
}

/** Throws 422, and does not reveal whether a directory outside the roots exists. */
export async function openDirectory(path: string, reach: SearchReach): Promise<OpenTree> {
  const { closed, working, roots, own } = reach
  const missing = () => unprocessable(`path ${JSON.stringify(path)} is not a directory: use one within a repository`)
  if (path.includes('\0')) throw missing()
  const root = await realPathOf(resolve(working, path))
  if (!roots.some((each) => isWithin(root, each))) throw reach.refusal(path)
  closed.refuse('path', path, { real: root, own })
  if (!(await stat(root).catch(() => null))?.isDirectory()) throw missing()
  return { root, hidden: closed.hiddenIn(root) }
}

/** Resolves links of the part that exists. */
async function realPathOf(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => null)
    if (real !== null) return join(real, relative(at, path))
    if (at === dirname(at)) return path
  }
}
