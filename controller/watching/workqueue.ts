// The controller's queue of keys: de-duplicated, prioritised, backed off, and never one key twice at once.
//
// A key is idle, waiting (due now or later) or running. `add` on a waiting key keeps the earlier time and the higher
// priority; on a running key it marks it dirty, and the key waits again the moment it ends. `stop` lets running keys
// end and takes nothing more.
import TinyQueue from 'tinyqueue'
import { outside } from '../../platform/async/detached.ts'
import type { Clock, Timer } from '../../platform/core/clock.ts'

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
  /** By the clock that nobody sets. */
  due: number
  priority: number
}

interface Later {
  key: string
  /** What it waits for; another one by now where it was added again meanwhile. */
  entry: Waiting
}

/** In the order of their time. */
const byDue = (a: Later, b: Later): number => a.entry.due - b.entry.due

/** Keys in the order of their arrival, each once. */
class Line {
  readonly #keys = new Set<string>()
  /** Goes on where it was: one that begins anew passes over all that was taken out before. */
  #order = this.#keys.values()

  get size(): number {
    return this.#keys.size
  }

  add(key: string): void {
    this.#keys.add(key)
  }

  delete(key: string): void {
    this.#keys.delete(key)
  }

  take(): string | undefined {
    if (this.#keys.size === 0) return undefined
    let first = this.#order.next()
    // One that came to its end sees nothing of what is added later.
    if (first.done) first = (this.#order = this.#keys.values()).next()
    this.#keys.delete(first.value!)
    return first.value
  }
}

export class Workqueue {
  readonly #options: Required<WorkqueueOptions>
  readonly #waiting = new Map<string, Waiting>()
  /** Of the waiting keys those that are due, by priority. */
  readonly #due = new Map<number, Line>()
  /** Of the waiting keys those whose time has not come, the soonest first. */
  #later = new TinyQueue<Later>([], byDue)
  readonly #running = new Map<string, Waiting | null>()
  /** How often each key failed since it last succeeded. */
  readonly #failures = new Map<string, number>()
  #timer: Timer | null = null
  /** When the timer fires. */
  #fires = Number.POSITIVE_INFINITY
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
    const now = this.#options.clock.monotonic()
    const entry = { due: now + afterMs, priority }
    if (this.#running.has(key)) this.#running.set(key, earlier(this.#running.get(key) ?? null, entry))
    else this.#wait(key, earlier(this.#waiting.get(key) ?? null, entry), now)
    if (afterMs > 0) this.#arm()
    else this.#runDue()
  }

  /** Takes nothing more and resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    for (const keys of [this.#waiting, this.#due]) keys.clear()
    this.#later = new TinyQueue<Later>([], byDue)
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #wait(key: string, entry: Waiting, now: number): void {
    const before = this.#waiting.get(key)
    this.#waiting.set(key, entry)
    if (entry.due > now) return void (before !== entry && this.#later.push({ key, entry }))
    if (before && before.priority !== entry.priority) this.#due.get(before.priority)?.delete(key)
    if (!this.#due.has(entry.priority)) this.#due.set(entry.priority, new Line())
    this.#due.get(entry.priority)!.add(key)
  }

  #runDue(): void {
    const now = this.#options.clock.monotonic()
    for (let next = this.#soonest(); next && next.entry.due <= now; next = this.#soonest()) {
      this.#later.pop()
      this.#wait(next.key, next.entry, now)
    }
    while (this.#running.size < this.#options.concurrency) {
      const next = this.#next()
      if (next === undefined) break
      this.#waiting.delete(next)
      this.#running.set(next, null)
      void outside(() => this.#work(next))
    }
    this.#arm()
  }

  /** The first of those whose time has not come; what was added again for another time is dropped on the way. */
  #soonest(): Later | undefined {
    for (;;) {
      const first = this.#later.peek()
      if (!first || this.#waiting.get(first.key) === first.entry) return first
      this.#later.pop()
    }
  }

  /** Sees to it that the timer fires when the next key is due, and not before. */
  #arm(): void {
    const due = this.#soonest()?.entry.due ?? Number.POSITIVE_INFINITY
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

  /** Takes the first key of the highest priority out of those due. */
  #next(): string | undefined {
    let best: Line | undefined
    let highest = Number.NEGATIVE_INFINITY
    for (const [priority, line] of this.#due)
      if (line.size > 0 && priority > highest) [best, highest] = [line, priority]
    return best?.take()
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
    if (again && !this.#stopped) this.#wait(key, again, this.#options.clock.monotonic())
    if (this.#stopped && this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
    if (!this.#stopped) this.#runDue()
  }

  /** Doubles from the base to the longest; up to a quarter less at random, so that failures do not march in step. */
  #backOff(failures: number): number {
    const full = Math.min(this.#options.maxDelayMs, this.#options.baseDelayMs * 2 ** (failures - 1))
    return Math.round(full * (1 - this.#options.random() / 4))
  }
}

/** The same object where nothing becomes earlier or more urgent. */
function earlier(known: Waiting | null, added: Waiting): Waiting {
  if (!known) return added
  if (known.due <= added.due && known.priority >= added.priority) return known
  return { due: Math.min(known.due, added.due), priority: Math.max(known.priority, added.priority) }
}
