import { createClients, type OperationTable } from '../client/clients.ts'
import { addressesOf, type PageAddress } from '../client/page-address.ts'
import { SessionKey } from '../client/session-key.ts'
import { sendNamed } from '../client/named-request.ts'
import { browserTransport } from '../client/transport.ts'
import { LiveConnection, type ConnectionState, type LiveSocket, type SocketEvents } from '../live/connection.ts'
import { LiveStore } from '../live/live-store.ts'
import { PatchQueue } from '../live/patch-queue.ts'
import type { Live } from '../live/use-live.ts'
import { storageOf } from '../parts/forms/storage.ts'
import { KeyRegistry } from '../parts/keys/key-reader.ts'
import { PageClock } from '../parts/time/page-clock.ts'

export interface Page {
  addresses: PageAddress
  clock: PageClock
  keys: KeyRegistry
  sessionKey: SessionKey
  live: Live
}

const after = (ms: number, run: () => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Time for another tab to answer with the key of the session, in milliseconds. */
const TAB_MS = 300

/** Connects the page with the daemon. `script`: address of the main script. */
export function openPage(table: OperationTable, script: string): Page {
  const addresses = addressesOf(script)
  const clock = new PageClock({ now: Date.now, after })
  const sessionKey = new SessionKey(
    storageOf(() => sessionStorage),
    new BroadcastChannel(`svc-session:${addresses.page}`),
    addresses.page,
  )
  const { connection, store, queue, lostAt, subscribe } = openLive({ addresses, clock, sessionKey })
  const expired = new Promise((resolve) => after(TAB_MS, () => resolve(null)))
  const keyFound = sessionKey.find(expired)
  const transport = browserTransport({
    base: addresses.api,
    fetch: (address, request) => fetch(address, request),
    sessionKey: () => keyFound.then(() => sessionKey.value),
    onSignedOut: (key) => {
      sessionKey.clear(key)
      // Also of a page whose socket is still open: it must offer the sign-in.
      connection.signOut()
    },
  })
  document.addEventListener('visibilitychange', () => {
    clock.setHidden(document.hidden)
    if (document.hidden) return
    queue.flush()
    connection.check()
  })
  void keyFound.then(() => connection.start())
  const live: Live = {
    clients: createClients(table, transport),
    api: addresses.api,
    send: (method, path, body) => sendNamed(transport, { method, path: path.replace(/^\/api(?=\/)/, ''), body }),
    store,
    subscribe,
    connection: () => connection.state,
    lostAt,
    retry: () => connection.retry(),
  }
  return { addresses, clock, keys: new KeyRegistry(), sessionKey, live }
}

/** The connection and the records that it keeps current. The clock of the page stops while it is lost. */
function openLive({ addresses, clock, sessionKey }: Pick<Page, 'addresses' | 'clock' | 'sessionKey'>) {
  const listeners = new Set<() => void>()
  let lostAt: number | null = null
  const queue = new PatchQueue({
    nextFrame: (run) => void requestAnimationFrame(run),
    after,
    isHidden: () => document.hidden,
  })
  const store = new LiveStore({
    subscribe: (topic) => connection.subscribe(topic),
    unsubscribe: (topic) => connection.unsubscribe(topic),
    after,
    queue,
  })
  const changed = ({ kind }: ConnectionState) => {
    if (kind === 'live') {
      lostAt = null
      clock.resume()
    } else if (connection.lostSince !== null && lostAt === null) {
      // The records are as old as the last frame; a page that slept notices the loss later.
      clock.stop(clock.now() - (performance.now() - connection.lostSince))
      lostAt = clock.now()
    }
    for (const listener of listeners) listener()
  }
  const connection = new LiveConnection(
    {
      open: (events) => openSocket(addresses.live, events),
      now: () => performance.now(),
      after,
      random: Math.random,
      sessionKey: () => sessionKey.value,
    },
    {
      changed,
      subscribed: (topic, isResumed) => store.accepted(topic, isResumed),
      items: (topic, items) => store.patch(topic, items),
      refused: (topic, error) => store.refused(topic, error),
      tick: (at) => clock.synchronize(Date.parse(at)),
    },
  )
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { connection, store, queue, lostAt: () => lostAt, subscribe }
}

function openSocket(address: string, events: SocketEvents): LiveSocket {
  const socket = new WebSocket(address)
  socket.addEventListener('open', () => events.opened())
  socket.addEventListener('message', ({ data }) => typeof data === 'string' && events.received(data))
  socket.addEventListener('close', ({ code }) => events.closed(code))
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: () => socket.close(),
  }
}
