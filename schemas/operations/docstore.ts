// What can be asked of the document store: documents, and memories.
import * as Type from 'typebox'
import {
  checkTitle,
  Document,
  DocumentAtRevision,
  DocumentDeleted,
  DocumentId,
  DocumentInput,
  DocumentList,
  DocumentMade,
  DocumentRevision,
  DocumentUpdate,
  LARGEST_DOCUMENT,
} from '../docstore/document.ts'
import {
  checkMemory,
  FoundMemories,
  Memory,
  MEMORY_TYPES,
  MemoryInput,
  MemoryMade,
  MemorySearch,
  MemoryVisibility,
  VISIBILITIES,
} from '../docstore/memory.ts'
import { list, operation, operations } from './operation.ts'
import { pageMembers } from './page.ts'
import { filterText, Id } from './parameters.ts'

/** As it stands in a path. */
const RevisionNumber = Type.String({ pattern: '^[1-9][0-9]{0,8}$', examples: ['1'] })

const OfDocument = Type.Object({ id: DocumentId })

export const createDocument = operation('docstore.createDocument', 'POST /v1/documents', {
  summary: 'Keep a document; its id is made of its title',
  guard: 'none',
  body: DocumentInput,
  bodyLimit: LARGEST_DOCUMENT,
  check: ({ body }) => checkTitle(body.title),
  reply: { 201: DocumentMade },
  errors: [501],
})

export const listDocuments = operation('docstore.listDocuments', 'GET /v1/documents', {
  summary: 'Documents with any of the tags, by their creator, with all words of q; newest first, the best first with q',
  query: Type.Object({
    tags: filterText('With commas between; any of them matches'),
    created_by: filterText('Who made it'),
    q: filterText('Words of the title or the text; the beginning of a word will do'),
    ...pageMembers,
  }),
  reply: { 200: DocumentList },
  errors: [501],
})

export const getDocument = operation('docstore.getDocument', 'GET /v1/documents/:id', {
  summary: 'One document',
  params: OfDocument,
  reply: { 200: Document },
  errors: [404, 501],
})

export const updateDocument = operation('docstore.updateDocument', 'PATCH /v1/documents/:id', {
  summary: 'Change title, text or tags; its id stays',
  guard: 'none',
  params: OfDocument,
  body: DocumentUpdate,
  bodyLimit: LARGEST_DOCUMENT,
  check: ({ body }) => checkTitle(body.title),
  reply: { 200: Document },
  errors: [404, 409, 501],
})

export const deleteDocument = operation('docstore.deleteDocument', 'DELETE /v1/documents/:id', {
  summary: 'Delete a document and its revisions',
  guard: 'none',
  params: OfDocument,
  reply: { 200: DocumentDeleted },
  errors: [404, 409, 501],
})

export const listRevisions = list('docstore.listRevisions', '/v1/documents/:id/revisions', {
  summary: 'What a document was, newest first: its last 20 revisions at most',
  params: OfDocument,
  item: DocumentRevision,
  errors: [404, 501],
})

export const getRevision = operation('docstore.getRevision', 'GET /v1/documents/:id/revisions/:revision', {
  summary: 'A document as it was',
  params: Type.Object({ id: DocumentId, revision: RevisionNumber }),
  reply: { 200: DocumentAtRevision },
  errors: [404, 501],
})

const ofActor = { personal: true } as const

export const createMemory = operation('docstore.createMemory', 'POST /memories', {
  summary: 'Remember something; tells what is there and says nearly the same',
  guard: 'none',
  body: MemoryInput,
  check: ({ body }) => checkMemory(body),
  reply: { 201: MemoryMade },
  errors: [403, 404],
})

export const listMemories = list('docstore.listMemories', '/memories', {
  summary: 'Memories that who asks may see, newest first',
  query: Type.Object({
    type: Type.Optional(Type.Enum([...MEMORY_TYPES])),
    tag: filterText('One of its tags'),
    created_by: filterText('Whose it is'),
    visibility: Type.Optional(Type.Enum([...VISIBILITIES])),
  }),
  item: Memory,
  ...ofActor,
})

export const getMemory = operation('docstore.getMemory', 'GET /memories/:id', {
  summary: 'One memory, superseded or not',
  params: Id,
  reply: { 200: Memory },
  errors: [404],
  ...ofActor,
})

export const deleteMemory = operation('docstore.deleteMemory', 'DELETE /memories/:id', {
  summary: 'Forget a memory',
  guard: 'none',
  params: Id,
  reply: { 204: null },
  errors: [403, 404],
})

export const setMemoryVisibility = operation('docstore.setMemoryVisibility', 'PUT /memories/:id/visibility', {
  summary: 'Say who sees a memory',
  guard: 'none',
  params: Id,
  body: MemoryVisibility,
  check: ({ body }) => checkMemory(body),
  reply: { 200: Memory },
  errors: [403, 404],
})

export const searchMemories = operation('docstore.searchMemories', 'POST /memories/search', {
  summary: 'Memories with any of the words, the best first; those that were superseded stay out',
  readOnly: true,
  body: MemorySearch,
  reply: { 200: FoundMemories },
  errors: [403],
})

export const docstoreOperations = operations(
  { service: 'docstore', port: 17008 },
  {
    createDocument,
    listDocuments,
    getDocument,
    updateDocument,
    deleteDocument,
    listRevisions,
    getRevision,
    createMemory,
    listMemories,
    getMemory,
    deleteMemory,
    setMemoryVisibility,
    searchMemories,
  },
)
