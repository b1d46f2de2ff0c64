import * as Type from 'typebox'
import { MASK } from '../../schemas/secret.ts'
import { inBatches } from '../async/batches.ts'
import { write, type Knex } from '../database/database.ts'
import { notFound } from '../core/problem.ts'
import { mapSecrets, type Vault } from '../secrets/vault.ts'
import { claim } from './claim.ts'
import { Columns } from './columns.ts'
import { columnSlice } from './keyset.ts'
import {
  countOf,
  inParts,
  page,
  toOrder,
  type Listed,
  type Order,
  type Page,
  type PageLimits,
  type Part,
} from './page.ts'
import type { ClaimOptions, ListOptions, NewRow, RowOf, RowPatch, TableOptions, Where, Which } from './rows.ts'

export interface TableWorld {
  db: Knex
  vault: Vault
}

export type RowIn<T> = T extends Table<infer Row, any, any> ? Row : never

/** Creates a typed table from `schema`. Objects and lists are stored as JSON text, booleans as 0 and 1 on SQLite. */
export function table<
  S extends Type.TObject,
  Hidden extends Type.TProperties = {},
  Computed extends keyof Type.Static<S> = never,
  Given extends keyof RowOf<S, Hidden, Computed> = never,
>(
  world: TableWorld,
  name: string,
  schema: S,
  options: TableOptions<S, Hidden, Computed, Given>,
): Table<RowOf<S, Hidden, Computed>, Omit<Type.Static<S>, Computed>, Given> {
  const { computed = [], private: hidden = {} } = options
  const stored = Object.entries(schema.properties).filter(
    ([member]) => !(computed as readonly string[]).includes(member),
  )
  const row = Type.Object({ ...Object.fromEntries(stored.map(([member, node]) => [member, node])), ...hidden })
  const names = (options.columns ?? {}) as Record<string, string>
  const columns = new Columns(name, row, world.vault, { sealed: options.sealed, names })
  return new Table(world.db, columns, { ...options, name, record: stored.map(([member]) => member) })
}

interface Layout {
  name: string
  what: string
  key?: readonly string[]
  record: readonly string[]
  defaults?: object
  versioned?: boolean
  order?: readonly Order[]
}

const READ_AT_ONCE = 32
/** SQLite limits the values of a statement. */
const INSERTED_AT_ONCE = 50

/** Methods accept an optional transaction; without one, each write runs in its own. */
export class Table<Row extends object, Shown, Given extends keyof Row> {
  readonly name: string
  readonly #db: Knex
  readonly #columns: Columns
  readonly #what: string
  readonly #key: readonly string[]
  readonly #record: ReadonlySet<string>
  readonly #defaults: object
  readonly #versioned: boolean
  readonly #order: readonly Order[]
  readonly #foundBy = inBatches(READ_AT_ONCE, (keys: readonly string[]) => this.#allBy(keys))

  constructor(db: Knex, columns: Columns, layout: Layout) {
    this.name = layout.name
    this.#db = db
    this.#columns = columns
    this.#what = layout.what
    this.#key = (layout.key ?? ['id']).map((member) => columns.nameOf(member))
    this.#record = new Set(layout.record)
    this.#defaults = layout.defaults ?? {}
    this.#versioned = layout.versioned ?? false
    this.#order = layout.order ?? ['seq']
  }

  async insert(row: NewRow<Row, Given>, on?: Knex): Promise<Row> {
    return (await this.insertAll([row], on))[0]!
  }

  /** Inserts all or none. */
  async insertAll(rows: readonly NewRow<Row, Given>[], on?: Knex): Promise<Row[]> {
    return (await this.#insert(rows, on, false)).map((columns) => this.fromColumns(columns))
  }

  async put(rows: readonly NewRow<Row, Given>[], on?: Knex): Promise<void> {
    await this.#insert(rows, on, true)
  }

  /** Locks the row if in a transaction. Throws a 404 that names it. */
  async get(which: Which<Row>, on?: Knex): Promise<Row> {
    const row = await this.find(which, on)
    if (!row) throw notFound(this.#what, typeof which === 'object' ? Object.values(which).join('/') : String(which))
    return row
  }

  /**
   * Returns a matching row (the first in `order`) or null, locked if in a transaction. Outside a transaction, batches
   * concurrent lookups by key.
   */
  async find(
    which: Which<Row>,
    on: Knex = this.#db,
    { order }: Pick<ListOptions<Row>, 'order'> = {},
  ): Promise<Row | null> {
    if (typeof which === 'string' && this.#key.length === 1 && on === this.#db) return this.#foundBy(which)
    const query = this.#matching(which, on).first(this.#names())
    if (order) void query.orderBy(order.map(toOrder))
    const row = await (on.isTransaction ? query.forUpdate() : query)
    return row ? this.fromColumns(row) : null
  }

  async #allBy(keys: readonly string[]): Promise<(Row | null)[]> {
    const key = this.#key[0]!
    const rows: Record<string, any>[] = await this.#db(this.name).whereIn(key, keys).select(this.#names())
    const byKey = new Map(rows.map((row) => [String(row[key]), row]))
    return keys.map((each) => (byKey.has(each) ? this.fromColumns(byKey.get(each)!) : null))
  }

  async list({ where, order = this.#order, hold }: ListOptions<Row> = {}, on: Knex = this.#db): Promise<Row[]> {
    const query = this.#filtered(where, on).orderBy(order.map(toOrder)).select(this.#names())
    const rows = await (hold ? query.forUpdate() : query)
    return rows.map((row: object) => this.fromColumns(row))
  }

  /** Returns a page and the total; all rows without limits. The last column of the order must identify the row. */
  async page(options: ListOptions<Row> & Partial<PageLimits>, on?: Knex): Promise<Page<Row>> {
    return this.#page(options, on, (row) => row)
  }

  /** Records, unless `shown` is given. For cursors, columns of the order are not null and have one direction. */
  async listed<P extends Part, T = Shown>(
    { where, order = this.#order }: ListOptions<Row>,
    part: P,
    shown: (row: Row) => T = (row) => this.record(row) as unknown as T,
  ): Promise<Listed<T, P>> {
    const asked: Part = part
    if (!('side' in asked)) return (await this.#page({ where, order, ...asked }, this.#db, shown)) as never
    const query = this.#filtered(where, this.#db).select(this.#names())
    const decode = (row: object) => shown(this.fromColumns(row))
    const slice = await columnSlice(query, this.#columns.rowOrder(order), { asked, decode })
    return slice as unknown as Listed<T, P>
  }

  async #page<T>(
    { where, order = this.#order, limit, offset = 0 }: ListOptions<Row> & Partial<PageLimits>,
    on = this.#db,
    shown: (row: Row) => T,
  ): Promise<Page<T>> {
    const decoded = (rows: object[]) => rows.map((row) => shown(this.fromColumns(row)))
    const query = this.#filtered(where, on).select(this.#names())
    if (limit !== undefined) {
      const { items, total } = await page(query, { order, limit, offset })
      return { items: decoded(items), total }
    }
    const items: T[] = []
    for await (const rows of inParts(query, order)) items.push(...decoded(rows))
    return { items: items.slice(offset), total: items.length }
  }

  async count(where?: Where<Row>, on: Knex = this.#db): Promise<number> {
    return countOf(this.#filtered(where, on))
  }

  /** Returns the number of updated rows. Undefined fields stay unchanged. */
  async update(which: Which<Row>, patch: RowPatch<Row>, on?: Knex): Promise<number> {
    const columns = this.#columns.encode(patch)
    if (Object.keys(columns).length === 0) return 0
    return this.#write(on, (transaction) => this.#changing(which, columns, transaction))
  }

  /** Returns the updated row, or null if none matches. `patch` must not be empty. */
  async change(which: Which<Row>, patch: RowPatch<Row>, on?: Knex): Promise<Row | null> {
    const columns = this.#columns.encode(patch)
    const rows: object[] = await this.#write(on, (transaction) =>
      this.#changing(which, columns, transaction).returning(this.#names()),
    )
    return rows[0] ? this.fromColumns(rows[0]) : null
  }

  /** Updates rows by key, if they match `also`. Returns them in any order. */
  async changeEach(patches: ReadonlyMap<string, RowPatch<Row>>, also: Where<Row>, on?: Knex): Promise<Row[]> {
    const changed: object[] = []
    await this.#write(on, async (transaction) => {
      for (const [id, patch] of patches) {
        const columns = { ...this.#columns.encode(patch), ...this.#nextVersion(transaction) }
        const row = this.#filtered(also, transaction).where({ [this.#key[0]!]: id })
        changed.push(...(await row.update(columns).returning(this.#names())))
      }
    })
    return changed.map((row) => this.fromColumns(row))
  }

  #changing(which: Which<Row>, columns: object, on: Knex): Knex.QueryBuilder {
    return this.#matching(which, on).update({ ...columns, ...this.#nextVersion(on) })
  }

  async delete(which: Which<Row>, on?: Knex): Promise<number> {
    return this.#write(on, (transaction) => this.#matching(which, transaction).delete())
  }

  async claim({ where, order = this.#order, set, each, most }: ClaimOptions<Row>, on = this.#db): Promise<Row[]> {
    const rows = await claim(on, {
      table: this.name,
      key: this.#key[0],
      where: (query) => void this.#narrow(query, where, false),
      order,
      set: this.#columns.encode(set),
      each: each && this.#columns.encodeLists(each),
      most,
    })
    return rows.map((row) => this.fromColumns(row))
  }

  /** Returns the API record of a row, with Secrets masked. */
  record(row: Row): Shown {
    const shown = Object.entries(row).filter(([member]) => this.#record.has(member))
    return mapSecrets(Object.fromEntries(shown), () => MASK) as Shown
  }

  fromColumns(columns: Record<string, any>): Row {
    return this.#columns.decode(columns) as Row
  }

  #encodeNew(row: object): Record<string, any> {
    const given = Object.entries(row).filter(([, value]) => value !== undefined)
    return this.#columns.encodeRow({ ...this.#defaults, ...Object.fromEntries(given) })
  }

  async #insert(rows: readonly object[], on: Knex | undefined, merge: boolean): Promise<Record<string, any>[]> {
    const encoded = rows.map((row) => this.#encodeNew(row))
    await this.#write(on, async (transaction) => {
      for (let at = 0; at < encoded.length; at += INSERTED_AT_ONCE) {
        const columns = encoded.slice(at, at + INSERTED_AT_ONCE)
        const insert = transaction(this.name).insert(columns)
        await (merge ? insert.onConflict([...this.#key]).merge(this.#replacement(transaction, columns[0]!)) : insert)
      }
    })
    return encoded
  }

  #replacement(transaction: Knex, columns: object): Record<string, Knex.Raw> {
    const given = Object.keys(columns).map((column) => [column, transaction.raw('excluded.??', [column])] as const)
    return { ...Object.fromEntries(given), ...this.#nextVersion(transaction) }
  }

  #nextVersion(transaction: Knex): Record<string, Knex.Raw> {
    return this.#versioned ? { version: transaction.raw('??.version + 1', [this.name]) } : {}
  }

  #write<T>(on: Knex | undefined, work: (transaction: Knex) => Promise<T>): Promise<T> {
    return on ? work(on) : write(this.#db, work)
  }

  #names(): string[] {
    return this.#columns.names().map((column) => `${this.name}.${column}`)
  }

  #matching(which: Which<Row>, on: Knex): Knex.QueryBuilder {
    if (typeof which === 'string' || typeof which === 'number') return on(this.name).where({ [this.#key[0]!]: which })
    return this.#narrow(on(this.name), which, false)
  }

  #filtered(where: Where<Row> | undefined, on: Knex): Knex.QueryBuilder {
    return where ? this.#narrow(on(this.name), where, true) : on(this.name)
  }

  /** An undefined condition would widen a write to the whole table; only lists may omit it. */
  #narrow(query: Knex.QueryBuilder, where: Where<Row>, lenient: boolean): Knex.QueryBuilder {
    if (typeof where === 'function') return query.where(where)
    const conditions = Object.entries(where)
    const missing = conditions.find(([, value]) => value === undefined)
    if (!lenient && (missing || conditions.length === 0))
      throw new Error(
        `${this.name}: ${missing ? `the condition on ${missing[0]}` : 'the condition'} is undefined: pass a value`,
      )
    for (const [member, value] of conditions) {
      if (value === undefined) continue
      const column = this.#columns.nameOf(member)
      const held = (one: unknown) => this.#columns.value(member, one) as string
      if (Array.isArray(value)) void query.whereIn(column, value.map(held))
      else void query.where({ [column]: held(value) })
    }
    return query
  }
}
