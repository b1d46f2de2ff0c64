// What is to be looked at next: sources to pass over and resources to observe, in one queue with back-off.
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { Workqueue } from './workqueue.ts'

export interface WakesOptions {
  clock: Clock
  log: Log
  /** Passes over a source; a throw backs it off. */
  passOver(source: string): Promise<void>
  /** Observes a resource, by kind/name. */
  lookAt(id: string): Promise<void>
}

const SOURCE_KEY = 'source:'

/** Somebody changed it, or may have: observed before whatever was to be looked at anyway. */
const LIVE_PRIORITY = 10
/** Looked at for no reason but that time has passed. */
const RESYNC_PRIORITY = -1

/** While a resource is being changed its observation waits, in milliseconds. */
const IN_FLIGHT_MS = 200

export class Wakes {
  readonly #queue: Workqueue

  constructor({ clock, log, passOver, lookAt }: WakesOptions) {
    this.#queue = new Workqueue({
      clock,
      handle: (key) => (key.startsWith(SOURCE_KEY) ? passOver(key.slice(SOURCE_KEY.length)) : lookAt(key)),
      onError: (key, error, retryInMs) =>
        log.warn({ key, error: (error as Error).message, retry_in_ms: retryInMs }, 'work failed'),
    })
  }

  get depth(): number {
    return this.#queue.depth
  }

  /** A source may have something new, `afterMs` from now. */
  source(name: string, afterMs = 0): void {
    this.#queue.addAfter(SOURCE_KEY + name, afterMs)
  }

  /** A resource moved on the live system. */
  live(id: string): void {
    this.#queue.add(id, LIVE_PRIORITY)
  }

  /** A resource is being changed by a run: it is looked at a little later. */
  later(id: string): void {
    this.#queue.addAfter(id, IN_FLIGHT_MS, LIVE_PRIORITY)
  }

  /** A resource was changed by a run. */
  changed(id: string): void {
    this.#queue.add(id)
  }

  /** A resource has not been looked at for long. */
  stale(id: string): void {
    this.#queue.add(id, RESYNC_PRIORITY)
  }

  /** Takes nothing more and resolves when what runs has ended. */
  async stop(): Promise<void> {
    await this.#queue.stop()
  }
}
