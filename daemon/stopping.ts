// Stops the parts of the daemon one after the other, and waits for none of them longer than it may take.
import type { Log } from '../platform/log.ts'

export interface Part {
  name: string
  stop(): Promise<unknown> | void
  /** Milliseconds before the next part is stopped all the same. */
  withinMs: number
}

/** Stops in the order given; a part that fails or hangs is logged and left behind. */
export async function stopInOrder(parts: readonly Part[], log: Log): Promise<void> {
  for (const part of parts) {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`did not stop within ${part.withinMs} ms`)), part.withinMs)
    })
    try {
      await Promise.race([Promise.resolve(part.stop()), late])
    } catch (error) {
      log.warn({ part: part.name, err: error }, 'part did not stop cleanly')
    } finally {
      clearTimeout(timer)
    }
  }
}
