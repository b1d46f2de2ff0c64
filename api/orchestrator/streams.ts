// WebSockets of the orchestrator: the monitoring streams, and the socket agents dial.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { bearerToken } from '../../platform/http/identity.ts'
import { invalid, Problem } from '../../platform/problem.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'

const AgentId = Type.Object({ agent_id: Type.String({ format: 'uuid' }) })
interface AgentId {
  agent_id: string
}
const IS_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Upgrade routes: everything before the handler runs as for HTTP, so a refusal is an HTTP answer. */
export function streamRoutes(
  app: FastifyInstance,
  { agents, sockets, streams }: Pick<Orchestrator, 'agents' | 'sockets' | 'streams'>,
): void {
  app.route({
    method: 'GET',
    url: '/stream',
    schema: { summary: 'Every frame of every agent, as a WebSocket of newline-delimited JSON' },
    handler: needsUpgrade,
    wsHandler: (socket) => app.streams.frames(socket, (listener) => streams.subscribe(listener)),
  })

  app.route<{ Params: AgentId }>({
    method: 'GET',
    url: '/stream/:agent_id',
    schema: { summary: 'The frames of one agent, as a WebSocket', params: AgentId },
    preHandler: async ({ params }) => void (await agents.get(params.agent_id)),
    handler: needsUpgrade,
    wsHandler: (socket, { params }) =>
      app.streams.frames(socket, (listener) => streams.subscribe(listener, params.agent_id)),
  })

  app.route<{ Params: AgentId; Querystring: { token?: string | string[] } }>({
    method: 'GET',
    url: '/ws/:agent_id',
    config: { auth: 'own' },
    schema: { summary: 'The socket an agent dials, with its own secret as bearer token or ?token=' },
    preHandler: async (request) => {
      const { agent_id: id } = request.params
      const token = bearerToken(request) ?? [request.query.token].flat()[0] ?? null
      if (!IS_UUID.test(id) || !(await sockets.admit(id, token)))
        throw new Problem(401, 'the agent socket opens with the secret of that agent’s current launch alone')
    },
    handler: needsUpgrade,
    wsHandler: (socket, { params }) => sockets.attach(params.agent_id, socket),
  })
}

async function needsUpgrade(_request: FastifyRequest, reply: FastifyReply): Promise<never> {
  void reply.header('upgrade', 'websocket')
  throw invalid('this address is a WebSocket: connect with a WebSocket client')
}
