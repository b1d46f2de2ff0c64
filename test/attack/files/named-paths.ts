// Fields of operations and manifests that may hold a path, found by their names.
import type { TSchema } from 'typebox'
import { kinds } from '../../../schemas/kinds.ts'
import { everyService } from '../../../schemas/operations/services.ts'
import type { Operation } from '../../../schemas/operations/operation.ts'

interface Shape {
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: TSchema[]
  oneOf?: TSchema[]
  allOf?: TSchema[]
}

const PATH = /(^|_)(paths?|dirs?|director(y|ies)|folders?|files?|roots?|cwd|absent|location|worktree|checkout)$/i

/** Names of the form `body.manifests.path`, by operation or kind. */
export const namedPaths = (): Record<string, string[]> => {
  const operations = everyService.flatMap(({ operations: members }) => Object.values<Operation>(members))
  const ofOperations = operations.map((operation) => [operation.id, pathsOf(operation)] as const)
  const ofKinds = kinds.map(({ kind, schema }) => [kind, pathsOf({ body: schema })] as const)
  const all = [...ofOperations, ...ofKinds].filter(([, paths]) => paths.size > 0)
  return Object.fromEntries(all.map(([id, paths]) => [id, [...paths].sort()]))
}

function pathsOf(operation: { params?: TSchema; query?: TSchema; body?: TSchema }): Set<string> {
  const found = new Set<string>()
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = operation[part]
    if (schema) collect(schema, part, found)
  }
  return found
}

function collect(schema: TSchema, at: string, found: Set<string>): void {
  const { properties = {}, patternProperties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema as Shape
  for (const [name, member] of Object.entries(properties)) {
    if (PATH.test(name)) found.add(`${at}.${name}`)
    collect(member, `${at}.${name}`, found)
  }
  for (const each of [...Object.values(patternProperties), ...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf])
    collect(each, at, found)
}
