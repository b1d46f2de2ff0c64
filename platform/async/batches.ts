import { Problem } from '../core/problem.ts'
import DataLoader from 'dataloader'
import { SerialQueue } from './serial-queue.ts'

/** Returns a result or error per item, in order. */
export type BatchWork<In, Out> = (items: readonly In[]) => Promise<readonly (Out | Error)[]>

/**
 * Returns a function that collects items into batches of at most `most` and runs one batch at a time. If `work` throws,
 * retries each item alone, except on a 503.
 */
export function inBatches<In, Out>(most: number, work: BatchWork<In, Out>): (item: In) => Promise<Out> {
  const queue = new SerialQueue()
  const loader = new DataLoader<In, Out>((items) => queue.run(() => togetherOrAlone(items, work)), {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: (dispatch) => void queue.drained().then(() => setImmediate(dispatch)),
  })
  return (item) => loader.load(item)
}

async function togetherOrAlone<In, Out>(
  items: readonly In[],
  work: BatchWork<In, Out>,
): Promise<readonly (Out | Error)[]> {
  try {
    return await work(items)
  } catch (error) {
    if (items.length === 1 || (error instanceof Problem && error.status === 503)) throw error
    const alone: (Out | Error)[] = []
    for (const item of items)
      alone.push(
        await work([item]).then(
          ([result]) => result!,
          (reason: Error) => reason,
        ),
      )
    return alone
  }
}
