import type { Actor } from '../../../platform/core/actor.ts'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import { conflict } from '../../../platform/core/problem.ts'
import { contestOf, type Owned } from '../../planning/ownership.ts'
import { idOf } from '../../reading/graph.ts'
import type { Dirty } from '../../watching/dirty-resources.ts'
import type { Wakes } from '../../watching/wake-queue.ts'
import type { Inventory } from '../inventory.ts'
import { settleContest } from './contest-records.ts'

interface Suspending {
  clock: Clock
  inventory: Inventory
  wakes: Wakes
  /** By kind/name. */
  changing: SerialQueues
}

/** Waits for a running step, so that nothing is written after the response. */
export async function suspendResource(owned: Owned, { actor }: Actor, parts: Suspending): Promise<Owned> {
  const { changing, inventory, clock, wakes } = parts
  const suspended = await changing.run(idOf(owned), async () => {
    const now = inventory.require(owned)
    if (now.suspended) return now
    const entry = { ...now, suspended: { actor, since: timestamp(clock) } }
    await inventory.put([entry])
    return entry
  })
  wakes.observeFirst(idOf(owned))
  return suspended
}

interface Resuming {
  inventory: Inventory
  dirty: Dirty
  wakes: Wakes
}

/** Ends suspension or contest; the rules then decide about drift. */
export async function resumeResource(owned: Owned, { inventory, dirty, wakes }: Resuming): Promise<Owned> {
  if (!owned.suspended && !contestOf(owned))
    throw conflict(`${idOf(owned)} is neither suspended nor contested: it already follows its manifest`)
  const settled = { ...(await settleContest(owned, inventory)), suspended: null }
  await inventory.put([settled])
  dirty.markMoved(idOf(owned))
  wakes.wakeSource(owned.source)
  wakes.observeFirst(idOf(owned))
  return settled
}
