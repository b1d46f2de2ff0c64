// A daemon's lease on a database, one row per service. Every transaction checks it (fence.ts), so that a superseded
// daemon cannot write.
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

/** PostgreSQL only: duration of the lease. */
export const DAEMON_LEASE_MS = 15_000
const RENEW_EVERY_MS = DAEMON_LEASE_MS / 3

/** Maximum wait for the previous holder's transactions. */
const TAKE_OVER_MS = 15_000

export interface DaemonLeaseWorld {
  db: Knex
  clock: Clock
  log: Log
  table: string
  services: readonly string[]
  /** Identifies this process's lock; the previous holder of a lease with the same place has ended. */
  place: string
}

interface About {
  place: string
  holder: object
}

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

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Returns a live holder of one of the services, or null. Reads only; works with an older table. */
  async other(): Promise<OtherHolder | null> {
    const { db, table } = this.#world
    return (await db.schema.hasTable(table)) ? this.#other(await this.#rows(db)) : null
  }

  /** Takes the leases of all services and enables the fence, or takes none and returns their holder. */
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

  /** Updates the holder's description. */
  async describeHolder(holder: object): Promise<void> {
    if (isPostgres(this.#world.db)) await this.#update({ about: this.#about(holder) })
  }

  /** Resolves if the lease is certainly held; throws if it is lost or unknown. For effects outside transactions. */
  async confirm(): Promise<void> {
    if (this.#world.clock.now() >= this.#until) await this.#renew()
    if (this.lost.aborted) throw leaseLost()
  }

  async release(): Promise<void> {
    this.#timer?.cancel()
    await this.#renewing?.catch(() => undefined)
    const waitedFor = isPostgres(this.#world.db) && this.#held.length > 0 && !this.lost.aborted
    if (waitedFor) await this.#update({ expires_at: this.#world.db.raw('clock_timestamp()') })
    this.#held = []
  }

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
    // We hold the file lock, so the previous holder has ended.
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

  async #update(columns: object): Promise<void> {
    const { db, table } = this.#world
    const names = this.#held.map(({ name }) => name)
    await write(db, (transaction) => transaction(table).whereIn('name', names).update(columns))
  }

  /** Also renews an expired lease that no other daemon took. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewNow().finally(() => (this.#renewing = null))
    return this.#renewing
  }

  async #renewNow(): Promise<void> {
    const { db, clock, log } = this.#world
    const from = clock.now()
    if (isPostgres(db)) await this.#update({ expires_at: this.#expiry(db) })
    // A SQLite file is locked: only a deleted lock file lets another daemon in.
    else if (!isHeld(this.#fence, await db.raw(tokensOf(this.#fence)))) this.#lose()
    if (this.#failures > 0) log.info({ failures: this.#failures }, 'database lease renewal recovered')
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
    this.#world.log.warn(facts, 'failed to renew the database lease; retrying')
  }

  #lose(): void {
    this.#timer?.cancel()
    this.#lost.abort()
  }
}

const PREFIX = 'daemon/'
const nameOf = (service: string): string => PREFIX + service

/** Waits for transactions that passed the fence, so that none commits after the lease moves. */
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
