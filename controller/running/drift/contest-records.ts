import type { Log } from '../../../platform/core/log/log.ts'
import type { World } from '../../../platform/service/world.ts'
import { notifyOperations } from '../../../schemas/operations/notify.ts'
import { contestOf, type Contest, type Owned } from '../../planning/ownership.ts'
import { idOf } from '../../reading/graph.ts'
import { contestText } from '../../watching/contest-detection.ts'
import type { Inventory } from '../inventory.ts'

export interface ContestParts {
  log: Log
  inventory: Inventory
  /** Without it, nothing is notified: contests are only logged and shown as a condition. */
  call?: World['call'] | undefined
}

/** Notifies the user unless a contest is on record. */
export async function beginContest(
  owned: Owned,
  contest: Contest,
  { inventory, log, call }: ContestParts,
): Promise<void> {
  if (contestOf(owned)) return
  await inventory.put([{ ...owned, contested: contest }])
  const { kind, name } = owned
  log.warn({ kind, name, paths: contest.paths, actors: contest.actors }, 'resource contested; it is no longer written')
  // Drift recording must not wait for notifications.
  call?.(notifyOperations)
    .createNotification({ body: notice(owned, contest) })
    .catch((error: Error) => log.warn({ kind, name, error: error.message }, 'failed to notify the user of a contest'))
}

/** Returns the updated entry. Later heals are counted from zero. */
export async function settleContest(owned: Owned, inventory: Inventory): Promise<Owned> {
  const contest = contestOf(owned)
  if (!contest) return owned
  const settled = { ...owned, contested: { ...contest, isOver: true } }
  await inventory.put([settled])
  return settled
}

function notice(owned: Owned, contest: Contest) {
  return {
    source: 'System' as const,
    lifetime: 'Persistent' as const,
    priority: 'High' as const,
    title: `Contested: ${idOf(owned)}`,
    message: `${contestText(contest)} (${owned.file}:${owned.line} of source ${owned.source})`,
    requires_response: false,
  }
}
