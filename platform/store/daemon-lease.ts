// The lease of a daemon on a database: one row a service in the table of leases. Every transaction checks it
// (fence.ts), so that a daemon which was overtaken while it could not know writes nothing more.
import { randomUUID } from 'node:crypto'
import type { Clock, Timer } from '../core/clock.ts'
import { isPostgres, write, type Knex } from '../database/database.ts'
import {
  fenceTransactions,
  FENCE_KEY,
  isHeld,
  leaseLost,
  tokensOf,
  type Fence,
  type HeldName,
} from '../database/fence.ts'
import type { Log } from '../core/log/log.ts'

/** On PostgreSQL: how long a daemon that does not renew keeps others away, and how often it renews, in milliseconds. */
export const DAEMON_LEASE_MS = 15_000
const RENEW_EVERY_MS = DAEMON_LEASE_MS / 3

/** Longest wait for the transactions of who held it before, in milliseconds. */
const TAKE_OVER_MS = 15_000

export interface DaemonLeaseWorld {
  db: Knex
  clock: Clock
  log: Log
  /** The table of leases, with its column `about`. */
  table: string
  services: readonly string[]
  /** What this process has locked: a lease that was taken from the same place is free, for its holder is gone. */
  place: string
}

/** What stands in `about`. */
interface About {
  place: string
  holder: object
}

/** A living holder of a service; `about` is what it said of itself. */
export interface OtherHolder {
  service: string
  about: string | null
  expiresInMs: number
}

interface Row {
  name: string
  token: string | number
  about: string | null
  expires_at: unknown
  left_ms: string | number
}

export class DaemonLease {
  readonly #world: DaemonLeaseWorld
  readonly #holder = randomUUID()
  readonly #lost = new AbortController()
  #held: HeldName[] = []
  #timer: Timer | null = null
  #until = 0
  #renewing: Promise<void> | null = null
  #failures = 0

  constructor(world: DaemonLeaseWorld) {
    this.#world = world
  }

  /** Aborts when another daemon was found to have taken a service over. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /**
   * A living daemon that holds one of the services; null when all are free. Reads only, also a table of an earlier
   * version.
   */
  async other(): Promise<OtherHolder | null> {
    const { db, table } = this.#world
    return (await db.schema.hasTable(table)) ? this.#other(await this.#rows(db)) : null
  }

  /** Takes every service, or none and says who has one; from then on each transaction of the database is checked. */
  async take(holder: object): Promise<OtherHolder | null> {
    const { db, clock, table, services } = this.#world
    const from = clock.now()
    const other = await write(db, async (transaction) => {
      await waitForWriters(transaction)
      const rows = await this.#rows(transaction)
      const living = this.#other(rows)
      if (living) return living
      const held = services.map((service) => {
        const before = rows.find(({ name }) => name === nameOf(service))
        return { name: nameOf(service), token: Number(before?.token ?? 0) + 1 }
      })
      const values = { holder: this.#holder, about: this.#about(holder), expires_at: this.#expiry(transaction) }
      for (const each of held)
        await transaction(table)
          .insert({ ...each, ...values })
          .onConflict('name')
          .merge()
      this.#held = held
      return null
    })
    if (other) return other
    fenceTransactions(db, this.#fence)
    this.#holdFrom(from)
    return null
  }

  get #fence(): Fence {
    return { table: this.#world.table, held: this.#held, onLost: () => this.#lose() }
  }

  /** Tells what became known of the holder since; of a SQLite file the lock tells it. */
  async tell(holder: object): Promise<void> {
    if (isPostgres(this.#world.db)) await this.#update({ about: this.#about(holder) })
  }

  /**
   * Resolves while it is ours for certain; throws when it is not, or when nobody can tell. For what no transaction
   * guards.
   */
  async confirm(): Promise<void> {
    if (this.#world.clock.now() >= this.#until) await this.#renew()
    if (this.lost.aborted) throw leaseLost()
  }

  /** Frees it at once for whoever comes next. */
  async release(): Promise<void> {
    this.#timer?.cancel()
    await this.#renewing?.catch(() => undefined)
    const waitedFor = isPostgres(this.#world.db) && this.#held.length > 0 && !this.lost.aborted
    if (waitedFor) await this.#update({ expires_at: this.#world.db.raw('clock_timestamp()') })
    this.#held = []
  }

  /** The rows of our services, with the time each has left by the database's clock. */
  async #rows(db: Knex): Promise<Row[]> {
    const left = isPostgres(db)
      ? 'extract(epoch from expires_at - clock_timestamp()) * 1000'
      : "expires_at - unixepoch('subsec') * 1000"
    const names = this.#world.services.map(nameOf)
    return db(this.#world.table)
      .whereIn('name', names)
      .select('*', db.raw(`${left} as left_ms`))
  }

  #other(rows: readonly Row[]): OtherHolder | null {
    const living = rows.find((row) => Number(row.left_ms) > 0 && placeOf(row) !== this.#world.place)
    // The lock on a SQLite file is ours, so whoever held it before is gone.
    if (!living || !isPostgres(this.#world.db)) return null
    const { name, about, left_ms } = living
    return { service: name.slice(PREFIX.length), about: holderOf(about), expiresInMs: Math.ceil(Number(left_ms)) }
  }

  #about(holder: object): string {
    return JSON.stringify({ place: this.#world.place, holder } satisfies About)
  }

  #expiry(db: Knex): Knex.Raw {
    return isPostgres(db)
      ? db.raw("clock_timestamp() + ?::double precision * interval '1 millisecond'", [DAEMON_LEASE_MS])
      : db.raw("unixepoch('subsec') * 1000 + ?", [DAEMON_LEASE_MS])
  }

  /** A transaction of its own, which is checked as any other. */
  async #update(columns: object): Promise<void> {
    const { db, table } = this.#world
    const names = this.#held.map(({ name }) => name)
    await write(db, (transaction) => transaction(table).whereIn('name', names).update(columns))
  }

  /** One that ran out, and that nobody took meanwhile, is ours again. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewNow().finally(() => (this.#renewing = null))
    return this.#renewing
  }

  async #renewNow(): Promise<void> {
    const { db, clock, log } = this.#world
    const from = clock.now()
    if (isPostgres(db)) await this.#update({ expires_at: this.#expiry(db) })
    // A SQLite file is locked: nobody waits for our lease to run out. Only somebody who removed the lock's file can
    // be found.
    else if (!isHeld(this.#fence, await db.raw(tokensOf(this.#fence)))) this.#lose()
    if (this.#failures > 0) log.info({ failures: this.#failures }, 'the lease on the database is renewed again')
    this.#failures = 0
    this.#holdFrom(from)
  }

  #holdFrom(from: number): void {
    this.#until = isPostgres(this.#world.db) ? from + DAEMON_LEASE_MS : Number.POSITIVE_INFINITY
    this.#arm()
  }

  #arm(): void {
    this.#timer?.cancel()
    if (this.lost.aborted || this.#held.length === 0) return
    this.#timer = this.#world.clock.after(RENEW_EVERY_MS, () => {
      this.#renew().catch((error: Error) => {
        this.#reportFailure(error)
        this.#arm()
      })
    })
  }

  #reportFailure({ message }: Error): void {
    if (this.lost.aborted || this.#failures++ > 0) return
    const facts = { error: message, lost_in_ms: Math.max(0, this.#until - this.#world.clock.now()) }
    this.#world.log.warn(facts, 'the lease on the database could not be renewed; it is tried again')
  }

  #lose(): void {
    this.#timer?.cancel()
    this.#lost.abort()
  }
}

const PREFIX = 'daemon/'
const nameOf = (service: string): string => PREFIX + service

/** Waits for every transaction that was checked before, so that none of them ends after the lease has moved. */
async function waitForWriters(transaction: Knex.Transaction): Promise<void> {
  if (!isPostgres(transaction)) return
  await transaction.raw(`SET LOCAL lock_timeout = ${TAKE_OVER_MS}`)
  await transaction.raw('SELECT pg_advisory_xact_lock(?)', [FENCE_KEY])
}

function aboutOf(text: string | null): Partial<About> {
  return JSON.parse(text ?? '{}') as Partial<About>
}

const placeOf = ({ about }: Row): string | undefined => aboutOf(about).place
const holderOf = (about: string | null): string => JSON.stringify(aboutOf(about).holder ?? null)
