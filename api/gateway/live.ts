import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Actor } from '../../platform/core/actor.ts'
import { implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/gateway/live.ts'
import type { Gateway } from '../../services/gateway/face.ts'

export function liveRoutes(app: FastifyInstance, { live, sessions }: Gateway): void {
  implement(app, operations.live, {
    admit: async ({ actor }) => live.admit(actor),
    open: (socket, { actor, raw }) => {
      const session = live.connect(visitorOf(actor, raw, sessions), lineOf(app, socket))
      socket.on('message', (bytes: Buffer, isBinary: boolean) => session.take(bytes, isBinary))
      socket.once('close', () => session.end())
      socket.on('error', () => socket.terminate())
    },
  })
}

function visitorOf(
  actor: Actor,
  { session, holder }: Pick<FastifyRequest, 'session' | 'holder'>,
  sessions: Gateway['sessions'],
): Parameters<Gateway['live']['connect']>[0] {
  return {
    caller: actor,
    actor: session === null ? actor : null,
    admit: (key) => (sessions.admits(session, key) ? actor : null),
    renew: async () => {
      if (holder === null) return actor
      const now = await sessions.current(holder, session)
      // An agent has its own rights, whoever's token or session it uses.
      return now && (actor.role === undefined ? actor : { ...actor, role: now.role })
    },
  }
}

function lineOf(app: FastifyInstance, socket: WebSocket) {
  const { send } = app.streams.writer(socket)
  return {
    send,
    close: (code: number, reason: string) => socket.close(code, reason),
    get bufferedBytes() {
      return socket.bufferedAmount
    },
  }
}
