// Open intents: what runs were about to do and have not closed, kept in memory and written through, so that the next
// daemon can tell what was its own.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { Knex } from '../../../platform/database/database.ts'
import type { TableWorld } from '../../../platform/store/table.ts'
import type { Vault } from '../../../platform/secrets/vault.ts'
import type { Intent, OpenIntents } from '../../planning/intents.ts'
import type { Owned } from '../../planning/ownership.ts'
import { idOf } from '../../reading/graph.ts'
import type { Inventory } from '../inventory/inventory.ts'

/** Rows that are written without letting anything else run. */
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

  /**
   * Adds or replaces, in the transaction that records the steps and `reserved`, the entries of what will be made; they
   * are open in memory at once.
   */
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

  /** Forgets what was done, or was not, in the transaction that puts that on record; `closed` when it has. */
  async close(transaction: Knex.Transaction, entries: readonly { kind: string; name: string }[]): Promise<void> {
    for (const { kind, name } of entries) await transaction('controller_intents').where({ kind, name }).delete()
  }

  /** Call when the transaction of `close` is committed. */
  closed(entries: readonly { kind: string; name: string }[]): void {
    for (const entry of entries) this.#open.delete(idOf(entry))
  }

  /** Null where the inventory holds the same: most of the time what is intended was seen as desired before. */
  #kept(entry: Owned, owned = this.#inventory.get(entry.kind, entry.name)): string | null {
    const { conditions: _, ...kept } = entry
    return owned && owned.desired === entry.desired ? null : this.#vault.stringify({ ...kept, conditions: [] })
  }
}
