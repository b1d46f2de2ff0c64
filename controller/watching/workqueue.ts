// Deduplicating priority queue with back-off. A key is idle, waiting (due now or later) or running, and never runs
// twice at once. Adding a waiting key keeps the earlier time and higher priority; a running key waits again when it
// ends.
import TinyQueue from 'tinyqueue'
import { outside } from '../../platform/async/detached.ts'
import type { Clock, Timer } from '../../platform/core/clock.ts'

export interface WorkqueueOptions {
  clock: Clock
  /** Throwing backs the key off; returning resets its failures. */
  handle(key: string): Promise<void>
  onError(key: string, error: unknown, retryInMs: number): void
  /** Default 8. */
  concurrency?: number
  /** First back-off; doubles per failure. Default 1000. */
  baseDelayMs?: number
  /** Longest back-off. Default 300 000. */
  maxDelayMs?: number
  /** In [0, 1), for jitter. Default Math.random. */
  random?(): number
}

interface Waiting {
  due: number
  priority: number
}

interface Place {
  key: string
  /** Outdated if the key was added again. */
  entry: Waiting
  /** Order among due keys of equal priority. */
  arrival: number
}

const bySoonest = (a: Place, b: Place): number => a.entry.due - b.entry.due
const byPriority = (a: Place, b: Place): number => b.entry.priority - a.entry.priority || a.arrival - b.arrival

export class Workqueue {
  readonly #options: Required<WorkqueueOptions>
  readonly #waiting = new Map<string, Waiting>()
  #due = new TinyQueue<Place>([], byPriority)
  #later = new TinyQueue<Place>([], bySoonest)
  #arrivals = 0
  readonly #running = new Map<string, Waiting | null>()
  readonly #failures = new Map<string, number>()
  #timer: Timer | null = null
  /** Due time of the timer; infinite without one. */
  #fires = Number.POSITIVE_INFINITY
  #stopped = false
  #idle: (() => void)[] = []

  constructor(options: WorkqueueOptions) {
    this.#options = { concurrency: 8, baseDelayMs: 1000, maxDelayMs: 300_000, random: Math.random, ...options }
  }

  get depth(): number {
    return this.#waiting.size + this.#running.size
  }

  /** Higher priority runs first; default 0. Does nothing after stop(). */
  add(key: string, priority = 0): void {
    this.addAfter(key, 0, priority)
  }

  /** A waiting key keeps the earlier time. */
  addAfter(key: string, afterMs: number, priority = 0): void {
    if (this.#stopped) return
    const now = this.#options.clock.monotonic()
    const entry = { due: now + afterMs, priority }
    if (this.#running.has(key)) this.#running.set(key, earlier(this.#running.get(key) ?? null, entry))
    else this.#wait(key, earlier(this.#waiting.get(key) ?? null, entry))
    if (afterMs > 0) this.#arm()
    else this.#runDue()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    this.#waiting.clear()
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #wait(key: string, entry: Waiting): void {
    if (this.#waiting.get(key) === entry) return
    this.#waiting.set(key, entry)
    const isDue = entry.due <= this.#options.clock.monotonic()
    ;(isDue ? this.#due : this.#later).push({ key, entry, arrival: this.#arrivals++ })
  }

  #runDue(): void {
    const now = this.#options.clock.monotonic()
    for (let next = this.#first(this.#later); next && next.entry.due <= now; next = this.#first(this.#later))
      this.#due.push({ ...this.#later.pop()!, arrival: this.#arrivals++ })
    while (this.#running.size < this.#options.concurrency) {
      const key = this.#first(this.#due)?.key
      if (key === undefined) break
      this.#due.pop()
      this.#waiting.delete(key)
      this.#running.set(key, null)
      void outside(() => this.#work(key))
    }
    this.#arm()
  }

  #first(queue: TinyQueue<Place>): Place | undefined {
    for (;;) {
      const first = queue.peek()
      if (!first || this.#waiting.get(first.key) === first.entry) return first
      queue.pop()
    }
  }

  #arm(): void {
    const due = this.#first(this.#later)?.entry.due ?? Number.POSITIVE_INFINITY
    if (due === this.#fires) return
    this.#timer?.cancel()
    this.#timer = null
    this.#fires = due
    if (due === Number.POSITIVE_INFINITY) return
    const left = Math.max(0, due - this.#options.clock.monotonic())
    this.#timer = this.#options.clock.after(left, () => {
      this.#fires = Number.POSITIVE_INFINITY
      this.#runDue()
    })
  }

  async #work(key: string): Promise<void> {
    try {
      await this.#options.handle(key)
      this.#failures.delete(key)
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1
      this.#failures.set(key, failures)
      const delay = this.#backOff(failures)
      this.#options.onError(key, error, delay)
      this.addAfter(key, delay)
    }
    const again = this.#running.get(key)
    this.#running.delete(key)
    if (again && !this.#stopped) this.#wait(key, again)
    if (this.#stopped && this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
    if (!this.#stopped) this.#runDue()
  }

  /** Reduced by up to a quarter at random, so that failures do not synchronise. */
  #backOff(failures: number): number {
    const full = Math.min(this.#options.maxDelayMs, this.#options.baseDelayMs * 2 ** (failures - 1))
    return Math.round(full * (1 - this.#options.random() / 4))
  }
}

/** Returns `known` if nothing becomes earlier or more urgent. */
function earlier(known: Waiting | null, added: Waiting): Waiting {
  if (!known) return added
  if (known.due <= added.due && known.priority >= added.priority) return known
  return { due: Math.min(known.due, added.due), priority: Math.max(known.priority, added.priority) }
}
