// The controller's queue of keys: de-duplicated, prioritised, backed off, and never one key twice at once.
//
// A key is idle, waiting (due now or later) or running. `add` on a waiting key keeps the earlier time and the higher
// priority; on a running key it marks it dirty, and the key waits again the moment it ends. `stop` lets running keys
// end and takes nothing more.
import type { Clock, Timer } from '../platform/clock.ts'

export interface WorkqueueOptions {
  clock: Clock
  /** Works on one key; a throw backs the key off, a return forgets its failures. */
  handle(key: string): Promise<void>
  /** Called with what `handle` threw. */
  onError(key: string, error: unknown, retryInMs: number): void
  /** Keys worked on at once. Default 8. */
  concurrency?: number
  /** First delay after a failure, in milliseconds; doubles each time. Default 1000. */
  baseDelayMs?: number
  /** Longest back-off, in milliseconds. Default 300 000. */
  maxDelayMs?: number
  /** A number in [0, 1) that spreads retries. Default Math.random. */
  random?(): number
}

interface Waiting {
  due: number
  priority: number
  order: number
}

export class Workqueue {
  readonly #options: Required<WorkqueueOptions>
  readonly #waiting = new Map<string, Waiting>()
  readonly #running = new Map<string, Waiting | null>()
  readonly #failures = new Map<string, number>()
  #timer: Timer | null = null
  #order = 0
  #stopped = false
  #idle: (() => void)[] = []

  constructor(options: WorkqueueOptions) {
    this.#options = { concurrency: 8, baseDelayMs: 1000, maxDelayMs: 300_000, random: Math.random, ...options }
  }

  /** Keys that wait or run. */
  get depth(): number {
    return this.#waiting.size + this.#running.size
  }

  /** Adds `key` for now. Higher priority goes first; default 0. Does nothing once stopped. */
  add(key: string, priority = 0): void {
    this.addAfter(key, 0, priority)
  }

  /** Adds `key` for `afterMs` from now; a key already waiting keeps the earlier time. */
  addAfter(key: string, afterMs: number, priority = 0): void {
    if (this.#stopped) return
    const due = this.#options.clock.now() + afterMs
    const entry = { due, priority, order: this.#order++ }
    if (this.#running.has(key)) this.#running.set(key, earlier(this.#running.get(key) ?? null, entry))
    else this.#waiting.set(key, earlier(this.#waiting.get(key) ?? null, entry))
    this.#pump()
  }

  /** How often `key` failed since it last succeeded. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0
  }

  /** Takes nothing more and resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    this.#waiting.clear()
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #pump(): void {
    this.#timer?.cancel()
    this.#timer = null
    const now = this.#options.clock.now()
    while (this.#running.size < this.#options.concurrency) {
      const next = this.#next(now)
      if (!next) break
      this.#waiting.delete(next)
      this.#running.set(next, null)
      void this.#work(next)
    }
    if (this.#running.size < this.#options.concurrency && this.#waiting.size > 0) {
      const soonest = Math.min(...[...this.#waiting.values()].map((entry) => entry.due))
      this.#timer = this.#options.clock.after(Math.max(0, soonest - now), () => this.#pump())
    }
  }

  #next(now: number): string | undefined {
    let best: [string, Waiting] | undefined
    for (const entry of this.#waiting) {
      if (entry[1].due > now) continue
      if (!best || entry[1].priority > best[1].priority || (entry[1].priority === best[1].priority && entry[1].order < best[1].order)) best = entry
    }
    return best?.[0]
  }

  async #work(key: string): Promise<void> {
    try {
      await this.#options.handle(key)
      this.#failures.delete(key)
    } catch (error) {
      const failures = this.failures(key) + 1
      this.#failures.set(key, failures)
      const delay = this.#backOff(failures)
      this.#options.onError(key, error, delay)
      this.addAfter(key, delay)
    }
    const again = this.#running.get(key)
    this.#running.delete(key)
    if (again && !this.#stopped) this.#waiting.set(key, again)
    if (this.#stopped && this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
    if (!this.#stopped) this.#pump()
  }

  /** Doubles from the base to the longest; up to a quarter less at random, so that failures do not march in step. */
  #backOff(failures: number): number {
    const full = Math.min(this.#options.maxDelayMs, this.#options.baseDelayMs * 2 ** (failures - 1))
    return Math.round(full * (1 - this.#options.random() / 4))
  }
}

function earlier(known: Waiting | null, added: Waiting): Waiting {
  if (!known) return added
  return { due: Math.min(known.due, added.due), priority: Math.max(known.priority, added.priority), order: known.order }
}
