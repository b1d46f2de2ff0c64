// The table of drift records, and the write that adds and closes records of a resource.
import * as Type from 'typebox'
import { timestamp, type Clock } from '../../platform/core/clock.ts'
import { write, type Knex } from '../../platform/database/database.ts'
import { table, type TableWorld } from '../../platform/store/table.ts'
import { Drift } from '../../schemas/resource.ts'
import type { Resolution } from './drift-resolution.ts'

export const driftTable = (world: TableWorld) =>
  table(world, 'controller_drift', Drift, {
    what: 'drift record',
    private: {
      id: Type.String(),
      /** Of the values that were found, secrets told apart; null for what is no member of a spec. */
      applied_digest: Type.Union([Type.String(), Type.Null()]),
      live_digest: Type.Union([Type.String(), Type.Null()]),
    },
    order: ['last_seen', 'id'],
  })

export type DriftRow = Drift & { id: string; applied_digest: string | null; live_digest: string | null }

/** What becomes of the open records of a resource. */
export interface Kept {
  resource: Pick<Drift, 'kind' | 'name'>
  fresh: readonly DriftRow[]
  ends: readonly [id: string, Resolution][]
}

/** False, and nothing is written, if the resource has left the inventory. */
export async function writeDrift(
  { db, clock }: { db: Knex; clock: Clock },
  drift: ReturnType<typeof driftTable>,
  { resource: { kind, name }, fresh, ends }: Kept,
): Promise<boolean> {
  return write(db, async (transaction) => {
    // Held until the end of the transaction: a resource that is removed meanwhile closes these records after it.
    const owned = await transaction('controller_inventory').where({ kind, name }).forShare().first('name')
    if (!owned) return false
    await drift.put(fresh, transaction)
    const last_seen = timestamp(clock)
    for (const [id, resolution] of ends) await drift.update(id, { resolution, last_seen }, transaction)
    return true
  })
}
