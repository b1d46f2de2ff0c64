// Work done again and again beside everything else: by the clock, with longer and longer waits while it fails.
import type { Clock, Timer } from '../core/clock.ts'
import type { Log } from '../core/log/log.ts'
import { outside } from './detached.ts'

export interface BackgroundOptions {
  clock: Clock
  log: Log
  /** What the work is called in the log: `audit trim`. */
  name: string
  /** Milliseconds from the end of one run to the beginning of the next. */
  everyMs: number
  /** Longest wait after failures, which double it; default a minute, or `everyMs` where that is longer. */
  longestMs?: number
  /** Whether the first run begins at once and not after `everyMs`; default false. */
  atOnce?: boolean
  /** One run. The signal aborts when the loop is stopped. */
  work(signal: AbortSignal): Promise<unknown>
}

const LONGEST_MS = 60_000

/** A loop that runs until it is stopped. Runs never overlap. */
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

  /** Runs now, whatever the wait; once more after a run that is under way. */
  wake(): void {
    if (this.#stopped.signal.aborted) return
    this.#timer?.cancel()
    if (this.#running) this.#wanted = true
    else this.#running = outside(() => this.#run())
  }

  /** Begins no further run, tells the present one to end, and waits for it. */
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
      if (this.#failures > 0) log.info({ task: name, failures: this.#failures }, 'background work succeeds again')
      this.#failures = 0
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      this.#failures++
      const facts = { task: name, failures: this.#failures, wait_ms: this.#wait(), error: (error as Error).message }
      log.error(facts, 'background work failed; it is tried again')
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

/** Starts the loop; stop it with `await loop.stop()`. */
export function background(options: BackgroundOptions): Background {
  return new Background(options)
}
