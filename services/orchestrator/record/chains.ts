// Ends of dispatches are recorded for each follower in the ending transaction, so that no crash loses a stage of a
// chain.
import type { Knex } from '../../../platform/database/database.ts'
import type { Reading } from './world.ts'
import type { DispatchRow } from './tables.ts'

export type DispatchEnd = Pick<DispatchRow, 'id' | 'workflow_id' | 'status'>

export type Follows = (end: DispatchEnd) => boolean

export class Chains {
  readonly #followers = new Map<string, Follows>()

  /** Selects the ends recorded for a workflow, even while its trigger is reopening. */
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

/** Oldest first. */
export async function endsFor({ tables }: Reading, workflow_id: string): Promise<DispatchRow[]> {
  const noted = await tables.chainEnds.list({ where: { workflow_id } })
  const ends = await Promise.all(noted.map(({ dispatch_id }) => tables.dispatches.find(dispatch_id)))
  return ends.filter((end) => end !== null)
}

/** Returns false if the end was already taken. */
export async function takeEnd(
  { tables }: Reading,
  transaction: Knex,
  workflow_id: string,
  dispatch_id: string,
): Promise<boolean> {
  return (await tables.chainEnds.delete({ workflow_id, dispatch_id }, transaction)) > 0
}
