// What becomes of a contest: it is put on record and told of once, until somebody settles it.
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
  /** Reaches those who tell people; none: the log and the condition do. */
  call?: World['call'] | undefined
}

/** Puts a contest on record and notifies the user, unless one is on record already. */
export async function beginContest(
  owned: Owned,
  contest: Contest,
  { inventory, log, call }: ContestParts,
): Promise<void> {
  if (contestOf(owned)) return
  await inventory.put([{ ...owned, contested: contest }])
  const { kind, name } = owned
  log.warn({ kind, name, paths: contest.paths, actors: contest.actors }, 'contested: nothing is written any more')
  // Who writes drift records waits for nobody's notification.
  call?.(notifyOperations)
    .createNotification({ body: notice(owned, contest) })
    .catch((error: Error) => log.warn({ kind, name, error: error.message }, 'nobody was notified of a contest'))
}

/** Ends the contest of a resource, so that what is reverted from then on is counted from zero; returns its entry. */
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
