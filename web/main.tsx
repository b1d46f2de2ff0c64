import './look/tokens.css'
import './look/base.css'
import './look/layout.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, Outlet, redirect, RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CallerGate } from './frame/caller.tsx'
import { Frame } from './frame/frame.tsx'
import { EmptyNotice, FailureNotice } from './parts/states/notices.tsx'
import { failureFacts, partOf } from './frame/failures.ts'
import { applyPreference, PREFERENCE_NAMES, readPreference } from './frame/preferences/preferences.ts'
import { EmptyProvider } from './frame/screen-context.ts'
import { openPage } from './frame/open-page.ts'
import { LaterFailures, LaterProvider } from './frame/updates/later-failures.tsx'
import { LiveProvider } from './live/use-live.ts'
import { storageOf } from './parts/forms/storage.ts'
import { KeyProvider, readKeys } from './parts/keys/use-keys.ts'
import { ClockProvider } from './parts/time/use-clock.ts'
import { rootOf, SCREENS } from './routes.ts'
import { table } from './client/table.ts'

const page = openPage(table, import.meta.url)
// Relative to the first address of the page, which changes.
for (const icon of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) icon.setAttribute('href', icon.href)
readKeys(page.keys)
for (const name of PREFERENCE_NAMES)
  applyPreference(
    { dataset: document.documentElement.dataset, keys: page.keys },
    name,
    readPreference(
      storageOf(() => localStorage),
      name,
    ),
  )
const build = { script: import.meta.url, page: page.addresses.page }

const entries = SCREENS.map((screen) => ({ ...screen, root: rootOf(screen) }))

const root = createRootRoute({
  component: () => (
    <CallerGate sessionKey={page.sessionKey}>
      <Frame entries={entries} build={build}>
        <Outlet />
      </Frame>
    </CallerGate>
  ),
})
const first = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: rootOf(SCREENS[0]!) })
  },
})
const screens = SCREENS.map(({ path, load, empty }) => {
  const Screen = lazy(partOf(load))
  const component = () => (
    <EmptyProvider value={empty}>
      <Screen />
    </EmptyProvider>
  )
  return createRoute({ getParentRoute: () => root, path, component })
})
const router = createRouter({
  routeTree: root.addChildren([first, ...screens]),
  basepath: page.addresses.page.replace(/\/$/, ''),
  defaultPreload: false,
  // Also of a part that a newer daemon no longer has: a reload gets the present page.
  defaultErrorComponent: ({ error }) => (
    <FailureNotice facts={failureFacts(error)} retry="Reload" onRetry={() => globalThis.location.reload()} />
  ),
  defaultNotFoundComponent: () => <EmptyNotice what="There is no page at this address." />,
  scrollRestoration: false,
})

const later = new LaterFailures()

/** Records are live: nothing is read again because time has passed or the page is shown. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
    mutations: { retry: false },
  },
})

createRoot(document.getElementById('page')!).render(
  <StrictMode>
    <ClockProvider value={page.clock}>
      <KeyProvider value={page.keys}>
        <QueryClientProvider client={queries}>
          <LiveProvider value={page.live}>
            <LaterProvider value={later}>
              <RouterProvider router={router} />
            </LaterProvider>
          </LiveProvider>
        </QueryClientProvider>
      </KeyProvider>
    </ClockProvider>
  </StrictMode>,
)
