import type { FastifyInstance } from 'fastify'
import { implement } from '../platform/http/implement.ts'
import * as operations from '../schemas/operations/code-index.ts'
import { pageOf } from '../platform/http/lists.ts'
import type { CodeIndex } from '../services/code-index/face.ts'

export function indexRoutes(app: FastifyInstance, index: CodeIndex): void {
  implement(app, operations.search, ({ body }) => index.search(body))
  implement(app, operations.searchAgentic, ({ body, actor }) => index.searchAgentic(body, actor))
  implement(app, operations.createRepository, ({ body, actor }) => index.create(body, actor))
  implement(app, operations.listRepositories, async ({ query }) => {
    const { items, total } = await index.list(pageOf(query) ?? {})
    return { repositories: items, total }
  })
  implement(app, operations.getRepository, ({ params }) => index.get(params.id))
  implement(app, operations.updateRepository, ({ params, body, actor }) => index.update(params.id, body, actor))
  implement(app, operations.deleteRepository, ({ params, actor }) => index.delete(params.id, actor))
  implement(app, operations.getRepositoryStatus, ({ params }) => index.status(params.id))
  implement(app, operations.readFileLines, ({ params, query }) => index.readFileLines(params.id, query))
  implement(app, operations.reindexRepository, async ({ params }) => {
    await index.reindex(params.id)
    return { status: 'pending' as const }
  })
}
