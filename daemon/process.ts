// The daemon as a process: runs until it is told to stop, by a signal or over its API.
import type { EventEmitter } from 'node:events'
import type { Host } from '../platform/service/define.ts'

/** Milliseconds after which the process ends whatever still runs. */
const LONGEST_STOP_MS = 10_000

export interface ProcessHooks {
  signals: EventEmitter
  /** Ends the process at once. */
  exit(code: number): void
}

/** Resolves when the daemon has stopped. A second signal, or ten seconds, ends the process without waiting. */
export async function runUntilSignal(
  daemon: Pick<Host, 'stop' | 'stopped'>,
  hooks: ProcessHooks = { signals: process, exit: (code) => process.exit(code) },
): Promise<void> {
  let asked = 0
  const ask = () => {
    if (++asked > 1) return hooks.exit(130)
    setTimeout(() => hooks.exit(1), LONGEST_STOP_MS).unref()
    void daemon.stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT']) hooks.signals.on(signal, ask)
  try {
    await daemon.stopped
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT']) hooks.signals.off(signal, ask)
  }
}
