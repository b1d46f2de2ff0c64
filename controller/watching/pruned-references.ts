// What referred to a resource that has been pruned shows its id in the place of its name: nobody moved it.
import type { Owned } from '../planning/ownership.ts'
import { isController, type Lookup, type Reconciler, type Writer } from '../reconciler.ts'
import type { Found } from './drift-resolution.ts'

interface Seeing {
  reconciler: Reconciler
  lookup: Lookup
  writer(path: string): Promise<Writer | null>
}

/** What was found without that: a member that the controller wrote last, whose name of that time is owned no more. */
export async function withoutPruned(owned: Owned, found: readonly Found[], seeing: Seeing): Promise<readonly Found[]> {
  const { reconciler, lookup, writer } = seeing
  if (found.length === 0 || owned.applied === null) return found
  const pruned = (reconciler.refersTo?.(owned.applied) ?? []).filter(({ kind, name }) => !lookup.liveId(kind, name))
  const moved: Found[] = []
  for (const each of found) {
    const hand = pruned.some(({ path }) => path === each.path) ? await writer(each.path) : null
    if (!hand || !isController(hand)) moved.push(each)
  }
  return moved
}
