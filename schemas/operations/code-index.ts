// What can be asked of the code index.
import Type from 'typebox'
import {
  ReindexReply,
  Repository,
  RepositoryInput,
  RepositoryList,
  RepositoryState,
  RepositoryUpdate,
} from '../code-index/repository.ts'
import { AgenticReply, AgenticRequest, SearchReply, SearchRequest } from '../code-index/search.ts'
import { operation, operations } from './operation.ts'
import { pageMembers } from './page.ts'
import { Id } from './parameters.ts'

export const search = operation({
  id: 'index.search',
  summary: 'Find code by what it does, by its words, or by both',
  method: 'POST',
  path: '/search',
  readOnly: true,
  body: SearchRequest,
  faultStatus: 422,
  reply: { 200: SearchReply },
  errors: [404, 422, 500],
})

export const searchAgentic = operation({
  id: 'index.searchAgentic',
  summary: 'Find lines of files by a basic regular expression; needs no index',
  method: 'POST',
  path: '/search/agentic',
  readOnly: true,
  body: AgenticRequest,
  faultStatus: 422,
  reply: { 200: AgenticReply },
  errors: [422, 500],
})

export const createRepository = operation({
  id: 'index.createRepository',
  summary: 'Register a directory, and index it from now on',
  method: 'POST',
  path: '/repositories',
  guard: 'source',
  body: RepositoryInput,
  reply: { 201: Repository },
  errors: [409],
})

export const listRepositories = operation({
  id: 'index.listRepositories',
  summary: 'All repositories, newest first',
  method: 'GET',
  path: '/repositories',
  query: Type.Object(pageMembers),
  reply: { 200: RepositoryList },
})

export const getRepository = operation({
  id: 'index.getRepository',
  summary: 'One repository',
  method: 'GET',
  path: '/repositories/:id',
  params: Id,
  reply: { 200: Repository },
  errors: [404],
})

export const updateRepository = operation({
  id: 'index.updateRepository',
  summary: 'Change its name, languages or patterns; what is left out stays',
  method: 'PATCH',
  path: '/repositories/:id',
  guard: 'source',
  params: Id,
  body: RepositoryUpdate,
  reply: { 200: Repository },
  errors: [404],
})

export const deleteRepository = operation({
  id: 'index.deleteRepository',
  summary: 'Forget a repository; its chunks stay in the store and are found no more',
  method: 'DELETE',
  path: '/repositories/:id',
  guard: 'source',
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const getRepositoryStatus = operation({
  id: 'index.getRepositoryStatus',
  summary: 'How a repository is, and how far its indexing',
  method: 'GET',
  path: '/repositories/:id/status',
  params: Id,
  reply: { 200: RepositoryState },
  errors: [404],
})

export const reindexRepository = operation({
  id: 'index.reindexRepository',
  summary: 'Index a repository anew',
  method: 'POST',
  path: '/repositories/:id/reindex',
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
