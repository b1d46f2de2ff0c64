// Which reports were made, so that none is repeated while its situation lasts.
import type { Subject } from '../../../schemas/conductor/run.ts'
import type { Reported } from './contract.ts'

/** A nudge may be repeated after this time, and not before, even if its situation ended meanwhile. */
export const NUDGE_INTERVAL = 60 * 60_000

/** Characters of the reports in a record, which has 65,536 in all. */
const ROOM = 56 * 1024
/** Part of the room that subjects with any number of items leave to the others. */
const RESERVE = 16 * 1024
const BULK: readonly Subject[] = ['stale', 'no-pull-request']

/**
 * For example `gate #7 @<sha>`. `seen`: the time is that of the first run that found a head in the queue. `gate-stop`: a
 * gate has stopped a run, and no post has reported it yet.
 */
export function reportKey(subject: Subject | 'seen' | 'gate-stop', number?: number, version?: string | number): string {
  const item = number === undefined ? '' : ` #${number}`
  return `${subject}${item}${version === undefined ? '' : ` @${version}`}`
}

/**
 * Reports of earlier runs and of this one. A step raises the key of each situation that it finds. A key that was not
 * raised is dropped after a run that was not stopped, so the situation is reported again if it returns.
 */
export class Reports {
  readonly #before: Reported
  readonly #time: number
  readonly #raised = new Set<string>()
  readonly #added = new Map<string, number>()
  readonly #unjudged: Subject[] = []
  /** New keys with room in the record. */
  readonly #reserved = new Set<string>()
  #size: number
  #isFull = false

  constructor(before: Reported, time: number) {
    this.#before = before
    this.#time = time
    this.#size = [...(before ?? [])].reduce((size, [key, at]) => size + sizeOf(key, at), 0)
  }

  /** A key had no room: what it reports was left out. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** False, too, if the memory cannot be reached. */
  isReported(key: string): boolean {
    return this.#added.has(key) || this.#before?.has(key) === true
  }

  /**
   * False if the memory cannot be reached or has no room: a report that is not remembered would be repeated by every run.
   * `interval`: milliseconds after which the report is repeated.
   */
  isDue(key: string, interval = Infinity): boolean {
    if (this.#before === null || this.#added.has(key)) return false
    const reportedAt = this.#before.get(key)
    return reportedAt === undefined ? this.#reserve(key) : this.#time - reportedAt >= interval
  }

  raise(key: string): void {
    this.#raised.add(key)
  }

  /** Time that an earlier run recorded, else the time of this run. */
  firstTime(key: string): number {
    return this.#before?.get(key) ?? this.#time
  }

  /** Raises a key that keeps its first time. */
  addFirst(key: string): void {
    this.raise(key)
    if (this.#before?.has(key) !== true && this.#reserve(key)) this.add(key)
  }

  add(key: string): void {
    this.#added.set(key, this.#time)
  }

  /** Keeps the keys of subjects that this run did not judge. */
  keep(subjects: readonly Subject[]): void {
    this.#unjudged.push(...subjects)
  }

  /** Reports that the next run must know; null if the memory cannot be reached. */
  remaining(isStopped: boolean): Reported {
    if (this.#before === null) return null
    const kept = [...this.#before].filter(([key, reportedAt]) => isStopped || this.#isCurrent(key, reportedAt))
    return new Map([...kept, ...this.#added])
  }

  #reserve(key: string): boolean {
    if (this.#reserved.has(key)) return true
    const size = this.#size + sizeOf(key, this.#time)
    const isBulk = BULK.some((subject) => key.startsWith(`${subject} #`))
    if (size > (isBulk ? ROOM - RESERVE : ROOM)) {
      this.#isFull = true
      return false
    }
    this.#reserved.add(key)
    this.#size = size
    return true
  }

  #isCurrent(key: string, reportedAt: number): boolean {
    if (this.#raised.has(key) || this.#unjudged.some((subject) => key.startsWith(`${subject} #`))) return true
    return key.startsWith('nudge #') && this.#time - reportedAt < NUDGE_INTERVAL
  }
}

/** Characters of an entry of a JSON object. */
const sizeOf = (key: string, at: number): number => JSON.stringify([key, at]).length
