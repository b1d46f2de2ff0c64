// Parameters of the lists of resources and drift, on a double of the controller's face.
import { expect, test } from 'vitest'
import { resourceRoutes } from '../../api/controller/resources.ts'
import type { Controller } from '../../controller/face.ts'
import { answers, answersOfRoutes, app, ask, calls, ID, refusalsOfRoutes, serveRoutes } from './stand.ts'

const slice = { items: [{ id: 'agents/a' }], next: 'n', previous: null, counts: { total: 1 } }
const face = {
  resources: answers('resources', { items: [{ id: 'agents/a' }], total: 1 }),
  resourceSlice: answers('resourceSlice', slice),
  drift: answers('drift', { items: [], total: 0 }),
  driftSlice: answers('driftSlice', { items: [], next: null, previous: 'p' }),
  planFieldRevert: answers('planFieldRevert', { id: ID, hash: 'h', steps: [] }),
  revertField: answers('revertField', { id: ID, status: 'succeeded' }),
  planRevert: answers('planRevert', { id: ID, hash: 'w', steps: [] }),
  revert: answers('revert', { id: ID, status: 'succeeded' }),
} as unknown as Controller
serveRoutes('controller', (mounted) => resourceRoutes(mounted, face))

answersOfRoutes([
  ['GET /resources', undefined, 200, [{ id: 'agents/a' }]],
  ['GET /resources?limit=9', undefined, 200, { items: [{ id: 'agents/a' }], total: 1, limit: 9, offset: 0 }],
  ['GET /resources?after=', undefined, 200, slice],
  ['GET /resources?before=abc&limit=9', undefined, 200, slice],
  ['GET /drift?after=', undefined, 200, { items: [], next: null, previous: 'p' }],
  [`POST /drift/${ID}/plan`, undefined, 200, { hash: 'h' }],
  [`POST /drift/${ID}/revert`, undefined, 200, { status: 'succeeded' }],
  [`POST /drift/${ID}/revert`, { plan_hash: 'h' }, 200, { status: 'succeeded' }],
  ['POST /drift/agents/a/plan', undefined, 200, { hash: 'w' }],
  ['POST /drift/agents/a/revert', { plan_hash: 'w' }, 200, { status: 'succeeded' }],
])

test('passes filters, order and cursors on', async () => {
  await ask('GET /resources?q=is:odd%20a&kind=agent&source=s&status=Ready&labels=a,b=c&sort=-name&after=')
  await ask('GET /drift?actor=mia&since=2030-01-01T00:00:00Z&until=2030-01-02T00:00:00Z&before=x&limit=7')
  await ask(`POST /drift/${ID}/revert`, { plan_hash: 'h' })
  await ask('POST /drift/agents/a/revert', { plan_hash: 'w' })
  expect(calls).toMatchObject([
    {
      method: 'resourceSlice',
      args: [
        { q: 'is:odd a', kind: 'agent', source: 's', status: 'Ready', labels: 'a,b=c', sort: '-name' },
        { limit: 50, side: 'after', cursor: '' },
      ],
    },
    {
      method: 'driftSlice',
      args: [
        { actor: 'mia', since: '2030-01-01T00:00:00Z', until: '2030-01-02T00:00:00Z' },
        { limit: 7, side: 'before', cursor: 'x' },
      ],
    },
    { method: 'revertField', args: [{ id: ID, planHash: 'h' }, { endpoint: 'POST /drift/{id}/revert' }] },
    { method: 'revert', args: ['agents', 'a', { endpoint: 'POST /drift/{kind}/{name}/revert' }, 'w'] },
  ])
})

test('names the list with its filters and order, whatever the page', async () => {
  const nameOf = async (query: string) => {
    await ask(`GET /resources?after=&${query}`)
    return (calls.at(-1)!.args[1] as { list: string }).list
  }
  const same = await nameOf('q=a&kind=agent')
  expect(await nameOf('kind=agent&limit=7&q=a')).toBe(same)
  const others = ['', 'q=a', 'q=agent&kind=a', 'q=a&kind=agent&sort=name', 'q=a&kind=agent&sort=-name']
  const names = new Set([same])
  for (const query of others) names.add(await nameOf(query))
  expect(names.size).toBe(6)
  await ask('GET /drift?after=')
  expect((calls.at(-1)!.args[1] as { list: string }).list).not.toBe(await nameOf(''))
})

test('clamps the limit of a page by cursor', async () => {
  for (const limit of [-5, 0, 1, 200, 201, 2 ** 40, '1e999']) await ask(`GET /resources?after=&limit=${limit}`)
  expect(calls.map(({ args }) => (args[1] as { limit: number }).limit)).toEqual([1, 1, 1, 200, 200, 200, 200])
})

refusalsOfRoutes({
  'two cursors': ['GET /resources?after=&before=', undefined, 'before'],
  'a cursor and an offset': ['GET /drift?after=x&offset=0', undefined, 'offset'],
  'a limit that is no number': ['GET /resources?after=&limit=many', undefined, 'limit'],
  'a limit with a fraction': ['GET /resources?after=&limit=1.5', undefined, 'limit'],
  'a long cursor': [`GET /resources?after=${'a'.repeat(8193)}`, undefined, 'after'],
  'a long search': [`GET /resources?q=${'a'.repeat(1025)}`, undefined, 'q'],
  'empty labels': ['GET /resources?labels=', undefined, 'labels'],
  'an unknown order': ['GET /resources?sort=size', undefined, 'sort'],
  'an order of another object': ['GET /resources?sort=constructor', undefined, 'sort'],
  'a misspelt parameter': ['GET /resources?aftr=', undefined, 'aftr'],
  'a parameter given twice': ['GET /resources?q=a&q=b', undefined, 'q'],
  'a cursor on a list without cursors': ['GET /drift?cursor=', undefined, 'cursor'],
  'a time without a zone': ['GET /drift?since=2030-01-01T00:00:00', undefined, 'since'],
  'a day that does not exist': ['GET /drift?until=2030-02-30T00:00:00Z', undefined, 'until'],
  'an empty author': ['GET /drift?actor=', undefined, 'actor'],
  'an id that is none': ['POST /drift/7/revert', undefined, 'id'],
  'an id of a plan that is none': ['POST /drift/agents/plan', undefined, 'id'],
  'an unknown member of a revert': [`POST /drift/${ID}/revert`, { hash: 'h' }, 'hash'],
  'a plan hash that is no text': [`POST /drift/${ID}/revert`, { plan_hash: 7 }, 'plan_hash'],
  'an unknown member of a whole revert': ['POST /drift/agents/a/revert', { hash: 'h' }, 'hash'],
})

test('names the value seen and the values expected', async () => {
  const { body } = await ask('GET /resources?sort=nam')
  expect(body.errors).toMatchObject([{ path: 'sort', message: expect.stringMatching(/"?nam"?.*name/s) }])
  const two = await ask('GET /resources?after=&before=')
  expect(two.body.detail).toBe('expected one of after, before and offset; got after and before')
})

test('refuses NUL in every parameter without calling the service', async () => {
  for (const parameter of ['q', 'kind', 'labels', 'after', 'sort'])
    expect((await app.inject(`/resources?${parameter}=a%00b`)).statusCode).toBe(400)
  for (const parameter of ['actor', 'since', 'before'])
    expect((await app.inject(`/drift?${parameter}=a%00b`)).statusCode).toBe(400)
  expect(calls).toEqual([])
})

test('describes the forms of the lists in OpenAPI', async () => {
  const { paths } = (await app.inject('/openapi.json')).json()
  const parameters = (path: string) => paths[path].get.parameters.map(({ name }: { name: string }) => name).sort()
  expect(parameters('/resources')).toEqual(
    ['after', 'before', 'kind', 'labels', 'limit', 'offset', 'q', 'sort', 'source', 'status'].sort(),
  )
  expect(parameters('/drift')).toEqual(
    ['actor', 'after', 'before', 'kind', 'limit', 'name', 'offset', 'open', 'since', 'until'].sort(),
  )
  const [, , byCursor] = paths['/resources'].get.responses['200'].content['application/json'].schema.anyOf
  expect(Object.keys(byCursor.properties)).toEqual(['items', 'next', 'previous', 'counts'])
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/drift/{id}/plan', '/drift/{id}/revert']))
})
