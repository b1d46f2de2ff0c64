// Where a member of a resource stands in its manifest.
import type { Owned } from '../../planning/ownership.ts'
import type { DesiredResource, Position } from '../../reading/desired.ts'
import type { SourceState } from '../sources/source-state.ts'

/** What was last read of it; undefined where nothing was since the daemon began, or it is declared no more. */
export function readOf({ kind, name }: Pick<Owned, 'kind' | 'name'>, source: SourceState): DesiredResource | undefined {
  return source.read?.resources.find((resource) => resource.kind === kind && resource.name === name)
}

/** `file:line:column` of a member (dotted; `''`: of its name), or of the nearest that stands there. */
export function placeOf(owned: Owned, path: string, source: SourceState): string {
  const resource = readOf(owned, source)
  const { file } = resource ?? owned
  const { line, column }: Position = resource && path !== '' ? resource.position(path) : (resource ?? owned)
  return `${file}:${line}:${column}`
}
