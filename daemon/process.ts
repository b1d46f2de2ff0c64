// The daemon as a process: runs until it is told to stop, by a signal or over its API.
import type { EventEmitter } from 'node:events'
import { unexpected } from '../platform/async/unexpected.ts'
import type { Log } from '../platform/log.ts'
import type { Host } from '../platform/service/define.ts'

const LOST_TERMINAL = ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']
const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const

/** Milliseconds after which the process ends whatever still runs. */
const LONGEST_STOP_MS = 10_000

export interface ProcessHooks {
  signals: EventEmitter
  /** Ends the process at once. */
  exit(code: number): void
}

/**
 * What was thrown where nobody caught it ends neither the process nor the agents' supervision: every write is a
 * transaction and every queue goes on with its next piece. It is logged and counted (`unexpected_errors_total`), and a
 * person reads of it. Returns what takes the watch off.
 */
export function outliveUnexpected(log: Pick<Log, 'error'>, source: EventEmitter = process): () => void {
  const caught = (error: unknown, origin: unknown) => {
    // The log itself has nowhere to go any more: to log that would throw again.
    if (LOST_TERMINAL.includes((error as NodeJS.ErrnoException | null)?.code ?? '')) return
    unexpected(log, 'process', error, typeof origin === 'string' ? { origin } : { origin: 'unhandledRejection' })
  }
  for (const event of UNCAUGHT) source.on(event, caught)
  return () => {
    for (const event of UNCAUGHT) source.off(event, caught)
  }
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
