import type { EventEmitter } from 'node:events'
import { unexpected } from '../platform/async/unexpected-errors.ts'
import type { Log } from '../platform/core/log/log.ts'

const LOST_TERMINAL = ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']
const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const

/**
 * Logs and counts uncaught errors. The process continues, because writes are transactions and queues keep running.
 * Returns a function that removes the handlers.
 */
export function outliveUnexpected(log: Pick<Log, 'error'>, source: EventEmitter = process): () => void {
  const caught = (error: unknown, origin: unknown) => {
    // Logging to a closed output would throw again.
    if (LOST_TERMINAL.includes((error as NodeJS.ErrnoException | null)?.code ?? '')) return
    unexpected(log, 'process', error, typeof origin === 'string' ? { origin } : { origin: 'unhandledRejection' })
  }
  for (const event of UNCAUGHT) source.on(event, caught)
  return () => {
    for (const event of UNCAUGHT) source.off(event, caught)
  }
}
