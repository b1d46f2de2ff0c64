// The only module that loads LanceDB; runs in the LanceDB process. `store.ts` sets the environment that it needs.
import { SerialQueue } from '../../../../platform/async/serial-queue.ts'
import type { StoredRow } from '../port.ts'
import { READ, readRows, schemaOf, tableOf, WORDS } from './arrow.ts'
import { loadLibraries, type Connection, type LanceTable } from './library.ts'
import type { NewRows, Of, Range, ReadRows } from './messages.ts'

const RANGES = 200
/** Fragments above which a table is compacted; every query opens all of them. */
const MOST_PIECES = 8
const STORED = [
  'number',
  'id',
  'content_hash',
  'file_path',
  'language',
  'chunk_type',
  'symbol_name',
  'start_line',
  'end_line',
  'content',
]

type Beginning = Pick<Of, 'root'> & { dim: number; from: number; before: string | null }
type Tidying = Of & { kept: Range[]; used: string[] | null }
type Reading = Of & { dim: number; words: boolean }

interface Places {
  table: LanceTable
  rows: Map<number, bigint>
}

export class ChunkTables {
  readonly #folder: string
  readonly #name: string
  readonly #libraries: ReturnType<typeof loadLibraries>
  #database: Promise<Connection> | null = null
  /** A table has one writer: concurrent commits conflict. */
  readonly #writes = new SerialQueue()
  readonly #places = new Map<string, Places>()

  constructor(folder: string, name: string) {
    this.#folder = folder
    this.#name = name
    this.#libraries = loadLibraries(folder)
  }

  /**
   * Returns the table for the next rows of a directory: `before`, another with the same vector length, or a new one.
   * Deletes rows from `from` on, which a killed run left behind.
   */
  begin({ root, dim, from, before }: Beginning): Promise<string> {
    return this.#writes.run(async () => {
      const fitting: string[] = []
      for (const name of await this.#names()) {
        // A damaged table is kept for readers that may still need it.
        const table = await this.#forget(name, root, from).catch(() => null)
        if (table && (await dimOf(table)) === dim) fitting.push(name)
      }
      if (before !== null && fitting.includes(before)) return before
      return fitting[0] ?? this.#make(dim)
    })
  }

  add({ table: name, ...rows }: NewRows): Promise<void> {
    return this.#writes.run(async () => {
      const table = await this.#open(name)
      await table.add(tableOf(this.#libraries.arrow, rows))
    })
  }

  /** Yields rows in any order, including rows that are not current. */
  async *read({ root, table: name, dim, words }: Reading): AsyncGenerator<ReadRows> {
    const table = await this.#open(name)
    const columns = [...READ, ...(words ? WORDS : []), 'vector']
    for await (const batch of table.query().where(of(root)).select(columns)) yield readRows(batch, dim)
  }

  /** Returns rows in the order of `numbers`. Throws if one is missing. */
  async rows({ root, table: name, numbers }: Of & { numbers: number[] }): Promise<StoredRow[]> {
    const key = `${name}\0${root}`
    const known = this.#places.get(key)
    // Compaction changes row ids.
    const found = known && (await taken(known, numbers).catch(() => null))
    if (found) return found
    const table = await this.#open(name)
    const places = { table, rows: await placesOf(table, root) }
    this.#places.set(key, places)
    const again = await taken(places, numbers)
    if (again) return again
    throw new Error(`rows of ${root} are missing from table ${name}: the index is damaged, reindex it`)
  }

  /**
   * Deletes every row of a directory outside `kept` (sorted) and table `table`, and compacts fragmented tables. Drops
   * damaged tables that are not in `used`; null keeps them all.
   */
  tidy({ root, table: own, kept, used }: Tidying): Promise<void> {
    return this.#writes.run(async () => {
      for (const name of await this.#names()) {
        if (name === own) await this.#leave(name, root, kept)
        else
          await this.#leave(name, root, []).catch(async () => {
            if (used?.includes(name) === false) await (await this.#connected()).dropTable(name)
          })
      }
    })
  }

  async #leave(name: string, root: string, kept: readonly Range[]): Promise<void> {
    const table = await this.#open(name)
    const stale = staleOf(await numbersOf(table, root), kept)
    for (let at = 0; at < stale.length; at += RANGES) {
      const some = stale.slice(at, at + RANGES).map(([first, last]) => `number BETWEEN ${first} AND ${last}`)
      await table.delete(`${of(root)} AND (${some.join(' OR ')})`)
    }
    const { fragmentStats } = await table.stats()
    // Concurrent readers of deleted fragments retry.
    if (fragmentStats.numFragments > MOST_PIECES)
      await table.optimize({ cleanupOlderThan: present(), deleteUnverified: true })
  }

  async #forget(name: string, root: string, from: number): Promise<LanceTable> {
    const table = await this.#open(name)
    const left = `${of(root)} AND number >= ${from}`
    if ((await table.countRows(left)) > 0) await table.delete(left)
    return table
  }

  async #make(dim: number): Promise<string> {
    const database = await this.#connected()
    const used = new Set(await database.tableNames())
    let name = this.#name
    for (let count = 2; used.has(name); count++) name = `${this.#name}_${count}`
    await database.createEmptyTable(name, schemaOf(this.#libraries.arrow, dim))
    return name
  }

  async #open(name: string): Promise<LanceTable> {
    return (await this.#connected()).openTable(name)
  }

  async #names(): Promise<string[]> {
    const names = await (await this.#connected()).tableNames()
    return names.filter((name) => name.replace(/_\d+$/, '') === this.#name || name === this.#name)
  }

  #connected(): Promise<Connection> {
    return (this.#database ??= this.#libraries.lancedb.connect(this.#folder))
  }
}

/** LanceDB uses the system clock for versions. */
const present = (): Date => new Date(performance.timeOrigin + performance.now())

const of = (root: string): string => `root = '${root.replaceAll("'", "''")}'`

async function dimOf(table: LanceTable): Promise<number | undefined> {
  return (await table.schema()).fields.find(({ name }) => name === 'vector')?.type.listSize
}

async function numbersOf(table: LanceTable, root: string): Promise<number[]> {
  const rows = await table.query().where(of(root)).select(['number']).toArray()
  return rows.map(({ number }) => Number(number)).sort((a, b) => a - b)
}

function staleOf(numbers: readonly number[], kept: readonly Range[]): Range[] {
  const stale: Range[] = []
  let at = 0
  for (const number of numbers) {
    while (at < kept.length && kept[at]![1] < number) at++
    if (at < kept.length && kept[at]![0] <= number) continue
    const last = stale.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else stale.push([number, number])
  }
  return stale
}

async function placesOf(table: LanceTable, root: string): Promise<Map<number, bigint>> {
  const rows = await table.query().where(of(root)).select(['number']).withRowId().toArray()
  return new Map(rows.map(({ number, _rowid }) => [Number(number), _rowid as bigint]))
}

/** Null if one is missing. */
async function taken({ table, rows }: Places, numbers: readonly number[]): Promise<StoredRow[] | null> {
  const places = numbers.flatMap((number) => rows.get(number) ?? [])
  if (places.length < numbers.length) return null
  const found = await table.takeRowIds(places).select(STORED).toArray()
  const stored = new Map(found.map((row) => [Number(row.number), storedRow(row)]))
  const wanted = numbers.flatMap((number) => stored.get(number) ?? [])
  return wanted.length < numbers.length ? null : wanted
}

const storedRow = (row: Record<string, any>): StoredRow => ({
  id: row.id,
  hash: row.content_hash,
  path: row.file_path,
  language: row.language,
  type: row.chunk_type,
  symbol: row.symbol_name,
  start: row.start_line,
  end: row.end_line,
  content: row.content,
})
