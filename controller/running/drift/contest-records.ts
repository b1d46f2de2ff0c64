// What becomes of a contest: it is put on record and told of once, until somebody settles it.
import type { Log } from '../../../platform/core/log/log.ts'
import type { World } from '../../../platform/service/world.ts'
import { notifyOperations } from '../../../schemas/operations/notify.ts'
import { contestOf, type Contest, type Owned } from '../../planning/ownership.ts'
import { idOf } from '../../reading/graph.ts'
import { contestText } from '../../watching/contest-detection.ts'
import type { Inventory } from '../inventory.ts'

interface Parts {
  log: Log
  inventory: Inventory
  /** Reaches those who tell people; none: the log and the condition do. */
  call?: World['call'] | undefined
}

export class Contests {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async begin(owned: Owned, contest: Contest): Promise<void> {
    const { inventory, log, call } = this.#parts
    if (contestOf(owned)) return
    await inventory.put([{ ...owned, contested: contest }])
    const { kind, name } = owned
    log.warn({ kind, name, paths: contest.paths, actors: contest.actors }, 'contested: nothing is written any more')
    // Who writes drift records waits for nobody's notification.
    call?.(notifyOperations)
      .createNotification({ body: notice(owned, contest) })
      .catch((error: Error) => log.warn({ kind, name, error: error.message }, 'nobody was notified of a contest'))
  }

  /** What is put back from here on counts anew. The entry as it is then. */
  async settle(owned: Owned): Promise<Owned> {
    const contest = contestOf(owned)
    if (!contest) return owned
    const settled = { ...owned, contested: { ...contest, isOver: true } }
    await this.#parts.inventory.put([settled])
    return settled
  }
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
