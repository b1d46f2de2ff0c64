// Bodies of requests: which are taken, and how the faults of the others are told.
import { describe, expect, test } from 'vitest'
import { ID, serve } from './fixture.ts'

const json = { 'content-type': 'application/json' }

describe('bodies', () => {
  const fieldErrors = async (payload: unknown) => {
    const response = await (
      await serve()
    ).inject({ method: 'POST', url: '/things', headers: json, payload: JSON.stringify(payload) })
    expect(response.statusCode).toBe(400)
    expect(response.json().title).toBe('Invalid Input')
    return response.json().errors as { path: string; message: string; code: string }[]
  }

  test('with an unknown member are refused naming it and the nearest known one', async () => {
    expect(await fieldErrors({ name: 'a', workng_dir: '/' })).toEqual([
      {
        path: 'workng_dir',
        message: 'is not a member of the body; did you mean "working_dir"?',
        code: 'unknown-member',
      },
    ])
  })

  test('have all their faults named at once', async () => {
    expect(await fieldErrors({ count: 'many', zzzzzz: 1 })).toEqual([
      { path: 'name', message: 'is missing', code: 'missing-member' },
      {
        path: 'zzzzzz',
        message: 'is not a member of the body; its members are name, working_dir, count, what, rooms',
        code: 'unknown-member',
      },
      { path: 'count', message: 'should be an integer, instead got a string', code: 'wrong-type' },
    ])
  })

  test('have nullable members explained as such', async () => {
    expect(await fieldErrors({ name: 'a', working_dir: 5 })).toEqual([
      { path: 'working_dir', message: 'should be a string or null, instead got a number', code: 'wrong-type' },
    ])
  })

  test('have alternatives explained by the one that is nearest, one mistake once', async () => {
    expect(await fieldErrors({ name: 'a', rooms: ['x', { nmae: 'y' }] })).toEqual([
      { path: 'rooms.1.nmae', message: 'is not a member of rooms.1; did you mean "name"?', code: 'unknown-member' },
    ])
  })

  test('discriminated by type name the types there are', async () => {
    expect(await fieldErrors({ name: 'a', what: { type: 'color' } })).toEqual([
      {
        path: 'what.type',
        message: 'should be one of colour, size, instead got "color"; did you mean "colour"?',
        code: 'invalid-value',
      },
    ])
    expect(await fieldErrors({ name: 'a', what: { type: 'colour', shade: 'blue' } })).toEqual([
      { path: 'what.shade', message: 'should be one of red, green, instead got "blue"', code: 'invalid-value' },
    ])
    expect(await fieldErrors({ name: 'a', what: {} })).toEqual([
      { path: 'what.type', message: 'is missing; it should be one of colour, size', code: 'missing-member' },
    ])
  })

  test('are not coerced', async () => {
    expect(await fieldErrors({ name: 'a', count: '5' })).toHaveLength(1)
  })

  test('that are no JSON are 400 without echoing them', async () => {
    const response = await (
      await serve()
    ).inject({ method: 'POST', url: '/things', headers: json, payload: '{"token": "hunter2", }' })
    expect(response.statusCode).toBe(400)
    expect(response.json().detail).toContain('not valid JSON')
    expect(response.body).not.toContain('hunter2')
  })

  test('with a __proto__ member are refused', async () => {
    expect(
      (
        await (
          await serve()
        ).inject({ method: 'POST', url: '/things', headers: json, payload: '{"name":"a","__proto__":{"x":1}}' })
      ).statusCode,
    ).toBe(400)
  })

  test('that are not UTF-8 are 400, not taken with other characters in them', async () => {
    const payload = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    const response = await (await serve()).inject({ method: 'POST', url: '/things', headers: json, payload })
    expect(response.json()).toMatchObject({ status: 400, detail: expect.stringContaining('UTF-8') })
  })

  test('with a NUL or half a surrogate pair in a string are 400, naming the member', async () => {
    expect(await fieldErrors({ name: 'a\0b' })).toEqual([
      { path: 'name', message: 'holds a NUL character', code: 'invalid-value' },
    ])
    expect(await fieldErrors({ name: 'a', rooms: ['x', { name: '\ud800' }] })).toEqual([
      { path: 'rooms.1.name', message: 'holds half of a surrogate pair', code: 'invalid-value' },
    ])
    expect(
      (
        await (
          await serve()
        ).inject({ method: 'POST', url: '/things', headers: json, payload: '{"name":"\\ud83e\\udd8a"}' })
      ).json(),
    ).toEqual({
      name: '🦊',
    })
  })

  test('that are missing where one is needed are 400', async () => {
    const response = await (await serve()).inject({ method: 'POST', url: '/things', headers: json, payload: '' })
    expect(response.json()).toMatchObject({ status: 400, detail: 'this request needs a JSON body' })
  })

  test('may be empty under a JSON content type where none is needed', async () => {
    const app = await serve()
    expect(
      (await app.inject({ method: 'POST', url: `/things/${ID}/poke`, headers: json, payload: '' })).statusCode,
    ).toBe(200)
    expect((await app.inject({ method: 'DELETE', url: `/things/${ID}`, headers: json })).statusCode).toBe(204)
    expect(
      (await app.inject({ method: 'POST', url: `/things/${ID}/poke`, headers: json, payload: '{}' })).statusCode,
    ).toBe(200)
  })

  test('may be left out where they are optional', async () => {
    expect((await (await serve()).inject({ method: 'POST', url: `/things/${ID}/maybe` })).json()).toEqual({})
  })

  test('sent where none is taken are refused', async () => {
    const response = await (
      await serve()
    ).inject({ method: 'POST', url: `/things/${ID}/poke`, headers: json, payload: '{"hard":true}' })
    expect(response.json()).toMatchObject({ status: 400, errors: [{ path: 'hard' }] })
  })

  test('larger than the limit are 413', async () => {
    const response = await (
      await serve()
    ).inject({
      method: 'POST',
      url: '/things',
      headers: json,
      payload: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }),
    })
    expect(response.json()).toMatchObject({ status: 413, title: 'Payload Too Large' })
  })

  test('of another type than JSON are 415', async () => {
    const app = await serve()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      expect(
        (
          await app.inject({ method: 'POST', url: '/things', headers: { 'content-type': type }, payload: 'name=a' })
        ).json(),
      ).toMatchObject({
        status: 415,
        title: 'Unsupported Media Type',
      })
    }
  })

  test('may be a merge patch', async () => {
    expect(
      (
        await (
          await serve()
        ).inject({
          method: 'POST',
          url: '/things',
          headers: { 'content-type': 'application/merge-patch+json' },
          payload: '{"name":"a"}',
        })
      ).statusCode,
    ).toBe(200)
  })

  test('never show a Secret in an answer', async () => {
    expect((await (await serve()).inject({ url: '/secret' })).body).toBe('{"token":"***"}')
  })
})
