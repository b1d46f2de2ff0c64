import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import { cursorOf, listName, pageOf } from '../../platform/http/lists.ts'
import * as operations from '../../schemas/operations/docstore.ts'
import { mcpRoutes } from './mcp.ts'
import { authorOf, viewerOf, type Docstore } from '../../services/docstore/face.ts'

export function docstoreRoutes(app: FastifyInstance, docstore: Docstore): void {
  // Before validation: while documents are unavailable, every request fails with 501 or 503.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.url?.startsWith('/v1/documents')) docstore.documents()
    done()
  })
  documentRoutes(app, docstore)
  memoryRoutes(app, docstore)
  mcpRoutes(app, docstore)
}

function documentRoutes(app: FastifyInstance, docstore: Docstore): void {
  implement(app, operations.createDocument, async ({ body, actor }) => {
    const created_by = body.created_by ?? authorOf(actor)
    const document = await docstore.documents().create({ ...body, created_by }, actor)
    return { success: true, document }
  })
  implement(app, operations.listDocuments, async ({ query, raw }) => {
    const { tags, created_by, q } = query
    const words = tags?.split(',').map((tag) => tag.trim())
    const filter = { tags: words?.filter((tag) => tag !== ''), created_by, q }
    const cursor = cursorOf(query, undefined, listName(operations.listDocuments, raw))
    const found = await docstore.documents().list(filter, cursor ?? pageOf(query) ?? {})
    return 'next' in found ? (found as never) : { success: true, documents: found.items, total: found.total }
  })
  implement(app, operations.getDocument, ({ params }) => docstore.documents().get(params.id))
  implement(app, operations.updateDocument, ({ params, body, actor }) =>
    docstore.documents().update(params.id, body, actor),
  )
  implement(app, operations.deleteDocument, async ({ params, actor }) => {
    await docstore.documents().delete(params.id, actor)
    return { success: true, deleted: true }
  })
  implement(app, operations.listRevisions, ({ params }) => docstore.documents().revisions(params.id))
  implement(app, operations.getRevision, ({ params }) =>
    docstore.documents().revision(params.id, Number(params.revision)),
  )
}

function memoryRoutes(app: FastifyInstance, { memories }: Docstore): void {
  implement(app, operations.createMemory, ({ body, actor }) => memories.create(viewerOf(actor), body))
  implement(app, operations.listMemories, ({ query: { type, tag, created_by, visibility }, part, actor }) =>
    memories.list(viewerOf(actor), { type, tag, created_by, visibility }, part),
  )
  implement(app, operations.getMemory, ({ params, actor }) => memories.get(viewerOf(actor), params.id))
  implement(app, operations.deleteMemory, ({ params, actor }) => memories.delete(viewerOf(actor), params.id))
  implement(app, operations.setMemoryVisibility, ({ params, body, actor }) =>
    memories.setVisibility(viewerOf(actor), params.id, body),
  )
  implement(app, operations.searchMemories, ({ body, actor }) => memories.search(viewerOf(actor), body))
}
