// Routes of the manifest schemas, for editors.
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { Problem } from '../../platform/problem.ts'
import { findKind, kinds, kindsToCome } from '../../schemas/kinds.ts'

const SUFFIX = '.json'
const Listed = Type.Object({
  kind: Type.String(),
  title: Type.String(),
  manifest_kind: Type.String(),
  path: Type.String(),
})

export function schemaRoutes(app: FastifyInstance): void {
  app.get(
    '/schemas',
    { schema: { summary: 'The kinds that have a schema', response: { 200: Type.Array(Listed) } } },
    async () =>
      kinds.map(({ kind, title, manifestKind }) => ({
        kind,
        title,
        manifest_kind: manifestKind,
        path: `/schemas/${kind}${SUFFIX}`,
      })),
  )

  app.get<{ Params: { file: string } }>(
    '/schemas/:file',
    { schema: { summary: 'JSON Schema of a kind, as <kind>.json', produces: ['application/schema+json'] } },
    async ({ params }, reply) => {
      return reply.type('application/schema+json').send(manifestSchema(params.file))
    },
  )
}

function manifestSchema(file: string): object {
  const word = file.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : ''
  const kind = findKind(word, kinds)
  if (kind)
    return { ...kind.schema, $schema: 'https://json-schema.org/draft/2020-12/schema', $id: `urn:svc:v1:${kind.kind}` }
  const known = kinds.map((each) => `${each.kind}${SUFFIX}`).join(', ')
  throw new Problem(
    404,
    findKind(word, kindsToCome)
      ? `schema ${file} is not available yet: there are ${known}`
      : `schema ${file} does not exist: there are ${known}`,
  )
}
