// Whether this process keeps up: blocked event loop, and file descriptors that run out.
import { readdir, readFile } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { OPEN_FILES_ADVICE } from '../async/unexpected-errors.ts'

const MOST_LAG_MS = 1000
/** Reports the longest delay of this and the previous window. */
const WINDOW_MS = 5000
/** Share of the file descriptors above which new connections may soon be refused. */
const MOST_OPEN = 0.9

export class ProcessHealth {
  readonly #delay = monitorEventLoopDelay({ resolution: 200 })
  #before = 0
  #windows: NodeJS.Timeout | null = null

  start(): void {
    this.#delay.enable()
    this.#windows = setInterval(() => {
      this.#before = this.#delay.max
      this.#delay.reset()
    }, WINDOW_MS).unref()
  }

  stop(): void {
    if (this.#windows !== null) clearInterval(this.#windows)
    this.#delay.disable()
  }

  /** Returns extra fields of /health: none, or why the process is degraded and what to do. */
  async read(): Promise<Record<string, unknown>> {
    const reason = this.#lagFault() ?? (await openFilesFault())
    return reason === null ? {} : { status: 'degraded', reason }
  }

  #lagFault(): string | null {
    const lag = Math.max(this.#before, this.#delay.max) / 1e6
    if (lag <= MOST_LAG_MS) return null
    return (
      `the event loop was blocked for ${(lag / 1000).toFixed(1)} s in the last ${(2 * WINDOW_MS) / 1000} s: ` +
      'stop the agent or client that sends the most requests (see http_requests_total in /metrics), or give the daemon more CPU'
    )
  }
}

/** Null also on systems without /proc. */
export async function openFilesFault(folder = '/proc/self'): Promise<string | null> {
  try {
    const limits = await readFile(`${folder}/limits`, 'utf8')
    const most = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
    const open = (await readdir(`${folder}/fd`)).length
    return open > most * MOST_OPEN ? `${open} of ${most} file descriptors are open: ${OPEN_FILES_ADVICE}` : null
  } catch (error) {
    const isOut = (error as NodeJS.ErrnoException).code === 'EMFILE'
    return isOut ? `all file descriptors are open: ${OPEN_FILES_ADVICE}` : null
  }
}
