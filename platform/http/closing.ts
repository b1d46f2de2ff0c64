import type { FastifyInstance } from 'fastify'
import { unavailable } from '../core/problem.ts'

const GOING_AWAY = 1001
/** Milliseconds; repeated, because node closes idle connections only once. */
const IDLE_LOOK_MS = 20

/**
 * On close: refuses new requests with 503, sends sockets 1001, ends streams, closes connections after their response,
 * and cuts the rest after `graceMs`.
 */
export function installClosing(app: FastifyInstance, graceMs: number): void {
  let isClosing = false
  app.addHook('onRequest', (_request, reply, done) => {
    if (!isClosing) return done()
    reply.header('connection', 'close')
    throw unavailable('the daemon is stopping: retry when it is running again', 'stopping')
  })
  app.addHook('preClose', async () => {
    isClosing = true
    app.streams.endAll()
    for (const socket of app.websocketServer.clients) socket.close(GOING_AWAY, 'the daemon is stopping')
    const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS).unref()
    // Also after the server has closed: its sockets can belong to connections of another server, which hands them on.
    setTimeout(() => {
      for (const socket of app.websocketServer.clients) socket.terminate()
      app.server.closeAllConnections()
    }, graceMs).unref()
    if (!app.server.listening) return clearInterval(idle)
    app.server.once('close', () => clearInterval(idle))
  })
}
