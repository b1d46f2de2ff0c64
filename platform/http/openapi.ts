import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { ProblemBody } from '../../schemas/problem.ts'
import { PROBLEM_TYPE } from './problems.ts'
import { shapesOf } from './schemas.ts'

/** Call before adding routes. */
export async function installOpenApi(app: FastifyInstance, about: { service: string; version: string }): Promise<void> {
  const problem = shapesOf(app)(ProblemBody)
  app.addHook('onRoute', (route) => {
    const schema: FastifySchema = (route.schema ??= {})
    schema.response = {
      ...(schema.response as object),
      default: { description: 'A problem', content: { [PROBLEM_TYPE]: { schema: problem } } },
    }
  })
  await app.register(swagger, {
    convertConstToEnum: false,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `shape-${index}`,
    },
    openapi: {
      openapi: '3.1.0',
      info: { title: about.service, version: about.version, description: `REST interface of ${about.service}` },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'Required when SVC_TOKENS_FILE is set' },
        },
      },
      security: [{ token: [] }, {}],
    },
  })
  app.get('/openapi.json', { schema: { summary: 'This document' } }, async (_request, reply) =>
    // Relative to the address of the document, which the gateway serves at another path.
    reply.type('application/json').send({ ...app.swagger(), servers: [{ url: '.' }] }),
  )
}
