import { answersOfRoutes, refusalsOfRoutes } from '../stand.ts'
import { serveOrchestratorRoutes } from './stand.ts'

serveOrchestratorRoutes()

answersOfRoutes([
  ['GET /policies', undefined, 200, []],
  ['GET /policies/readers', undefined, 200, { name: 'p' }],
  ['PUT /policies/new', { mode: 'deny_all' }, 201, { name: 'new' }],
  ['PUT /policies/old', { mode: 'deny_all' }, 200, { name: 'old' }],
  ['DELETE /policies/old', undefined, 204, null],
  ['POST /policies/test', { policy: 'p', recorded: 500 }, 200, { calls: [] }],
])

const deny = { tool_policy: { mode: 'deny_all' } }
refusalsOfRoutes({
  'a test of two policies': ['POST /policies/test', { ...deny, policy: 'p', recorded: 1 }, 'policy'],
  'a test of no policy': ['POST /policies/test', { recorded: 1 }, 'policy'],
  'a test of an invalid policy': [
    'POST /policies/test',
    { tool_policy: { mode: 'allow_list' }, recorded: 1 },
    'tool_policy.mode',
  ],
  'a test without calls': ['POST /policies/test', deny, 'recorded'],
  'a test of too many calls': ['POST /policies/test', { ...deny, recorded: 1001 }, 'recorded'],
  'written calls without an agent': ['POST /policies/test', { ...deny, calls: [{ tool: 'Read', input: {} }] }, 'agent'],
  'an unknown mode': ['PUT /policies/p', { mode: 'allow' }, 'mode'],
  'a policy name with a space': ['PUT /policies/a%20b', { mode: 'deny_all' }, 'name'],
})
