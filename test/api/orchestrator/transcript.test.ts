import { expect, test } from 'vitest'
import { answersOfRoutes, app, ask, calls, ID, refusalsOfRoutes } from '../stand.ts'
import { serveOrchestratorRoutes } from './stand.ts'

serveOrchestratorRoutes()

const CONTENT = `/agents/${ID}/transcript/${ID}/content`

answersOfRoutes([
  [`GET /agents/${ID}/transcript`, undefined, 200, { items: [], kept_since: null }],
  [`GET /agents/${ID}/transcript?after=&limit=7`, undefined, 200, { next: null, previous: null }],
])

refusalsOfRoutes({
  'two cursors': [`GET /agents/${ID}/transcript?after=a&before=b`, undefined, 'before'],
  'an offset': [`GET /agents/${ID}/transcript?offset=7`, undefined, 'offset'],
  'an entry that is not a UUID': [`GET /agents/${ID}/transcript/7/content`, undefined, 'entry'],
})

test('asks for the last page without a cursor, and clamps the limit', async () => {
  await ask(`GET /agents/${ID}/transcript`)
  await ask(`GET /agents/${ID}/transcript?after=here&limit=1000`)
  expect(calls).toEqual([
    { method: 'transcripts.page', args: [ID, { side: 'before', cursor: '', limit: 50 }] },
    { method: 'transcripts.page', args: [ID, { side: 'after', cursor: 'here', limit: 200 }] },
  ])
})

test('serves a whole text as plain text, or as JSON', async () => {
  const plain = await app.inject({ method: 'GET', url: CONTENT, headers: { accept: 'text/html' } })
  expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(plain.body).toBe('<b>whole</b>')
  const json = await app.inject({ method: 'GET', url: CONTENT, headers: { accept: 'application/json' } })
  expect(json.json()).toEqual({ text: '<b>whole</b>' })
})
