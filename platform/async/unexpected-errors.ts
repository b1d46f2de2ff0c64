// What nobody foresaw: a throw where no caller is left to be told. It is logged with its context and counted, never
// unseen.
import { inspect } from 'node:util'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log/log.ts'

/** Where it was caught; a label of the metric. `process`: nowhere, so that only the process saw it. */
export const UNEXPECTED_PLACES = ['frame', 'feed', 'timer', 'process'] as const
export type UnexpectedPlace = (typeof UNEXPECTED_PLACES)[number]

const counts = new Map<UnexpectedPlace, number>(UNEXPECTED_PLACES.map((place) => [place, 0]))

/** Since the process started. */
export const unexpectedErrors = (): Readonly<Record<string, number>> => Object.fromEntries(counts)

/** Logs and counts a throw. Never throws itself. */
export function unexpected(
  log: Pick<Log, 'error'>,
  place: UnexpectedPlace,
  error: unknown,
  facts: Record<string, unknown> = {},
): void {
  counts.set(place, (counts.get(place) ?? 0) + 1)
  log.error({ ...facts, place, err: error instanceof Error ? error : new Error(inspect(error)) }, 'unexpected error')
}

/** A clock whose timers cannot end the process: what a callback throws is logged and counted. */
export function guardedClock(clock: Clock, log: Pick<Log, 'error'>): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, callback) =>
      clock.after(ms, () => {
        try {
          callback()
        } catch (error) {
          unexpected(log, 'timer', error)
        }
      }),
  }
}
