// Requested changes that had to wait. A later pass makes them, whatever the rules say.
import type { Run } from '../../../schemas/run.ts'
import type { Owned } from '../../planning/ownership.ts'
import { confirmedFor, heldIds } from '../../planning/policies/policy-hold.ts'
import type { AskedFor, PassOptions, Preview } from '../../planning/preview.ts'
import { idOf } from '../../reading/graph.ts'
import type { Inventory } from '../inventory.ts'

export const CONTROLLER = 'controller'

export class OwedChanges {
  readonly #inventory: Inventory
  /** As kind/name; also stored in the inventory. */
  readonly #owed: Set<string>
  /** Not stored: after a restart, a confirmation is required again. */
  readonly #askedFor = new Map<string, AskedFor>()

  constructor(inventory: Inventory) {
    this.#inventory = inventory
    this.#owed = new Set([...inventory.all()].filter(({ owed }) => owed).map(idOf))
  }

  get options(): Required<Pick<PassOptions, 'owed' | 'askedFor'>> {
    return { owed: this.#owed, askedFor: this.#askedFor }
  }

  /** Clears changes that the plan no longer contains, except those held by policies. */
  async settle({ plan: { source, steps, held }, unknown, waiting, only }: Preview): Promise<void> {
    const open = new Set([...[...steps, ...unknown].map(idOf), ...waiting, ...heldIds(held)])
    const settled = [...this.#owed].filter((id) => {
      const owned = this.#inventory.find(id)
      if (owned?.suspended) return false
      return !open.has(id) && (!owned || (owned.source === source && (!only || only.has(id))))
    })
    await this.#owe(settled.map((id) => [id, null]))
  }

  /** Records the steps of a requested run that had to wait. */
  async record({ actor, steps }: Run, { desired, plan, policies, exactly }: Preview): Promise<void> {
    if (exactly) return
    const owed = steps.flatMap((step): [string, Owned['owed']][] => {
      const waits = step.status === 'deferred' || step.status === 'blocked'
      if (!waits) return this.#owed.has(idOf(step)) ? [[idOf(step), null]] : []
      if (actor === CONTROLLER) return []
      const spec = step.action === 'delete' ? null : (desired.get(idOf(step))?.spec as object | undefined)
      const confirmed = confirmedFor(idOf(step), plan, policies)
      if (spec !== undefined) this.#askedFor.set(idOf(step), { spec, confirmed })
      return [[idOf(step), step.action === 'delete' ? 'delete' : 'change']]
    })
    await this.#owe(owed)
  }

  async #owe(owed: readonly [id: string, what: Owned['owed']][]): Promise<void> {
    const entries = owed.flatMap(([id, what]) => {
      const owned = this.#inventory.find(id)
      return owned && (owned.owed ?? null) !== what ? [{ ...owned, owed: what }] : []
    })
    if (entries.length > 0) await this.#inventory.put(entries)
    for (const [id, what] of owed)
      if (what && this.#inventory.find(id)) this.#owed.add(id)
      else {
        this.#owed.delete(id)
        this.#askedFor.delete(id)
      }
  }
}
