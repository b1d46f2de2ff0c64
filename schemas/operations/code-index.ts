import * as Type from 'typebox'
import { FileLines, FileQuery, fileQueryFaults } from '../code-index/file.ts'
import {
  ReindexReply,
  Repository,
  RepositoryInput,
  RepositoryList,
  RepositoryState,
  RepositoryUpdate,
} from '../code-index/repository.ts'
import { AgenticReply, AgenticRequest, SearchReply, SearchRequest } from '../code-index/search.ts'
import { one, operation, operations } from './operation.ts'
import { pageMembers } from './page.ts'
import { Id } from './parameters.ts'

export const search = operation('index.search', 'POST /search', {
  identity: 'none',
  summary: 'Search code by meaning, keywords or both',
  readOnly: true,
  body: SearchRequest,
  faultStatus: 422,
  reply: { 200: SearchReply },
  errors: [404, 422, 500],
})

export const searchAgentic = operation('index.searchAgentic', 'POST /search/agentic', {
  identity: 'caller',
  summary: 'Search files by regular expression, without an index',
  readOnly: true,
  personal: true,
  body: AgenticRequest,
  faultStatus: 422,
  reply: { 200: AgenticReply },
  errors: [422, 500],
})

export const createRepository = operation('index.createRepository', 'POST /repositories', {
  summary: 'Register a directory and keep it indexed',
  guard: 'source',
  body: RepositoryInput,
  reply: { 201: Repository },
  errors: [409, 422],
})

export const listRepositories = operation('index.listRepositories', 'GET /repositories', {
  identity: 'none',
  summary: 'List repositories, newest first',
  query: Type.Object(pageMembers),
  reply: { 200: RepositoryList },
})

export const getRepository = one('index.getRepository', '/repositories/:id', {
  identity: 'none',
  summary: 'Show a repository',
  params: Id,
  item: Repository,
})

export const updateRepository = operation('index.updateRepository', 'PATCH /repositories/:id', {
  summary: 'Update a repository; omitted fields keep their values',
  guard: 'source',
  params: Id,
  body: RepositoryUpdate,
  reply: { 200: Repository },
  errors: [404],
})

export const deleteRepository = operation('index.deleteRepository', 'DELETE /repositories/:id', {
  summary: 'Remove a repository from the index',
  guard: 'source',
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const getRepositoryStatus = one('index.getRepositoryStatus', '/repositories/:id/status', {
  identity: 'none',
  summary: 'Show the status and indexing progress of a repository',
  params: Id,
  item: RepositoryState,
})

export const readFileLines = operation('index.readFileLines', 'GET /repositories/:id/file', {
  identity: 'none',
  summary: 'Read lines of an indexed file',
  params: Id,
  query: FileQuery,
  check: ({ query }) => fileQueryFaults(query),
  reply: { 200: FileLines },
  errors: [404, 422],
})

export const reindexRepository = operation('index.reindexRepository', 'POST /repositories/:id/reindex', {
  summary: 'Rebuild the index of a repository',
  guard: 'none',
  params: Id,
  reply: { 202: ReindexReply },
  errors: [404],
})

export const indexOperations = operations(
  { service: 'index', port: 17012 },
  {
    search,
    searchAgentic,
    createRepository,
    listRepositories,
    getRepository,
    updateRepository,
    deleteRepository,
    getRepositoryStatus,
    readFileLines,
    reindexRepository,
  },
)
