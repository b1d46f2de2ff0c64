import { createContext, useCallback, useContext, useRef, useSyncExternalStore } from 'react'
import type { Clients } from '../client/clients.ts'
import type { ConnectionState } from './connection.ts'
import type { Gap, LiveStore, TopicDefinition, TopicState } from './live-store.ts'
import { TopicCache } from './topic-cache.ts'

export interface Live {
  clients: Clients
  /** Address of the API without a slash at the end: `/api`. */
  api: string
  /** Sends a request that the daemon named, by its path at the gateway: `/api/controller/…`. */
  send(method: string, path: string, body?: unknown): Promise<unknown>
  store: LiveStore
  /** Calls the listener when the state of the connection changes. Returns a function that ends it. */
  subscribe(listener: () => void): () => void
  connection(): ConnectionState
  /** Daemon time in milliseconds of the loss until the connection is live again, else null. */
  lostAt(): number | null
  retry(): void
}

const LiveContext = createContext<Live | null>(null)
export const LiveProvider = LiveContext.Provider

export function useLive(): Live {
  const live = useContext(LiveContext)
  if (live === null) throw new Error('no LiveProvider above this component')
  return live
}

export function useConnection(): ConnectionState {
  const live = useLive()
  return useSyncExternalStore(live.subscribe, live.connection, live.connection)
}

export function useLostAt(): number | null {
  const live = useLive()
  return useSyncExternalStore(live.subscribe, live.lostAt, live.lostAt)
}

export interface TopicView<Item> {
  cache: TopicCache<Item>
  state: TopicState
  /** True once all records have been read. */
  isKnown: boolean
  /** Of the last read. */
  gaps: readonly Gap[]
}

const NO_GAPS: readonly Gap[] = []
const LOADING: TopicState = { kind: 'loading' }
const NONE = new TopicCache<never>()

/** Follows a topic while the component is mounted. Renders when its state changes, not when its records do. */
export function useTopic<Item>(topicOf: (clients: Clients) => TopicDefinition<Item>): TopicView<Item> {
  const { clients, store } = useLive()
  const definition = topicOf(clients)
  const { name } = definition
  const subscribe = useCallback((listener: () => void) => store.use(definition, listener), [store, name])
  const current = () => store.find(name)?.state ?? LOADING
  const state = useSyncExternalStore(subscribe, current, current)
  const topic = store.find(name)
  const cache = (topic?.cache ?? NONE) as TopicCache<Item>
  return { cache, state, isKnown: topic?.isKnown ?? false, gaps: topic?.gaps ?? NO_GAPS }
}

/** All records. Renders with every change: for lists of at most some hundred records. */
export function useRecords<Item>(cache: TopicCache<Item>): readonly Item[] {
  const values = () => cache.values
  return useSyncExternalStore(cache.subscribe, values, values)
}

/** A figure over all records. Renders when the figure changes. */
export function useFigure<Item>(
  cache: TopicCache<Item>,
  figure: (records: readonly Item[]) => number | string,
): number | string {
  // React asks several times for each change.
  const last = useRef<{ records: readonly Item[]; figure: unknown; is: number | string } | null>(null)
  const current = () => {
    const records = cache.values
    if (last.current?.records !== records || last.current.figure !== figure)
      last.current = { records, figure, is: figure(records) }
    return last.current.is
  }
  return useSyncExternalStore(cache.subscribe, current, current)
}

/** One record. Renders when it changes. */
export function useRecord<Item>(cache: TopicCache<Item>, id: string): Item | undefined {
  const subscribe = useCallback((listener: () => void) => cache.subscribeTo(id, listener), [cache, id])
  const current = () => cache.get(id)
  return useSyncExternalStore(subscribe, current, current)
}
