// Ends the parser process at its limits. A thread does this, because a parser blocks the main thread.
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

/** Resident memory in MiB. */
const MOST_MEMORY = 640
const INTERVAL_MS = 50

/** `url`: the program, which calls `watch` in its thread. */
export function startWatch(url: string): void {
  new Worker(new URL(url), { resourceLimits: { maxOldGenerationSizeMb: 32 } }).unref()
}

export function watch(): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > MOST_MEMORY * 1024 * 1024) end(`used more than ${MOST_MEMORY} MiB of memory`)
  }, INTERVAL_MS)
  // The parent holds the other end of standard input, and never writes to it.
  new Socket({ fd: 0, readable: true }).on('close', () => end('')).resume()
}

function end(reason: string): void {
  writeSync(2, reason)
  process.kill(process.pid, 'SIGKILL')
}
