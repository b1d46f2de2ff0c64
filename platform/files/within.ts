import { relative, sep } from 'node:path'

/** True if `path` is `folder` or below it. Does not resolve links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Folders of the data directory with one folder per agent or source. */
const FOR_AGENTS = ['worktrees', 'checkouts', 'sandbox']

/** True if agents may use `path`, which is inside the data directory `data`. */
export function isForAgents(path: string, data: string): boolean {
  const [folder = '', name] = relative(data, path).split(sep)
  return name !== undefined && FOR_AGENTS.includes(folder)
}
