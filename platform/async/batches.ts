// Work on items that wait at the same moment, in batches.
import { Problem } from '../core/problem.ts'
import DataLoader from 'dataloader'
import { SerialQueue } from './serial-queue.ts'

/** Returns the result of each item in its place, or its error. */
export type BatchWork<In, Out> = (items: readonly In[]) => Promise<readonly (Out | Error)[]>

/**
 * A function that does `work` on its item together with the items that wait at that moment, at most `most` of them.
 * Batches run one after the other, so the items that come during one are in the next. If `work` throws, each item is
 * tried alone, unless a 503 says that none can succeed.
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
