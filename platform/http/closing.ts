// A server that stops: says goodbye to every socket, and waits for nobody longer than it said.
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../core/problem.ts'

/** Close code of a server that goes away. */
const GOING_AWAY = 1001
/** Milliseconds between two looks for connections whose last answer has been given: node itself looks for them once. */
const IDLE_LOOK_MS = 20

/**
 * Sockets get 1001, endless responses end, a connection is closed when it has its answer, what is still open after
 * `graceMs` is cut, new requests are 503.
 * Needs `app.websocketServer` and `app.streams`.
 */
export function installClosing(app: FastifyInstance, graceMs: number): void {
  let isClosing = false
  app.addHook('onRequest', (_request, reply, done) => {
    if (!isClosing) return done()
    reply.header('connection', 'close')
    throw unavailable('the daemon is stopping: try again when it is back', 'stopping')
  })
  app.addHook('preClose', async () => {
    isClosing = true
    app.streams.endAll()
    for (const socket of app.websocketServer.clients) socket.close(GOING_AWAY, 'the daemon is stopping')
    const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS)
    const cut = setTimeout(() => {
      for (const socket of app.websocketServer.clients) socket.terminate()
      app.server.closeAllConnections()
    }, graceMs)
    app.server.once('close', () => {
      clearInterval(idle)
      clearTimeout(cut)
    })
  })
}
