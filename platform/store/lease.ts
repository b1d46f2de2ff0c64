// Named, expiring leases with fencing tokens.
import { randomUUID } from 'node:crypto'
import type { Clock, Timer } from '../core/clock.ts'
import { isPostgres, write, type Knex } from '../database/database.ts'

export interface Lease {
  /** Grows with each holder. Store it with each write to detect a stale holder. */
  readonly token: number
  readonly lost: AbortSignal
  /** Extends the lease by `ttlMs`; returns false if it is lost. Renew every third of `ttlMs`. */
  renew(): Promise<boolean>
  release(): Promise<void>
}

export interface Leases {
  /** Returns null while another holder has the lease. */
  acquire(name: string, options: { ttlMs: number }): Promise<Lease | null>
}

export interface LeaseWorld {
  db: Knex
  clock: Clock
  prefix: string
}

/** Leases are shared by all daemons on PostgreSQL; SQLite has only one process. */
export function openLeases({ db, clock, prefix }: LeaseWorld): Leases {
  const keeper = isPostgres(db) ? new TableKeeper(db, tableOf(prefix)) : new ProcessKeeper(clock)
  return {
    acquire: async (name, { ttlMs }) => {
      const from = clock.now()
      const token = await keeper.take(name, ttlMs)
      return token === null ? null : new HeldLease({ keeper, clock, name, ttlMs, token }, from)
    },
  }
}

export async function createLeaseTable(db: Knex, prefix: string): Promise<void> {
  await db.schema.createTable(tableOf(prefix), (table) => {
    table.string('name', 256).primary()
    table.string('holder', 36).notNullable()
    table.bigInteger('token').notNullable()
    table.timestamp('expires_at').notNullable()
  })
}

const tableOf = (prefix: string): string => `${prefix}_leases`

interface Keeper {
  /** Returns the new token, or null if the name is held. */
  take(name: string, ttlMs: number): Promise<number | null>
  /** Returns false if the token is stale. */
  extend(name: string, token: number, ttlMs: number): Promise<boolean>
  free(name: string, token: number): Promise<void>
}

interface Holding {
  keeper: Keeper
  clock: Clock
  name: string
  ttlMs: number
  token: number
}

class HeldLease implements Lease {
  readonly token: number
  readonly #holding: Holding
  readonly #lost = new AbortController()
  #timer: Timer | null = null

  /** `from`: time of the request, before the grant. */
  constructor(holding: Holding, from: number) {
    this.token = holding.token
    this.#holding = holding
    this.#expireFrom(from)
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  async renew(): Promise<boolean> {
    const { keeper, clock, name, token, ttlMs } = this.#holding
    if (this.lost.aborted) return false
    const from = clock.now()
    if (!(await keeper.extend(name, token, ttlMs))) this.#lose()
    if (this.lost.aborted) return false
    this.#expireFrom(from)
    return true
  }

  async release(): Promise<void> {
    const { keeper, name, token } = this.#holding
    this.#lose()
    await keeper.free(name, token)
  }

  /** Expires by the holder's clock, even if the database is unreachable. */
  #expireFrom(from: number): void {
    const { clock, ttlMs } = this.#holding
    this.#timer?.cancel()
    this.#timer = clock.after(from + ttlMs - clock.now(), () => this.#lose())
  }

  #lose(): void {
    this.#timer?.cancel()
    this.#lost.abort()
  }
}

class ProcessKeeper implements Keeper {
  readonly #clock: Clock
  readonly #held = new Map<string, { token: number; expiresAt: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async take(name: string, ttlMs: number): Promise<number | null> {
    const present = this.#held.get(name)
    if (present && present.expiresAt > this.#clock.now()) return null
    // At least the current time, so that tokens grow across restarts.
    const token = Math.max((present?.token ?? 0) + 1, this.#clock.now())
    this.#held.set(name, { token, expiresAt: this.#clock.now() + ttlMs })
    return token
  }

  async extend(name: string, token: number, ttlMs: number): Promise<boolean> {
    const present = this.#held.get(name)
    if (present?.token !== token || present.expiresAt <= this.#clock.now()) return false
    present.expiresAt = this.#clock.now() + ttlMs
    return true
  }

  async free(name: string, token: number): Promise<void> {
    const present = this.#held.get(name)
    if (present?.token === token) present.expiresAt = 0
  }
}

/** Keeps the rows of free leases, so that tokens keep growing. */
class TableKeeper implements Keeper {
  readonly #db: Knex
  readonly #table: string
  readonly #holder = randomUUID()

  constructor(db: Knex, table: string) {
    this.#db = db
    this.#table = table
  }

  async take(name: string, ttlMs: number): Promise<number | null> {
    return write(this.#db, async (transaction) => {
      const { rows } = await transaction.raw(
        `INSERT INTO ?? AS held (name, holder, token, expires_at) VALUES (?, ?, 1, ${FROM_NOW})
         ON CONFLICT (name) DO UPDATE
           SET holder = excluded.holder, token = held.token + 1, expires_at = ${FROM_NOW}
           WHERE held.expires_at <= clock_timestamp()
         RETURNING token`,
        [this.#table, name, this.#holder, ttlMs, ttlMs],
      )
      return rows[0] ? Number(rows[0].token) : null
    })
  }

  async extend(name: string, token: number, ttlMs: number): Promise<boolean> {
    const changed = await write(this.#db, (transaction) =>
      transaction(this.#table)
        .where({ name, token })
        .where('expires_at', '>', transaction.raw('clock_timestamp()'))
        .update({ expires_at: transaction.raw(FROM_NOW, [ttlMs]) }),
    )
    return changed === 1
  }

  async free(name: string, token: number): Promise<void> {
    await write(this.#db, (transaction) =>
      transaction(this.#table)
        .where({ name, token })
        .update({ expires_at: transaction.raw('clock_timestamp()') }),
    )
  }
}

const FROM_NOW = "clock_timestamp() + ?::double precision * interval '1 millisecond'"
