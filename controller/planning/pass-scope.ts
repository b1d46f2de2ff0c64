import type { SourceSync } from '../../schemas/source.ts'
import type { DesiredResource, DesiredState } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import type { Owned, OwnedResources } from './ownership.ts'

/** Resources in `only` (kind/name). Avoids an id string for each of thousands of resources. */
export function namedBy(only: ReadonlySet<string>, resources: readonly DesiredResource[]): readonly DesiredResource[] {
  if (only.size === 0) return []
  const names = new Set([...only].map((id) => id.slice(id.indexOf('/') + 1)))
  return resources.filter((resource) => names.has(resource.name) && only.has(idOf(resource)))
}

export function ownedOf(only: ReadonlySet<string>, source: string, inventory: OwnedResources): Owned[] {
  return [...only].flatMap((id) => inventory.find(id) ?? []).filter((owned) => owned.source === source)
}

/** Number of resources under automatic rules that are assumed unchanged. */
export function passedOver(
  only: ReadonlySet<string>,
  { resources }: DesiredState,
  changes: (own: SourceSync | undefined) => boolean,
): number {
  const looked = new Set(namedBy(only, resources))
  return resources.filter((resource) => !looked.has(resource) && changes(resource.sync)).length
}
