// Which reports were made, so that none is repeated while its situation lasts.
import type { Subject } from '../../../schemas/conductor/run.ts'
import type { Reported } from './contract.ts'

/** A nudge may be repeated after this time, and not before, even if its situation ended meanwhile. */
export const NUDGE_INTERVAL = 60 * 60_000

/** For example `gate #7 @<sha>`. */
export function reportKey(subject: Subject, number?: number, version?: string | number): string {
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
  readonly #recorded = new Map<string, number>()
  readonly #unjudged: Subject[] = []

  constructor(before: Reported, time: number) {
    this.#before = before
    this.#time = time
  }

  /** False, too, if the memory cannot be reached. */
  isReported(key: string): boolean {
    return this.#recorded.has(key) || this.#before?.has(key) === true
  }

  /** False if the memory cannot be reached. `interval`: milliseconds after which the report is repeated. */
  isDue(key: string, interval = Infinity): boolean {
    if (this.#before === null || this.#recorded.has(key)) return false
    const reportedAt = this.#before.get(key)
    return reportedAt === undefined || this.#time - reportedAt >= interval
  }

  raise(key: string): void {
    this.#raised.add(key)
  }

  record(key: string): void {
    this.#recorded.set(key, this.#time)
  }

  /** Keeps the keys of subjects that this run did not judge. */
  keep(subjects: readonly Subject[]): void {
    this.#unjudged.push(...subjects)
  }

  /** Reports that the next run must know; null if the memory cannot be reached. */
  remaining(isStopped: boolean): Reported {
    if (this.#before === null) return null
    const kept = [...this.#before].filter(([key, reportedAt]) => isStopped || this.#isCurrent(key, reportedAt))
    return new Map([...kept, ...this.#recorded])
  }

  #isCurrent(key: string, reportedAt: number): boolean {
    if (this.#raised.has(key) || this.#unjudged.some((subject) => key.startsWith(`${subject} #`))) return true
    return key.startsWith('nudge #') && this.#time - reportedAt < NUDGE_INTERVAL
  }
}
