// WebSockets of the orchestrator: monitoring streams and the agent socket.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerToken } from '../../platform/http/identity.ts'
import { implement } from '../../platform/http/implement.ts'
import { Problem } from '../../platform/core/problem.ts'
import * as operations from '../../schemas/operations/orchestrator/streams.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'

const IS_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function streamRoutes(app: FastifyInstance, orchestrator: Orchestrator): void {
  const { agents, sockets, streams } = orchestrator
  implement(app, operations.streamAll, {
    open: (socket, { query: { since } }) =>
      app.streams.frames(socket, (listener, room) =>
        since === undefined ? streams.subscribe(listener) : streams.replay(listener, { since: utc(since), room }),
      ),
  })
  implement(app, operations.streamAgent, {
    admit: async ({ params }) => void (await agents.get(params.agent_id)),
    open: (socket, { params: { agent_id: agentId }, query: { since } }) =>
      app.streams.frames(socket, (listener, room) =>
        since === undefined
          ? streams.subscribe(listener, agentId)
          : streams.replay(listener, { since: utc(since), agentId, room }),
      ),
  })
  implement(app, operations.agentSocket, {
    admit: async ({ params, raw }) => {
      const known = IS_UUID.test(params.agent_id) && (await sockets.admit(params.agent_id, agentToken(raw)))
      if (!known) throw new Problem(401, 'the agent socket requires the secret of the agent’s current launch')
    },
    open: (socket, { params }) => sockets.attach(params.agent_id, socket),
  })
}

/** Stored times are UTC and compared as text. */
const utc = (time: string): string => new Date(time).toISOString()

/** Reads the bearer token, or the query for clients that cannot set headers. */
function agentToken(request: FastifyRequest): string | null {
  const { token } = request.query as { token?: string | string[] }
  return bearerToken(request) ?? [token].flat()[0] ?? null
}
