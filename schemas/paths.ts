// How a path in a manifest becomes an absolute one.
import { isAbsolute, resolve } from 'node:path'
import type { ManifestContext } from './kind.ts'

/**
 * `.` alone is the project, a leading `~` the home directory, anything else relative resolves
 * against the folder of the YAML file.
 */
export function resolvePath(path: string, context: Pick<ManifestContext, 'directory' | 'project' | 'home'>): string {
  if (path === '.') return context.project
  if (path === '~' || path.startsWith('~/')) return resolve(context.home, `.${path.slice(1)}`)
  return isAbsolute(path) ? resolve(path) : resolve(context.directory, path)
}
