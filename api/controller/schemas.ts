// JSON Schemas of manifests, for editors.
import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import { noSuch } from '../../platform/core/problem.ts'
import { findKind, kinds } from '../../schemas/kinds.ts'
import { Plan } from '../../schemas/plan.ts'
import { getSchema, listSchemas } from '../../schemas/operations/gitops/manifests.ts'

const SUFFIX = '.json'
const SCHEMAS = new Map<string, object>([...kinds.map(({ kind, schema }) => [kind, schema] as const), ['plan', Plan]])

export function schemaRoutes(app: FastifyInstance): void {
  implement(app, listSchemas, async () =>
    kinds.map(({ kind, title, manifestKind }) => ({
      kind,
      title,
      manifest_kind: manifestKind,
      path: `/schemas/${kind}${SUFFIX}`,
    })),
  )
  implement(app, getSchema, async ({ params }) => manifestSchema(params.file))
}

function manifestSchema(file: string): object {
  const word = file.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : ''
  const name = findKind(word, kinds)?.kind ?? word
  const schema = SCHEMAS.get(name)
  if (schema) return { ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema', $id: `urn:svc:v1:${name}` }
  const files = [...SCHEMAS.keys()].map((each) => `${each}${SUFFIX}`)
  throw noSuch('schema', file, files)
}
