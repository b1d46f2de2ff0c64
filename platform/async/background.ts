// Periodic background work with exponential backoff on failure.
import type { Clock, Timer } from '../core/clock.ts'
import type { Log } from '../core/log/log.ts'
import { outside } from './detached.ts'

export interface BackgroundOptions {
  clock: Clock
  log: Log
  /** Name in the log: `audit trim`. */
  name: string
  /** Milliseconds from the end of a run to the start of the next. */
  everyMs: number
  /** Maximum backoff in milliseconds; default a minute or `everyMs`, whichever is longer. */
  longestMs?: number
  /** Starts the first run immediately instead of after `everyMs`. */
  atOnce?: boolean
  work(signal: AbortSignal): Promise<unknown>
}

const LONGEST_MS = 60_000

/** Runs never overlap. */
export class Background {
  readonly #options: BackgroundOptions
  readonly #stopped = new AbortController()
  #timer: Timer | null = null
  #running: Promise<void> | null = null
  #wanted = false
  #failures = 0

  constructor(options: BackgroundOptions) {
    this.#options = options
    if (options.atOnce) this.wake()
    else this.#arm()
  }

  /** Starts a run now, or another one after the current run. */
  wake(): void {
    if (this.#stopped.signal.aborted) return
    this.#timer?.cancel()
    if (this.#running) this.#wanted = true
    else this.#running = outside(() => this.#run())
  }

  /** Aborts the current run, waits for it, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#timer?.cancel()
    await this.#running
  }

  async #run(): Promise<void> {
    await this.#attempt()
    this.#running = null
    if (this.#stopped.signal.aborted) return
    if (this.#wanted) {
      this.#wanted = false
      this.wake()
    } else this.#arm()
  }

  async #attempt(): Promise<void> {
    const { work, log, name } = this.#options
    try {
      await work(this.#stopped.signal)
      if (this.#failures > 0) log.info({ task: name, failures: this.#failures }, 'background work recovered')
      this.#failures = 0
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      this.#failures++
      const facts = { task: name, failures: this.#failures, wait_ms: this.#wait(), error: (error as Error).message }
      log.error(facts, 'background work failed; retrying')
    }
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(this.#wait(), () => this.wake())
  }

  #wait(): number {
    const { everyMs, longestMs = LONGEST_MS } = this.#options
    return Math.min(everyMs * 2 ** this.#failures, Math.max(longestMs, everyMs))
  }
}

export function background(options: BackgroundOptions): Background {
  return new Background(options)
}
