import { expect, test } from 'vitest'
import { notFound } from '../../../platform/core/problem.ts'
import { ID, serve } from './fixture.ts'

const OTHER = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a12'
const THIRD = '00000000-0000-4000-8000-000000000003'
const things = [
  { id: ID, name: 'reviewer' },
  { id: THIRD, name: 'builder' },
  { id: OTHER, name: 'builder' },
]

const ours = async (collection: string) => (collection === 'things' ? things : [])

async function asked(url: string, method: 'GET' | 'DELETE' = 'GET', named = ours) {
  const app = await serve({ named })
  app.get('/things/:id/gone', (request) => {
    throw notFound('thing', (request.params as { id: string }).id)
  })
  app.get('/things', async () => things)
  const answer = await app.inject({ method, url })
  return { status: answer.statusCode, ...(answer.json() as { detail: string; code: string; errors?: object[] }) }
}

test('answers a name with its id or ids', async () => {
  expect(await asked('/things/reviewer')).toMatchObject({
    status: 400,
    code: 'invalid-input',
    detail: `id should be a UUID; "reviewer" is a name; its id is ${ID}`,
    errors: [{ path: 'id' }],
  })
  expect((await asked('/things/builder')).detail).toContain(`"builder" is a name; its ids are ${THIRD}, ${OTHER}`)
})

test('suggests the nearest name or id', async () => {
  expect((await asked('/things/reviwer')).detail).toContain(`did you mean "reviewer", with the id ${ID}?`)
  const slip = THIRD.replace('0003', '0013')
  expect(await asked(`/things/${slip}/gone`)).toMatchObject({
    status: 404,
    code: 'not-found',
    detail: `thing ${slip} does not exist; did you mean "${THIRD}"?`,
  })
})

test('keeps the problem if the names cannot be read', async () => {
  const broken = () => Promise.reject(new Error('the database is gone'))
  expect(await asked(`/things/${ID}/gone`, 'GET', broken)).toMatchObject({
    status: 404,
    code: 'not-found',
    detail: `thing ${ID} does not exist; GET /things lists them`,
  })
})

test('names the list operation if nothing is close', async () => {
  expect((await asked('/things/ffffffff-ffff-4fff-bfff-ffffffffffff/gone')).detail).toContain(
    'does not exist; GET /things lists them',
  )
  expect((await asked(`/things/${'x'.repeat(300)}`)).detail).toContain('GET /things lists them')
})
