import type { EventEmitter } from 'node:events'

/** Then the process exits regardless of running work. */
const LONGEST_STOP_MS = 10_000

export interface ProcessHooks {
  signals: EventEmitter
  exit(code: number): void
}

/** Aborts on the first SIGTERM or SIGINT; the second exits immediately. */
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
