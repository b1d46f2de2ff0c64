import { answersOfRoutes, ID, refusalsOfRoutes } from '../stand.ts'
import { serveOrchestratorRoutes } from './stand.ts'

serveOrchestratorRoutes()

answersOfRoutes([
  [`GET /agents/${ID}/approvals?status=pending`, undefined, 200, [{ status: 'pending' }]],
  ['GET /approvals', undefined, 200, [{ status: 'pending' }]],
  [`GET /approvals/${ID}`, undefined, 200, { status: 'pending' }],
  [`POST /approvals/${ID}/approve`, undefined, 200, { status: 'approved' }],
  [`POST /approvals/${ID}/deny`, { reason: 'no' }, 409, { title: 'Conflict' }],
])

refusalsOfRoutes({
  'an unknown scope': [`POST /approvals/${ID}/approve`, { scope: 'always' }, 'scope'],
})
