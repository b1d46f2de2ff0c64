// Records intent before effect: the steps of a run with reserved ids, in one write. The next daemon finds unfinished
// ones.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import type { PlanStep } from '../../../schemas/plan.ts'
import type { Run, RunStep } from '../../../schemas/run.ts'
import type { Intent, OpenIntents } from '../../planning/intents.ts'
import { newEntry, entryAfter, type Owned } from '../../planning/ownership.ts'
import type { Preview } from '../../planning/preview.ts'
import { idOf } from '../../reading/graph.ts'
import type { Inventory } from '../inventory.ts'
import type { Runs } from './run-records.ts'
import type { Knex } from '../../../platform/database/database.ts'
import type { Vault } from '../../../platform/secrets/vault.ts'
import type { TableWorld } from '../../../platform/store/table.ts'
import type { LiveSystem } from '../../watching/live-system.ts'

const AT_ONCE = 50

export class Intents implements OpenIntents {
  readonly #vault: Vault
  readonly #inventory: Inventory
  readonly #open = new Map<string, Intent>()

  private constructor(vault: Vault, inventory: Inventory) {
    this.#vault = vault
    this.#inventory = inventory
  }

  static async load({ db, vault }: TableWorld, inventory: Inventory): Promise<Intents> {
    const intents = new Intents(vault, inventory)
    for (const { kind, name, action, paths, entry } of await db('controller_intents').select()) {
      const known = entry === null ? inventory.get(kind, name) : vault.parse(entry)
      if (known) intents.#open.set(`${kind}/${name}`, { action, paths: JSON.parse(paths), entry: known })
    }
    return intents
  }

  get(kind: string, name: string): Intent | undefined {
    return this.#open.size === 0 ? undefined : this.#open.get(`${kind}/${name}`)
  }

  all(): Iterable<Intent> {
    return this.#open.values()
  }

  ofSource(source: string): Intent[] {
    return [...this.#open.values()].filter(({ entry }) => entry.source === source)
  }

  /** Call in the transaction that records the steps and the `reserved` entries. */
  async begin(transaction: Knex.Transaction, intents: readonly Intent[], reserved: readonly Owned[]): Promise<void> {
    const made = new Map(reserved.map((entry) => [idOf(entry), entry]))
    for (let at = 0; at < intents.length; at += AT_ONCE) {
      const rows = intents.slice(at, at + AT_ONCE).map(({ action, paths, entry }) => {
        const { kind, name } = entry
        return { kind, name, action, paths: JSON.stringify(paths), entry: this.#kept(entry, made.get(idOf(entry))) }
      })
      await transaction('controller_intents').insert(rows).onConflict(['kind', 'name']).merge()
      await turnOfTheLoop()
    }
    for (const intent of intents) this.#open.set(idOf(intent.entry), intent)
  }

  /** Call in the transaction that records the end of the steps; call `forget` after the commit. */
  async close(transaction: Knex.Transaction, entries: readonly { kind: string; name: string }[]): Promise<void> {
    for (const { kind, name } of entries) await transaction('controller_intents').where({ kind, name }).delete()
  }

  /** Call after the commit of `close`. */
  forget(entries: readonly { kind: string; name: string }[]): void {
    for (const entry of entries) this.#open.delete(idOf(entry))
  }

  /** Null if the inventory has the same spec, as usual. */
  #kept(entry: Owned, owned = this.#inventory.get(entry.kind, entry.name)): string | null {
    const { conditions: _, ...kept } = entry
    return owned && owned.desired === entry.desired ? null : this.#vault.stringify({ ...kept, conditions: [] })
  }
}

interface IntentParts {
  live: LiveSystem
  inventory: Inventory
  intents: Intents
  runs: Runs
  /** By kind/name: no id is reserved while another source creates the resource. */
  changing: SerialQueues
}

/** Sets `run.steps`, each `intended`. */
export async function recordIntent(run: Run, preview: Preview, parts: IntentParts): Promise<void> {
  const { plan } = preview
  const { inventory, intents, runs, changing } = parts
  run.revision = plan.revision
  run.summary = plan.summary
  const made = plan.steps.filter(({ action }) => action === 'create').map(idOf)
  await changing.runAll(made, async () => {
    const { reserved, begins } = reserve(run, preview, parts)
    await inventory.put(reserved, async (transaction) => {
      await intents.begin(transaction, begins, reserved)
      await runs.intend(transaction, run)
    })
  })
}

function reserve(run: Run, preview: Preview, parts: IntentParts) {
  const { plan, desired } = preview
  const { inventory } = parts
  const [reserved, begins]: [Owned[], Intent[]] = [[], []]
  run.steps = plan.steps.map((step) => {
    const owned = inventory.get(step.kind, step.name)
    const liveId = idFor(step, preview, parts)
    const resource = desired.get(idOf(step))
    if (owned && owned.source !== plan.source) return intendedStep(step, liveId)
    if (step.action === 'create' && !owned?.liveId)
      reserved.push({ ...newEntry(resource!, plan.source, plan.revision), liveId })
    const entry = step.action === 'delete' ? owned : { ...entryAfter(resource!, plan, owned), liveId }
    if (entry) begins.push({ action: step.action, paths: step.changes.map(({ path }) => path), entry })
    return intendedStep(step, liveId)
  })
  return { reserved, begins }
}

function idFor(step: PlanStep, preview: Preview, { live, inventory }: IntentParts): string | null {
  const known = preview.live.get(idOf(step))?.liveId ?? inventory.get(step.kind, step.name)?.liveId
  if (known || step.action !== 'create') return known ?? null
  return live.reconcilerOf(step.kind).definition.namedById ? step.name : randomUUID()
}

function intendedStep({ kind, name, action }: PlanStep, liveId: string | null): RunStep {
  return { kind, name, action, status: 'intended', live_id: liveId, error: null, started_at: null, ended_at: null }
}
