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
import { cursorMembers, pageMembers, sliceSchema } from './page.ts'
import { filterText, Id } from './parameters.ts'

const RevisionNumber = Type.String({ pattern: '^[1-9][0-9]{0,8}$', examples: ['1'] })

const OfDocument = Type.Object({ id: DocumentId })

export const createDocument = operation('docstore.createDocument', 'POST /v1/documents', {
  summary: 'Create a document; its id is derived from its title',
  guard: 'none',
  body: DocumentInput,
  bodyLimit: LARGEST_DOCUMENT,
  check: ({ body }) => checkTitle(body.title),
  reply: { 201: DocumentMade },
  errors: [429, 501],
})

export const listDocuments = operation('docstore.listDocuments', 'GET /v1/documents', {
  identity: 'none',
  summary: 'List or search documents',
  query: Type.Object({
    tags: filterText('Comma-separated tags; a document with any of them matches'),
    created_by: filterText('Creator of the document'),
    q: filterText('Words in the title or text; prefixes match. Sorts by relevance instead of newest first'),
    ...pageMembers,
    ...cursorMembers,
  }),
  // Typed without the page by cursor, which our own clients do not read.
  reply: { 200: Type.Unsafe<DocumentList>(Type.Union([DocumentList, sliceSchema(Document)])) },
  tagged: true,
  errors: [501],
})

export const getDocument = operation('docstore.getDocument', 'GET /v1/documents/:id', {
  identity: 'none',
  summary: 'Show a document',
  params: OfDocument,
  reply: { 200: Document },
  errors: [404, 501],
})

export const updateDocument = operation('docstore.updateDocument', 'PATCH /v1/documents/:id', {
  summary: 'Update the title, text or tags of a document',
  guard: 'none',
  params: OfDocument,
  body: DocumentUpdate,
  bodyLimit: LARGEST_DOCUMENT,
  check: ({ body }) => checkTitle(body.title),
  reply: { 200: Document },
  adds: true,
  errors: [404, 409, 429, 501],
})

export const deleteDocument = operation('docstore.deleteDocument', 'DELETE /v1/documents/:id', {
  summary: 'Delete a document and its revisions',
  guard: 'none',
  params: OfDocument,
  reply: { 200: DocumentDeleted },
  errors: [404, 409, 501],
})

export const listRevisions = list('docstore.listRevisions', '/v1/documents/:id/revisions', {
  identity: 'none',
  summary: 'List the latest 20 revisions of a document, newest first',
  params: OfDocument,
  item: DocumentRevision,
  errors: [404, 501],
})

export const getRevision = operation('docstore.getRevision', 'GET /v1/documents/:id/revisions/:revision', {
  identity: 'none',
  summary: 'Show a document at a revision',
  params: Type.Object({ id: DocumentId, revision: RevisionNumber }),
  reply: { 200: DocumentAtRevision },
  errors: [404, 501],
})

export const createMemory = operation('docstore.createMemory', 'POST /memories', {
  summary: 'Store a memory and report similar ones',
  guard: 'none',
  body: MemoryInput,
  check: ({ body }) => checkMemory(body),
  reply: { 201: MemoryMade },
  errors: [403, 404, 429],
})

export const listMemories = list('docstore.listMemories', '/memories', {
  identity: 'caller',
  summary: 'List the memories visible to the caller, newest first',
  query: Type.Object({
    type: Type.Optional(Type.Enum([...MEMORY_TYPES])),
    tag: filterText('A tag of the memory'),
    created_by: filterText('Owner of the memory'),
    visibility: Type.Optional(Type.Enum([...VISIBILITIES])),
  }),
  item: Memory,
  cursors: {},
})

export const getMemory = operation('docstore.getMemory', 'GET /memories/:id', {
  identity: 'caller',
  summary: 'Show a memory, superseded or not',
  params: Id,
  reply: { 200: Memory },
  errors: [404],
})

export const deleteMemory = operation('docstore.deleteMemory', 'DELETE /memories/:id', {
  summary: 'Delete a memory',
  guard: 'none',
  params: Id,
  reply: { 204: null },
  errors: [403, 404],
})

export const setMemoryVisibility = operation('docstore.setMemoryVisibility', 'PUT /memories/:id/visibility', {
  summary: 'Set the visibility of a memory',
  guard: 'none',
  params: Id,
  body: MemoryVisibility,
  check: ({ body }) => checkMemory(body),
  reply: { 200: Memory },
  errors: [403, 404],
})

export const searchMemories = operation('docstore.searchMemories', 'POST /memories/search', {
  identity: 'caller',
  summary: 'Search memories that are not superseded, best match first',
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
