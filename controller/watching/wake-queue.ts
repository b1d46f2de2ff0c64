// Queues of sources to pass over and resources to observe, with back-off.
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'
import { Workqueue } from './workqueue.ts'

export interface WakesOptions {
  clock: Clock
  log: Log
  /** A number in [0, 1) for jitter. */
  random(): number
  /** Runs a pass over a source, reading it again or `asRead`; throwing backs it off. */
  passOver(source: string, asRead: boolean): Promise<void>
  /** Observes a resource (kind/name). */
  lookAt(id: string): Promise<void>
}

/** Priority of reported changes over routine observations. */
const LIVE_PRIORITY = 10
/** Priority of periodic checks. */
const RESYNC_PRIORITY = -1

/** Delay of the observation of a resource that is being changed, in milliseconds. */
const IN_FLIGHT_MS = 200

/** Delay of the next pass after a run that waits or failed, in milliseconds. */
const WAITING_PASS_MS = 5000

/** Concurrent observations per kind. */
const LOOKS_AT_ONCE = 128

export class Wakes {
  readonly #options: WakesOptions
  /** Sources run independently: a slow or hanging one does not block others. */
  readonly #sources: Workqueue
  /** Sources where only live resources changed. */
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

  /** A source may have changed; due in `afterMs`. */
  wakeSource(name: string, afterMs = 0): void {
    this.#sources.addAfter(name, afterMs)
  }

  /** After a run that waits or failed. */
  retrySource(name: string): void {
    this.wakeSource(name, WAITING_PASS_MS)
  }

  /** A live resource must be reverted, or a pending change is possible now; manifests need no read. */
  settleSource(name: string): void {
    this.#settling.add(name)
  }

  /** A resource changed on the live system. */
  observeFirst(id: string): void {
    this.#observations(id).add(id, LIVE_PRIORITY)
  }

  /** A run is changing the resource: observes it a little later. */
  observeLater(id: string): void {
    this.#observations(id).addAfter(id, IN_FLIGHT_MS, LIVE_PRIORITY)
  }

  /** After a run changed the resource. */
  observe(id: string): void {
    this.#observations(id).add(id)
  }

  /** Periodic check. */
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
