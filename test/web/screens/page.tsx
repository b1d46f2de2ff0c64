// Renders a screen to HTML in Node, with records and answers that a test gives.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { vi } from 'vitest'
import type { Whoami } from '../../../schemas/gateway/session.ts'
import type { Clients } from '../../../web/client/clients.ts'
import { CallerProvider } from '../../../web/frame/caller.tsx'
import { EmptyProvider } from '../../../web/frame/screen-context.ts'
import type { ConnectionState } from '../../../web/live/connection.ts'
import { LiveStore, type Gap, type TopicReader } from '../../../web/live/live-store.ts'
import { PatchQueue } from '../../../web/live/patch-queue.ts'
import { LiveProvider, type Live } from '../../../web/live/use-live.ts'
import { KeyRegistry } from '../../../web/parts/keys/key-reader.ts'
import { KeyProvider } from '../../../web/parts/keys/use-keys.ts'
import { PageClock } from '../../../web/parts/time/page-clock.ts'
import { ClockProvider } from '../../../web/parts/time/use-clock.ts'
import { SCREENS } from '../../../web/routes.ts'

export const NOW = Date.parse('2026-11-27T14:31:07.000Z')

export interface Scene {
  /** Path below the page. */
  path: string
  /** Records by topic; an Error fails the read; without an entry the topic is loading. */
  records?: Readonly<Record<string, readonly { id: string }[] | object>>
  /** Answers of queries, by the first parts of their key. */
  answers?: readonly (readonly [key: readonly unknown[], data: unknown])[]
  caller?: Partial<Whoami>
  /** What the read of the inbox could not contain. */
  gaps?: readonly Gap[]
  /** Time of the loss of the connection. */
  lostAt?: number
}

const nothing = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

/** HTML of the page at a path. */
export async function rendered(scene: Scene): Promise<string> {
  vi.stubGlobal('sessionStorage', nothing)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('location', { hostname: 'atlas', origin: 'http://127.0.0.1:17000' })
  const clock = new PageClock({ now: () => NOW, after: () => () => undefined })
  if (scene.lostAt !== undefined) clock.stop()
  const store = await filledStore(scene.records ?? {}, scene.gaps ?? [])
  const connection: ConnectionState = { kind: scene.lostAt === undefined ? 'live' : 'connecting' }
  const live: Live = {
    clients: new Proxy({}, { get: () => new Proxy({}, { get: () => () => new Promise(() => undefined) }) }) as Clients,
    api: '/api',
    send: () => new Promise(() => undefined),
    store,
    subscribe: () => () => undefined,
    connection: () => connection,
    lostAt: () => scene.lostAt ?? null,
    retry: () => undefined,
  }
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  for (const [key, data] of scene.answers ?? []) queries.setQueryData(key, data)
  const caller: Whoami = {
    subject: 'mia',
    role: 'operator',
    may: ['approve', 'apply', 'source', 'agent'],
    agent: null,
    ...scene.caller,
  }
  const root = createRootRoute()
  const screens = await Promise.all(
    SCREENS.map(async ({ path, load, empty }) => {
      const { default: Screen } = await load()
      const component = () => (
        <EmptyProvider value={empty}>
          <Screen />
        </EmptyProvider>
      )
      return createRoute({ getParentRoute: () => root, path, component })
    }),
  )
  const history = createMemoryHistory({ initialEntries: [scene.path] })
  const router = createRouter({ routeTree: root.addChildren(screens), history })
  await router.load()
  const html = renderToString(
    <ClockProvider value={clock}>
      <KeyProvider value={new KeyRegistry()}>
        <QueryClientProvider client={queries}>
          <LiveProvider value={live}>
            <CallerProvider value={caller}>
              <RouterProvider router={router} />
            </CallerProvider>
          </LiveProvider>
        </QueryClientProvider>
      </KeyProvider>
    </ClockProvider>,
  )
  // React separates neighbouring texts.
  return html.replaceAll('<!-- -->', '')
}

const TOPICS = ['inbox', 'state', 'drift', 'runs', 'agents', 'workflows']

async function filledStore(records: NonNullable<Scene['records']>, gaps: readonly Gap[]): Promise<LiveStore> {
  const queue = new PatchQueue({ nextFrame: (run) => run(), after: () => () => undefined, isHidden: () => false })
  const none = () => undefined
  const store = new LiveStore({ subscribe: none, unsubscribe: none, after: () => none, queue })
  for (const name of TOPICS) {
    const given = records[name]
    const read: TopicReader<{ id: string }> = async function* (_signal, report) {
      if (name === 'inbox') report(gaps)
      if (!Array.isArray(given)) throw given
      yield given.map((record: { id: string }) => [record.id, record] as const)
    }
    store.use({ name, read }, none)
    if (given === undefined) continue
    store.accepted(name, false)
    while (store.find(name)!.state.kind === 'loading') await Promise.resolve()
  }
  return store
}
