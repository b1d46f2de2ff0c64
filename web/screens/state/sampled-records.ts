import { useMemo, useSyncExternalStore } from 'react'
import type { TopicCache } from '../../live/topic-cache.ts'
import { useNow } from '../../parts/time/use-clock.ts'

const STEP_MS = 1000

/**
 * All records, at once after one was added or removed, else once a second: sorting thousands of them with every change
 * would take most of a core. Rows read their own record.
 */
export function useSampledRecords<Item>(cache: TopicCache<Item>): readonly Item[] {
  const ids = () => cache.ids
  const membership = useSyncExternalStore(cache.subscribe, ids, ids)
  const second = useNow(STEP_MS)
  return useMemo(() => cache.values, [cache, membership, second])
}
