import { answersOfRoutes, refusalsOfRoutes } from '../stand.ts'
import { serveOrchestratorRoutes } from './stand.ts'

serveOrchestratorRoutes()

answersOfRoutes([
  ['GET /policies', undefined, 200, []],
  ['GET /policies/readers', undefined, 200, { name: 'p' }],
  ['PUT /policies/new', { mode: 'deny_all' }, 201, { name: 'new' }],
  ['PUT /policies/old', { mode: 'deny_all' }, 200, { name: 'old' }],
  ['DELETE /policies/old', undefined, 204, null],
])

refusalsOfRoutes({
  'an unknown mode': ['PUT /policies/p', { mode: 'allow' }, 'mode'],
  'a policy name with a space': ['PUT /policies/a%20b', { mode: 'deny_all' }, 'name'],
})
