import { useInfiniteQuery } from '@tanstack/react-query'
import type { Slice } from '../../schemas/operations/page.ts'
import { useReadAgain } from './use-read-again.ts'

interface PageRequest {
  query: { after: string; limit: number }
  signal: AbortSignal
}

export interface Pages<Item> {
  /** Null until the first page is read. */
  items: readonly Item[] | null
  error: unknown
  hasMore: boolean
  isReading: boolean
  readMore(): void
  readAgain(): void
}

const PAGE = 20
/** Interval of reads while work is running, whose end no topic reports. */
export const RUNNING_READ_MS = 2000

/**
 * Records without a live topic, by cursor. The pages read so far are read again when `mark` changes, and while one of
 * them is running.
 */
export function usePages<Item>(
  key: readonly unknown[],
  list: (request: PageRequest) => Promise<Slice<Item>>,
  mark: string,
  isRunning: (item: Item) => boolean,
): Pages<Item> {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => list({ query: { after: pageParam, limit: PAGE }, signal }),
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isRunning)) ? RUNNING_READ_MS : false,
  })
  useReadAgain(mark, refetch)
  return {
    items: data?.pages.flatMap(({ items }) => items) ?? null,
    error,
    hasMore: hasNextPage,
    isReading: isFetching,
    readMore: () => void fetchNextPage(),
    readAgain: () => void refetch(),
  }
}
