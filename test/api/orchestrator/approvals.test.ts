import { expect, test } from 'vitest'
import { answersOfRoutes, ask, calls, ID, refusalsOfRoutes } from '../stand.ts'
import { approval, serveOrchestratorRoutes } from './stand.ts'

serveOrchestratorRoutes()

const { policy } = approval

answersOfRoutes([
  [`GET /agents/${ID}/approvals?status=pending`, undefined, 200, [{ status: 'pending', policy }]],
  ['GET /approvals', undefined, 200, [{ status: 'pending', policy }]],
  [`GET /approvals?agent=${ID}&status=denied`, undefined, 200, [{ id: ID }]],
  [`GET /approvals/${ID}`, undefined, 200, { status: 'pending', policy }],
  [`GET /approvals/${ID}/similar`, undefined, 200, [{ status: 'denied' }]],
  [`POST /approvals/${ID}/approve`, undefined, 200, { status: 'approved', policy }],
  [`POST /approvals/${ID}/deny`, { reason: 'no' }, 409, { title: 'Conflict' }],
  ['GET /approvals?after=&limit=1', undefined, 200, { items: [{ id: ID }], next: null, counts: { total: 1 } }],
  ['POST /approvals/decide', { verdict: 'deny', ids: [ID] }, 200, { results: [{ id: ID, problem: null }] }],
  [`POST /approvals/${ID}/withdraw`, undefined, 200, { status: 'pending', policy }],
])

refusalsOfRoutes({
  'an unknown scope': [`POST /approvals/${ID}/approve`, { scope: 'always' }, 'scope'],
  'a decision on no request': ['POST /approvals/decide', { verdict: 'deny', ids: [] }, 'ids'],
  'a request that is named twice': ['POST /approvals/decide', { verdict: 'deny', ids: [ID, ID] }, 'ids'],
  'a decision on several requests for the session': [
    'POST /approvals/decide',
    { verdict: 'approve', ids: [ID], scope: 'session' },
    'scope',
  ],
  'a decision without a verdict': ['POST /approvals/decide', { ids: [ID] }, 'verdict'],
  'a filter by agent that is no id': ['GET /approvals?agent=planner', undefined, 'agent'],
})

test('filters by agent and status, and passes the limits of similar decisions', async () => {
  await ask(`GET /approvals?agent=${ID}&status=denied`)
  await ask(`GET /approvals/${ID}/similar?limit=1000`)
  expect(calls).toEqual([
    { method: 'approvals.list', args: [{ status: 'denied', agentId: ID }, null] },
    { method: 'approvals.similar', args: [ID, { limit: 50, offset: 0 }] },
  ])
})
