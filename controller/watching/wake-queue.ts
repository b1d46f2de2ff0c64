// What is to be looked at next: sources to pass over and resources to observe, each with back-off.
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'
import { Workqueue } from './workqueue.ts'

export interface WakesOptions {
  clock: Clock
  log: Log
  /** A number in [0, 1) that spreads retries. */
  random(): number
  /** Passes over a source, read anew or `asRead`; a throw backs it off. */
  passOver(source: string, asRead: boolean): Promise<void>
  /** Observes a resource, by kind/name. */
  lookAt(id: string): Promise<void>
}

/** Somebody changed it, or may have: observed before whatever was to be looked at anyway. */
const LIVE_PRIORITY = 10
/** Looked at for no reason but that time has passed. */
const RESYNC_PRIORITY = -1

/** While a resource is being changed its observation waits, in milliseconds. */
const IN_FLIGHT_MS = 200

/** After a run that waits, or failed, the source is passed over again this much later, in milliseconds. */
const WAITING_PASS_MS = 5000

/** Observations of one kind at once. */
const LOOKS_AT_ONCE = 128

export class Wakes {
  readonly #options: WakesOptions
  /** Each source by itself: one whose folder does not come to rest, or whose changes hang, holds no other up. */
  readonly #sources: Workqueue
  /** Sources of which only live resources moved. */
  readonly #settling: Workqueue
  /** A queue a kind, for the same reason. */
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

  /** A source may have something new, `afterMs` from now. */
  wakeSource(name: string, afterMs = 0): void {
    this.#sources.addAfter(name, afterMs)
  }

  /** A run over a source waits, or failed. */
  retrySource(name: string): void {
    this.wakeSource(name, WAITING_PASS_MS)
  }

  /** A live resource of a source is to be put back, or may be changed at last; its manifests need not be read. */
  settleSource(name: string): void {
    this.#settling.add(name)
  }

  /** A resource moved on the live system. */
  observeFirst(id: string): void {
    this.#observations(id).add(id, LIVE_PRIORITY)
  }

  /** A resource is being changed by a run: it is looked at a little later. */
  observeLater(id: string): void {
    this.#observations(id).addAfter(id, IN_FLIGHT_MS, LIVE_PRIORITY)
  }

  /** A resource was changed by a run. */
  observe(id: string): void {
    this.#observations(id).add(id)
  }

  /** A resource has not been looked at for long. */
  observeLast(id: string): void {
    this.#observations(id).add(id, RESYNC_PRIORITY)
  }

  /** Takes nothing more and resolves when what runs has ended. */
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
