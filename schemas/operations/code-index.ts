// What can be asked of the code index.
import * as Type from 'typebox'
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
  summary: 'Find code by what it does, by its words, or by both',
  readOnly: true,
  body: SearchRequest,
  faultStatus: 422,
  reply: { 200: SearchReply },
  errors: [404, 422, 500],
})

export const searchAgentic = operation('index.searchAgentic', 'POST /search/agentic', {
  summary: 'Find lines of files by a basic regular expression; needs no index',
  readOnly: true,
  body: AgenticRequest,
  faultStatus: 422,
  reply: { 200: AgenticReply },
  errors: [422, 500],
})

export const createRepository = operation('index.createRepository', 'POST /repositories', {
  summary: 'Register a directory, and index it from now on',
  guard: 'source',
  body: RepositoryInput,
  reply: { 201: Repository },
  errors: [409],
})

export const listRepositories = operation('index.listRepositories', 'GET /repositories', {
  summary: 'All repositories, newest first',
  query: Type.Object(pageMembers),
  reply: { 200: RepositoryList },
})

export const getRepository = one('index.getRepository', '/repositories/:id', {
  summary: 'One repository',
  params: Id,
  item: Repository,
})

export const updateRepository = operation('index.updateRepository', 'PATCH /repositories/:id', {
  summary: 'Change its name, languages or patterns; what is left out stays',
  guard: 'source',
  params: Id,
  body: RepositoryUpdate,
  reply: { 200: Repository },
  errors: [404],
})

export const deleteRepository = operation('index.deleteRepository', 'DELETE /repositories/:id', {
  summary: 'Forget a repository; its chunks stay in the store and are found no more',
  guard: 'source',
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const getRepositoryStatus = one('index.getRepositoryStatus', '/repositories/:id/status', {
  summary: 'How a repository is, and how far its indexing',
  params: Id,
  item: RepositoryState,
})

export const reindexRepository = operation('index.reindexRepository', 'POST /repositories/:id/reindex', {
  summary: 'Index a repository anew',
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
    reindexRepository,
  },
)
