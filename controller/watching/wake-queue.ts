import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'
import { Workqueue } from './workqueue.ts'

export interface WakesOptions {
  clock: Clock
  log: Log
  /** In [0, 1), for jitter. */
  random(): number
  /** `asRead`: without reading the source again. Throwing backs the source off. */
  passOver(source: string, asRead: boolean): Promise<void>
  lookAt(id: string): Promise<void>
}

const LIVE_PRIORITY = 10
const RESYNC_PRIORITY = -1

/** Delay of observing a resource that a run is changing. */
const IN_FLIGHT_MS = 200

/** Delay of the next pass after a run that waits or failed. */
const WAITING_PASS_MS = 5000

const LOOKS_AT_ONCE = 128

export class Wakes {
  readonly #options: WakesOptions
  /** Sources are independent: a slow or hanging one does not block others. */
  readonly #sources: Workqueue
  /** Sources where only live state changed. */
  readonly #settling: Workqueue
  /** One queue per kind, for the same reason. */
  readonly #looks = new Map<string, Workqueue>()
  #stopped = false

  constructor(options: WakesOptions) {
    this.#options = options
    const each = { concurrency: Infinity }
    this.#sources = this.#queue((name) => options.passOver(name, false), { what: 'source:', ...each })
    this.#settling = this.#queue((name) => options.passOver(name, true), { what: 'settle:', ...each })
  }

  get depth(): number {
    return this.#queues().reduce((sum, { depth }) => sum + depth, 0)
  }

  wakeSource(name: string, afterMs = 0): void {
    this.#sources.addAfter(name, afterMs)
  }

  retrySource(name: string): void {
    this.wakeSource(name, WAITING_PASS_MS)
  }

  /** Drift must be reverted, or a pending change is possible now: manifests need no read. */
  settleSource(name: string): void {
    this.#settling.add(name)
  }

  observeFirst(id: string): void {
    this.#observations(id).add(id, LIVE_PRIORITY)
  }

  /** For a resource that a run is changing. */
  observeLater(id: string): void {
    this.#observations(id).addAfter(id, IN_FLIGHT_MS, LIVE_PRIORITY)
  }

  observe(id: string): void {
    this.#observations(id).add(id)
  }

  observeLast(id: string): void {
    this.#observations(id).add(id, RESYNC_PRIORITY)
  }

  /** Accepts no further keys; resolves when running work has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#queues().map((queue) => queue.stop()))
  }

  #queues(): Workqueue[] {
    return [this.#sources, this.#settling, ...this.#looks.values()]
  }

  #observations(id: string): Workqueue {
    const kind = id.slice(0, id.indexOf('/'))
    let queue = this.#looks.get(kind)
    if (!queue) {
      queue = this.#queue((each) => this.#options.lookAt(each), { what: '', concurrency: LOOKS_AT_ONCE })
      if (this.#stopped) void queue.stop()
      this.#looks.set(kind, queue)
    }
    return queue
  }

  #queue(
    handle: (key: string) => Promise<void>,
    { what, concurrency }: { what: string; concurrency: number },
  ): Workqueue {
    const { clock, log, random } = this.#options
    return new Workqueue({
      clock,
      random,
      concurrency,
      handle,
      onError: (key, error, retryInMs) => {
        if (this.#stopped) return
        log.warn({ key: what + key, error: (error as Error).message, retry_in_ms: retryInMs }, 'work failed')
      },
    })
  }
}
