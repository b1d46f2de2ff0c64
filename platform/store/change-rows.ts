// Change rows: triggers record every change of a table in its transaction, numbered in order of commit.
import { randomBytes } from 'node:crypto'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { changeTriggersOn, dropTriggers, isPostgres, write, type Knex } from '../database/database.ts'
import { changeTriggers, type ChangeSource } from './change-triggers.ts'

const ROWS = 'gateway_changes'
const LOG = 'gateway_change_log'
/** Seconds that a row is kept. */
const KEPT_SECS = 600
/** Older rows are deleted. */
const MOST_CHANGES = 100_000
const TRIMMED_AT_ONCE = 500
/** Not that of the triggers: a writer waits for it while it holds its table. */
const INSTALL_KEY = 7_301_842_650_120

/**
 * Identifies a row. A restored backup gives its next numbers again, as other rows: these have another time. Without rows
 * both are 0.
 */
export interface ChangePosition {
  seq: number
  /** Seconds since 1970, of the database. */
  at: number
}

export interface ChangeRow extends ChangePosition {
  topic: string
  id: string
}

export interface ChangeState {
  /** Of this database: numbers of another epoch mean nothing. */
  epoch: string
  /** Rows up to this number may be deleted. */
  trimmed: number
  /** Last row. */
  last: ChangePosition
}

/** Seconds of the database, the only clock that all daemons share. */
const secondsOf = (db: Knex): string =>
  isPostgres(db) ? 'extract(epoch from clock_timestamp())::bigint' : "cast(strftime('%s', 'now') as integer)"

export async function createChangeTables(db: Knex): Promise<void> {
  await db.schema.createTable(ROWS, (columns) => {
    columns.bigIncrements('seq')
    columns.text('topic').notNullable()
    columns.text('id').notNullable()
    columns
      .bigInteger('at')
      .notNullable()
      .defaultTo(db.raw(`(${secondsOf(db)})`))
    columns.index(['topic', 'seq'])
  })
  await db.schema.createTable(LOG, (columns) => {
    columns.string('epoch', 12).notNullable()
    columns.bigInteger('trimmed').notNullable()
  })
  await db(LOG).insert({ epoch: randomBytes(6).toString('hex'), trimmed: 0 })
}

/** Installs the triggers of the sources, and removes outdated ones of their tables. Their tables must exist. */
export async function recordChanges(db: Knex, sources: readonly ChangeSource[]): Promise<void> {
  const wanted = new Map(sources.flatMap((source) => changeTriggers(db, source)).map((each) => [each.name, each]))
  const tables = new Set(sources.map(({ table }) => table))
  const outdated = async (on: Knex) =>
    (await changeTriggersOn(on)).filter(({ name, table }) => tables.has(table) && !wanted.has(name))
  const missing = async (on: Knex) => {
    const names = new Set((await changeTriggersOn(on)).map(({ name }) => name))
    return [...wanted.values()].filter(({ name }) => !names.has(name))
  }
  if ((await outdated(db)).length === 0 && (await missing(db)).length === 0) return
  await write(db, async (transaction) => {
    if (isPostgres(db)) await transaction.raw('SELECT pg_advisory_xact_lock(?)', [INSTALL_KEY])
    await dropTriggers(transaction, await outdated(transaction))
    for (const { statements } of await missing(transaction))
      for (const statement of statements) await transaction.raw(statement)
  })
}

type Stored = Pick<ChangeRow, 'topic' | 'id'> & { seq: number | string; at: number | string }

export class ChangeRows {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  async state(): Promise<ChangeState> {
    const last = (column: keyof ChangePosition) => this.#db(ROWS).orderBy('seq', 'desc').limit(1).select(column)
    const row = await this.#db(LOG).first('epoch', 'trimmed', { seq: last('seq'), at: last('at') })
    const trimmed = Number(row.trimmed)
    const seq = Math.max(trimmed, Number(row.seq ?? 0))
    return {
      epoch: row.epoch,
      trimmed: Math.max(trimmed, seq - MOST_CHANGES),
      last: { seq, at: Number(row.at ?? 0) },
    }
  }

  /** Whether the row is kept. */
  async has({ seq, at }: ChangePosition): Promise<boolean> {
    const row: { at: number | string } | undefined = await this.#db(ROWS).where({ seq }).first('at')
    return Number(row?.at ?? 0) === at
  }

  /** Rows after `seq` in order; null if one of them may be deleted already. */
  async after(
    seq: number,
    { limit, topic, upTo }: { limit: number; topic?: string; upTo?: number },
  ): Promise<ChangeRow[] | null> {
    const query = this.#db(ROWS).where('seq', '>', seq).orderBy('seq').limit(limit).select('seq', 'at', 'topic', 'id')
    if (topic !== undefined) void query.where({ topic })
    if (upTo !== undefined) void query.where('seq', '<=', upTo)
    const rows: Stored[] = await query
    // Read after the rows: a deletion before them shows in the state.
    const { trimmed } = await this.state()
    return seq < trimmed ? null : rows.map((row) => ({ ...row, seq: Number(row.seq), at: Number(row.at) }))
  }

  /** Deletes rows older than ten minutes or the newest 100,000, in batches, but never the last. Returns their number. */
  async trim(signal?: AbortSignal): Promise<number> {
    const { trimmed, last: newest } = await this.state()
    const old = this.#db.raw(`(seq <= ? or at < ${secondsOf(this.#db)} - ${KEPT_SECS}) as old`, [trimmed])
    for (let dropped = 0; ; await turnOfTheLoop()) {
      const oldest: { seq: number | string; old: boolean | number }[] = await this.#db(ROWS)
        .where('seq', '<', newest.seq)
        .orderBy('seq')
        .limit(TRIMMED_AT_ONCE)
        .select('seq', old)
      const kept = oldest.findIndex((row) => !row.old)
      const last = (kept < 0 ? oldest : oldest.slice(0, kept)).at(-1)?.seq
      if (last === undefined || signal?.aborted) return dropped
      dropped += await write(this.#db, async (transaction) => {
        await transaction(LOG).where('trimmed', '<', last).update({ trimmed: last })
        return transaction(ROWS).where('seq', '<=', last).delete()
      })
    }
  }
}
