// What somebody asked for and could not be done at once, because a resource was busy or blocked. It is done by a later
// pass, whatever the rules of its source say.
import type { Run } from '../../../schemas/run.ts'
import type { Owned } from '../../planning/ownership.ts'
import { confirmedFor, heldIds } from '../../planning/policies/policy-hold.ts'
import type { AskedFor, PassOptions, Preview } from '../../planning/preview.ts'
import { idOf } from '../../reading/graph.ts'
import type { Inventory } from '../inventory.ts'

/** The actor of a pass that nobody asked for. */
export const CONTROLLER = 'controller'

export class OwedChanges {
  readonly #inventory: Inventory
  /** By kind/name; on record as well. */
  readonly #owed: Set<string>
  /** Of these, what was asked for. After a restart what needs a confirmation needs it again. */
  readonly #askedFor = new Map<string, AskedFor>()

  constructor(inventory: Inventory) {
    this.#inventory = inventory
    this.#owed = new Set([...inventory.all()].filter(({ owed }) => owed).map(idOf))
  }

  get options(): Required<Pick<PassOptions, 'owed' | 'askedFor'>> {
    return { owed: this.#owed, askedFor: this.#askedFor }
  }

  /** What a plan has no step for is no longer owed; what policies hold back is. */
  async settle({ plan: { source, steps, held }, unknown, waiting, only }: Preview): Promise<void> {
    const open = new Set([...[...steps, ...unknown].map(idOf), ...waiting, ...heldIds(held)])
    const settled = [...this.#owed].filter((id) => {
      const owned = this.#inventory.find(id)
      if (owned?.suspended) return false
      return !open.has(id) && (!owned || (owned.source === source && (!only || only.has(id))))
    })
    await this.#owe(settled.map((id) => [id, null]))
  }

  /** Records which steps of a run that somebody asked for had to wait. */
  async record({ actor, steps }: Run, { desired, plan, policies }: Preview): Promise<void> {
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
