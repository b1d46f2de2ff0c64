// Ensures one host per state: file locks and a database lease.
import { hostname } from 'node:os'
import { timestamp, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { relabel } from '../database/compatibility.ts'
import { isPostgres, migrate, type Knex, type Migrations } from '../database/database.ts'
import { FENCE_KEY } from '../database/fence.ts'
import type { Log } from '../core/log/log.ts'
import type { Mux } from '../terminal/mux.ts'
import { DaemonLease, type OtherHolder } from '../store/daemon-lease.ts'
import { heldBy, readHolder, type Holder } from './holder.ts'
import { hostMigrations } from './migrations.ts'
import { lockState, type StateLock } from './state-lock.ts'

export interface SoleOptions {
  config: Config
  clock: Clock
  log: Log
  version: string
  services: readonly string[]
  stop?: AbortSignal
}

export class Sole {
  readonly #options: SoleOptions
  readonly #lock: StateLock
  #holder: Holder
  #lease: DaemonLease | null = null

  private constructor(options: SoleOptions, lock: StateLock, holder: Holder) {
    this.#options = options
    this.#lock = lock
    this.#holder = holder
  }

  /** Locks the files. Throws a 409 before anything is read or changed. */
  static async lock(options: SoleOptions): Promise<Sole> {
    const { config, clock, version, services, stop } = options
    const holder: Holder = {
      pid: process.pid,
      host: hostname(),
      since: timestamp(clock),
      version,
      data_dir: config.dataDir,
      services: [...services],
      urls: {},
      stopping: false,
    }
    return new Sole(options, await lockState(config, holder, stop), holder)
  }

  /**
   * Takes the database lease, after relabelling `replaced` and migrating the lease table. Throws a 409 that names the
   * holder.
   */
  async lease(db: Knex, replaced: readonly Migrations[]): Promise<DaemonLease> {
    const { clock, log, services } = this.#options
    const { place } = this.#lock
    const lease = new DaemonLease({ db, clock, log, table: 'host_leases', services, place })
    const refuse = (other: OtherHolder | null) => {
      if (other) throw refusal(other)
    }
    refuse(await lease.other())
    await runInTurn(db, async () => {
      await relabel(db, replaced)
      await migrate(db, hostMigrations)
    })
    refuse(await lease.take(this.#holder))
    this.#lease = lease
    return lease
  }

  async announceUrls(urls: Readonly<Record<string, string>>): Promise<void> {
    this.#updateHolder({ urls: { ...urls } })
    await this.#lease?.describeHolder(this.#holder)
  }

  /** Lets a second daemon wait instead of failing. */
  announceStop(): void {
    this.#updateHolder({ stopping: true })
  }

  /** Call before closing the database. */
  async releaseLease(): Promise<void> {
    await this.#lease?.release()
  }

  /** Call last. */
  async unlock(): Promise<void> {
    await this.#lock.release()
  }

  #updateHolder(more: Partial<Holder>): void {
    this.#holder = { ...this.#holder, ...more }
    this.#lock.describeHolder(this.#holder)
  }
}

/** Requires the lease to launch and kill, because no transaction guards sessions. */
export function guardedMux(mux: Mux, lease: Pick<DaemonLease, 'confirm'>): Mux {
  return {
    launch: async (options) => {
      await lease.confirm()
      return mux.launch(options)
    },
    kill: async (name) => {
      await lease.confirm()
      return mux.kill(name)
    },
    list: () => mux.list(),
    panes: () => mux.panes(),
    get: (name) => mux.get(name),
    capture: (name, lines) => mux.capture(name, lines),
    attachCommand: (name) => mux.attachCommand(name),
    version: () => mux.version(),
  }
}

/** Serialises the creation of the lease table, before there is a lease. */
async function runInTurn(db: Knex, work: () => Promise<void>): Promise<void> {
  if (!isPostgres(db)) return work()
  await db.transaction(async (transaction) => {
    await transaction.raw('SELECT pg_advisory_xact_lock(?)', [FENCE_KEY + 1])
    await work()
  })
}

function refusal({ service, about, expiresInMs }: OtherHolder): ReturnType<typeof heldBy> {
  const ends = `if it will not come back, its lease expires in ${Math.ceil(expiresInMs / 1000)} s: start again then`
  return heldBy(`the database of the ${service}`, readHolder(about), `use it, or stop it there; ${ends}`)
}
