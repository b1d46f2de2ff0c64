// A server with a few test routes; closed after each test.
import * as Type from 'typebox'
import { onTestFinished } from 'vitest'
import { implement } from '../../../platform/http/implement.ts'
import { shapesOf } from '../../../platform/http/schemas.ts'
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../../platform/http/server.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { conflict } from '../../../platform/core/problem.ts'
import { list } from '../../../schemas/operations/operation.ts'
import { Secret } from '../../../schemas/secret.ts'

const Colour = Type.Object(
  { type: Type.Literal('colour'), shade: Type.Enum(['red', 'green']) },
  { additionalProperties: false },
)
const Size = Type.Object({ type: Type.Literal('size'), metres: Type.Number() }, { additionalProperties: false })
const Thing = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    working_dir: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    count: Type.Optional(Type.Integer()),
    what: Type.Optional(
      Type.Unsafe<object>({ type: 'object', discriminator: { propertyName: 'type' }, oneOf: [Colour, Size] }),
    ),
    rooms: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Object({ name: Type.String() }, { additionalProperties: false })])),
    ),
  },
  { $id: 'Thing', additionalProperties: false },
)
const Id = Type.Object({ id: Type.String({ format: 'uuid' }) })
export const ID = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'

export async function serve(options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  const app = await createHttpServer({
    service: 'svc-sample',
    version: '1.2.3',
    log: noLog,
    config: { bind: '127.0.0.1', hosts: ['svc.example'], tokensFile: null },
    health: async () => ({ things: 3 }),
    ...options,
  })
  onTestFinished(() => app.close())
  const shape = shapesOf(app)
  app.post<{ Body: object }>(
    '/things',
    { schema: { body: shape(Thing), response: { 200: shape(Thing) } } },
    async ({ body }) => body,
  )
  app.get<{ Params: { id: string } }>('/things/:id', { schema: { params: Id } }, async ({ params }) => params)
  app.put('/things/:id', { schema: { params: Id } }, async ({ actor }) => actor)
  app.post('/things/:id/poke', { schema: { params: Id } }, async () => ({ poked: true }))
  app.post<{ Body: object }>(
    '/things/:id/maybe',
    {
      config: { bodyOptional: true },
      schema: {
        params: Id,
        body: Type.Object({ reason: Type.Optional(Type.String()) }, { additionalProperties: false }),
      },
    },
    async ({ body }) => body,
  )
  app.delete('/things/:id', { config: { role: 'admin' }, schema: { params: Id } }, async (_request, reply) =>
    reply.code(204).send(),
  )
  const numbers = list('sample.numbers', '/numbers', { identity: 'none', summary: 'Numbers', item: Type.Integer() })
  implement(app, numbers, async () => Array.from({ length: 300 }, (_, index) => index))
  const items = list('sample.items', '/items', {
    identity: 'none',
    summary: 'Many items',
    query: Type.Object({ many: Type.Integer() }),
    item: Type.Object({ name: Type.String() }),
  })
  implement(app, items, async ({ query }) => Array.from({ length: query.many }, (_, index) => ({ name: `é-${index}` })))
  app.get('/secret', async () => ({ token: new Secret('hunter2') }))
  app.get('/conflict', async () => {
    throw conflict('it is taken')
  })
  app.get('/broken', async () => {
    throw new Error('password=hunter2 at /root/secret.ts')
  })
  app.get('/full', async () => {
    throw Object.assign(new Error('SQLITE_FULL: database or disk is full'), { code: 'SQLITE_FULL' })
  })
  return app
}
