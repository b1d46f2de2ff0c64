import { describe, expect, test } from 'vitest'
import { serve } from './fixture.ts'

describe('addresses and queries', () => {
  test('answer 400 for an id that is not a UUID', async () => {
    expect((await (await serve()).inject({ url: '/things/42' })).json()).toMatchObject({
      status: 400,
      errors: [{ path: 'id', message: 'should be a UUID' }],
    })
  })

  test('answer 400 for an offset beyond a safe integer', async () => {
    expect((await (await serve()).inject({ url: '/numbers?offset=99999999999999999999' })).json()).toMatchObject({
      status: 400,
      errors: [{ path: 'offset' }],
    })
  })

  test('return an array, or a page with limit or offset', async () => {
    const app = await serve()
    const get = async (query: string) => (await app.inject({ url: `/numbers${query}` })).json()
    expect(await get('')).toHaveLength(300)
    expect(await get('?offset=10')).toMatchObject({
      total: 300,
      limit: 50,
      offset: 10,
      items: expect.arrayContaining([10, 59]),
    })
    expect(await get('?limit=0')).toMatchObject({ limit: 1, items: [0] })
    expect((await get('?limit=1000')).items).toHaveLength(200)
    expect(await get('?limit=many')).toMatchObject({ status: 400, errors: [{ path: 'limit' }] })
    expect(await get('?offset=-1')).toMatchObject({ status: 400, errors: [{ path: 'offset' }] })
  })

  test.for([0, 500, 501, 1000, 1234])('return %i items as one JSON array', async (many) => {
    const { headers, body } = await (await serve()).inject({ url: `/items?many=${many}` })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toBe(JSON.stringify(Array.from({ length: many }, (_, index) => ({ name: `é-${index}` }))))
  })
})
