// What nobody caught in the daemon's process.
import type { EventEmitter } from 'node:events'
import { unexpected } from '../platform/async/unexpected-errors.ts'
import type { Log } from '../platform/core/log/log.ts'

const LOST_TERMINAL = ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']
const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const

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
