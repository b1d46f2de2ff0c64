import { randomUUID } from 'node:crypto'
import { ownActor, type Actor } from '../../../platform/core/actor.ts'
import type { Catalog, Entry } from './catalog.ts'
import { BY_HAND, changedMembers } from './document-changes.ts'

export const byHand = (): Actor => ownActor(BY_HAND, randomUUID())

export class KnownDocuments {
  ids = new Set<string>()
  /** True after the first full scan; documents found later are new. */
  isWhole = false
  readonly #catalog: Catalog
  readonly #publishChange: (id: string) => void

  constructor(catalog: Catalog, publishChange: (id: string) => void) {
    this.#catalog = catalog
    this.#publishChange = publishChange
  }

  /** Audits nothing if `fields` is empty, as for a new file. */
  async keep(entry: Entry, fields: readonly string[], by: Actor): Promise<Entry> {
    const { id } = entry
    this.ids.add(id)
    await this.#catalog.put([entry], fields.length === 0 ? [] : [{ id, fields, by }])
    this.#publishChange(id)
    return entry
  }

  async forget(ids: readonly string[], by: Actor): Promise<void> {
    for (const id of ids) this.ids.delete(id)
    await this.#catalog.forget(ids, by)
    for (const id of ids) this.#publishChange(id)
  }

  /** `stamps` contains the known documents. */
  async keepFound(found: readonly Entry[], stamps: ReadonlyMap<string, string>): Promise<void> {
    for (const { id } of found) this.ids.add(id)
    if (found.length === 0) return
    const known = found.filter(({ id }) => stamps.has(id)).map(({ id }) => id)
    const rows = known.length === 0 ? [] : await this.#catalog.rows.list({ where: { id: known } })
    const before = new Map(rows.map((row) => [row.id, row]))
    const by = byHand()
    const written = found
      .map((entry) => ({ id: entry.id, fields: changedMembers(before.get(entry.id) ?? entry, entry), by }))
      .filter(({ fields }) => fields.length > 0)
    await this.#catalog.put(found, written)
    for (const { id } of found) if (stamps.has(id) || this.isWhole) this.#publishChange(id)
  }
}
