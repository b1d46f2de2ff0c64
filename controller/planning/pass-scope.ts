// What a pass that does not look at everything looks at, out of all that is desired and owned. Pure.
import type { SourceSync } from '../../schemas/source.ts'
import type { DesiredResource, DesiredState } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import type { Owned, OwnedResources } from './ownership.ts'

/** Those of `resources` that `only` names, as kind/name; of thousands, without a text for each. */
export function namedBy(only: ReadonlySet<string>, resources: readonly DesiredResource[]): readonly DesiredResource[] {
  if (only.size === 0) return []
  const names = new Set([...only].map((id) => id.slice(id.indexOf('/') + 1)))
  return resources.filter((resource) => names.has(resource.name) && only.has(idOf(resource)))
}

/** What of the inventory is of the source and named by `only`. */
export function ownedOf(only: ReadonlySet<string>, source: string, inventory: OwnedResources): Owned[] {
  return [...only].flatMap((id) => inventory.find(id) ?? []).filter((owned) => owned.source === source)
}

/** How many resources that rules let change by themselves are as they were found before, and not looked at. */
export function passedOver(
  only: ReadonlySet<string>,
  { resources }: DesiredState,
  changes: (own: SourceSync | undefined) => boolean,
): number {
  const looked = new Set(namedBy(only, resources))
  return resources.filter((resource) => !looked.has(resource) && changes(resource.sync)).length
}
