// The daemon as a process: it is told to stop by a signal, from its first line on.
import type { EventEmitter } from 'node:events'

/** Milliseconds after which the process ends whatever still runs. */
const LONGEST_STOP_MS = 10_000

export interface ProcessHooks {
  signals: EventEmitter
  /** Ends the process at once. */
  exit(code: number): void
}

/** Aborts at the first SIGTERM or SIGINT. A second one, or ten seconds, ends the process without waiting. */
export function stopSignal({ signals, exit }: ProcessHooks): AbortSignal {
  const stop = new AbortController()
  const ask = () => {
    if (stop.signal.aborted) return exit(130)
    setTimeout(() => exit(1), LONGEST_STOP_MS).unref()
    stop.abort()
  }
  for (const signal of ['SIGTERM', 'SIGINT']) signals.on(signal, ask)
  return stop.signal
}
