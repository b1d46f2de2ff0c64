// POST /shutdown: ends the daemon, and with it the agents' sessions when asked to.
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { forbidden } from '../platform/problem.ts'

const ShutdownInput = Type.Object(
  { agents: Type.Optional(Type.Boolean({ description: 'End the agents’ sessions too; default false' })) },
  { additionalProperties: false },
)

/** From this machine alone, and with the role admin when tokens are on. `stop` is called when the answer is on its way. */
export function shutdownRoute(app: FastifyInstance, stop: (options: { agents: boolean }) => void): void {
  app.post<{ Body: { agents?: boolean } }>(
    '/shutdown',
    {
      config: { bodyOptional: true, role: 'admin' },
      schema: {
        summary: 'Stop the daemon; sessions live on unless agents is true',
        body: ShutdownInput,
        response: { 202: Type.Object({ status: Type.Enum(['stopping']), agents: Type.Boolean() }) },
      },
    },
    async ({ body, socket }, reply) => {
      if (!/^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? ''))
        throw forbidden('the daemon is stopped from its own machine alone')
      const agents = body.agents ?? false
      reply.raw.once('finish', () => stop({ agents }))
      return reply.code(202).send({ status: 'stopping', agents })
    },
  )
}
