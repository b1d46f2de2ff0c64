// Errors that no caller can handle.
import { inspect } from 'node:util'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log/log.ts'

/** Values of a metric label; `process` is an uncaught error. */
export const UNEXPECTED_PLACES = ['frame', 'feed', 'timer', 'process'] as const
export type UnexpectedPlace = (typeof UNEXPECTED_PLACES)[number]

const counts = new Map<UnexpectedPlace, number>(UNEXPECTED_PLACES.map((place) => [place, 0]))

export const unexpectedErrors = (): Readonly<Record<string, number>> => Object.fromEntries(counts)

export const OPEN_FILES_ADVICE =
  'raise the limit of open files (ulimit -n, or LimitNOFILE= in a systemd unit) and restart the daemon'

/** Next step of an error that is no bug. */
const adviceOn = (error: unknown): { hint?: string } =>
  (error as NodeJS.ErrnoException | null)?.code === 'EMFILE' ? { hint: OPEN_FILES_ADVICE } : {}

/** Logs and counts an error. Never throws. */
export function unexpected(
  log: Pick<Log, 'error'>,
  place: UnexpectedPlace,
  error: unknown,
  facts: Record<string, unknown> = {},
): void {
  counts.set(place, (counts.get(place) ?? 0) + 1)
  const err = error instanceof Error ? error : new Error(inspect(error))
  log.error({ ...facts, place, err, ...adviceOn(error) }, 'unexpected error')
}

/** Wraps a clock: errors of timer callbacks are logged and counted instead of ending the process. */
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
