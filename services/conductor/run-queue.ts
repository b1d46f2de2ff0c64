// One run per repository at a time, in this daemon and in others of the same database.
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'
import { unavailable } from '../../platform/core/problem.ts'
import type { Lease, Leases } from '../../platform/store/lease.ts'
import { keyOf } from './runs.ts'

const LEASE_MS = 60_000
/** Interval of attempts while another daemon runs the repository. */
const RETRY_MS = 1000
const LONGEST_WAIT_MS = 15 * 60_000

interface QueueWorld {
  clock: Clock
  log: Log
  leases: Leases
}

interface Running<T> {
  running: Promise<T>
  /** Shared by all requests since the start of `running`. */
  next: Promise<T> | null
}

export class RunQueue<T> {
  readonly #world: QueueWorld
  readonly #running = new Map<string, Running<T>>()
  readonly #work: (repository: string, signal: AbortSignal) => Promise<T>
  readonly #stopped = new AbortController()

  /** `work` is aborted if the lease is lost or at the stop. */
  constructor(world: QueueWorld, work: (repository: string, signal: AbortSignal) => Promise<T>) {
    this.#world = world
    this.#work = work
  }

  /** Starts a run, or joins the one that follows the current run: the current one may have read the forge already. */
  request(repository: string): Promise<T> {
    const key = keyOf(repository)
    const entry = this.#running.get(key)
    if (!entry) return this.#begin(key, repository)
    const begin = () => this.#begin(key, repository)
    entry.next ??= entry.running.then(begin, begin)
    return entry.next
  }

  get isIdle(): boolean {
    return this.#running.size === 0
  }

  /** Aborts all runs and waits for them. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    while (!this.isIdle)
      await Promise.allSettled([...this.#running.values()].map(({ running, next }) => next ?? running))
  }

  #begin(key: string, repository: string): Promise<T> {
    const entry: Running<T> = { running: this.#runAlone(key, repository), next: null }
    this.#running.set(key, entry)
    const end = () => {
      if (entry.next === null) this.#running.delete(key)
    }
    // The owner of the promise handles its failure.
    void entry.running.then(end, end)
    return entry.running
  }

  async #runAlone(key: string, repository: string): Promise<T> {
    const lease = await this.#acquire(key, repository)
    const renewal = this.#renew(lease)
    try {
      return await this.#work(repository, AbortSignal.any([this.#stopped.signal, lease.lost]))
    } finally {
      renewal.cancel()
      await lease.release().catch((error: Error) => {
        this.#world.log.warn({ repository, error: error.message }, 'failed to release the lease of a run; it expires')
      })
    }
  }

  /** Throws 503 at the stop, or if another daemon keeps the lease for 15 minutes. */
  async #acquire(key: string, repository: string): Promise<Lease> {
    const { clock, leases } = this.#world
    const until = clock.monotonic() + LONGEST_WAIT_MS
    while (clock.monotonic() < until) {
      if (this.#stopped.signal.aborted) throw unavailable('the daemon is stopping', 'stopping')
      const lease = await leases.acquire(`conductor:${key}`, { ttlMs: LEASE_MS })
      if (lease) return lease
      await pause(clock, RETRY_MS, this.#stopped.signal)
    }
    throw unavailable(`another daemon is still running the conductor for ${repository}: retry later`)
  }

  #renew(lease: Lease): { cancel(): void } {
    const { clock, log } = this.#world
    let timer = clock.after(LEASE_MS / 3, renew)
    function renew(): void {
      timer = clock.after(LEASE_MS / 3, renew)
      lease.renew().catch((error: Error) => log.warn({ error: error.message }, 'failed to renew the lease of a run'))
    }
    return { cancel: () => timer.cancel() }
  }
}

/** Resolves after `ms` milliseconds, or at the signal. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      timer.cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = clock.after(ms, end)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
