// Chains: the end of a dispatch that workflows follow on is on record for each of them in the transaction that ends it,
// until they have taken it on. So no crash comes between a dispatch's end and the next stage.
import type { Knex } from '../../../platform/database/database.ts'
import type { Reading } from './world.ts'
import type { DispatchRow } from './tables.ts'

/** How a dispatch ended: what a workflow decides by whether it follows. */
export type DispatchEnd = Pick<DispatchRow, 'id' | 'workflow_id' | 'status'>

/** Which ends a workflow follows on. */
export type Follows = (end: DispatchEnd) => boolean

export class Chains {
  readonly #followers = new Map<string, Follows>()

  /**
   * From now on the ends that `follows` says are noted for the workflow, whether its trigger runs or is just being
   * opened anew; undefined: none.
   */
  follow(workflowId: string, follows: Follows | undefined): void {
    if (follows) this.#followers.set(workflowId, follows)
    else this.#followers.delete(workflowId)
  }

  /** Call in the transaction that ends the dispatches. */
  async note({ tables }: Reading, transaction: Knex, ends: readonly DispatchEnd[]): Promise<void> {
    const noted = ends.flatMap((end) => {
      const followers = [...this.#followers].filter(([, follows]) => follows(end))
      return followers.map(([workflow_id]) => ({ workflow_id, dispatch_id: end.id }))
    })
    if (noted.length > 0) await tables.chainEnds.insertAll(noted, transaction)
  }
}

/** Ends that a workflow has yet to take on, in their order. */
export async function endsFor({ tables }: Reading, workflow_id: string): Promise<DispatchRow[]> {
  const noted = await tables.chainEnds.list({ where: { workflow_id } })
  const ends = await Promise.all(noted.map(({ dispatch_id }) => tables.dispatches.find(dispatch_id)))
  return ends.filter((end) => end !== null)
}

/** True once: the end is taken on, in the transaction that does. */
export async function takeEnd(
  { tables }: Reading,
  transaction: Knex,
  workflow_id: string,
  dispatch_id: string,
): Promise<boolean> {
  return (await tables.chainEnds.delete({ workflow_id, dispatch_id }, transaction)) > 0
}
