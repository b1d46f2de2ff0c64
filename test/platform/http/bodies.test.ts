import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
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

  test('are rejected for an unknown field, with a suggestion', async () => {
    expect(await fieldErrors({ name: 'a', workng_dir: '/' })).toEqual([
      {
        path: 'workng_dir',
        message: 'is not a field of the body; did you mean "working_dir"?',
        code: 'unknown-member',
      },
    ])
  })

  test('are rejected with all faults at once', async () => {
    expect(await fieldErrors({ count: 'many', zzzzzz: 1 })).toEqual([
      { path: 'name', message: 'is missing', code: 'missing-member' },
      {
        path: 'zzzzzz',
        message: 'is not a field of the body; its fields are name, working_dir, count, what, rooms',
        code: 'unknown-member',
      },
      { path: 'count', message: 'should be an integer, instead got a string', code: 'wrong-type' },
    ])
  })

  test('are rejected with an explanation of nullable fields', async () => {
    expect(await fieldErrors({ name: 'a', working_dir: 5 })).toEqual([
      { path: 'working_dir', message: 'should be a string or null, instead got a number', code: 'wrong-type' },
    ])
  })

  test('are explained by the nearest alternative, each fault once', async () => {
    expect(await fieldErrors({ name: 'a', rooms: ['x', { nmae: 'y' }] })).toEqual([
      { path: 'rooms.1.nmae', message: 'is not a field of rooms.1; did you mean "name"?', code: 'unknown-member' },
    ])
  })

  test('are rejected for an unknown type, with the known types', async () => {
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

  test('are rejected without an echo if they are not JSON', async () => {
    const response = await (
      await serve()
    ).inject({ method: 'POST', url: '/things', headers: json, payload: '{"token": "hunter2", }' })
    expect(response.statusCode).toBe(400)
    expect(response.json().detail).toContain('not valid JSON')
    expect(response.body).not.toContain('hunter2')
  })

  test('are rejected for a __proto__ field', async () => {
    expect(
      (
        await (
          await serve()
        ).inject({ method: 'POST', url: '/things', headers: json, payload: '{"name":"a","__proto__":{"x":1}}' })
      ).statusCode,
    ).toBe(400)
  })

  test('are rejected instead of altered if they are not UTF-8', async () => {
    const payload = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    const response = await (await serve()).inject({ method: 'POST', url: '/things', headers: json, payload })
    expect(response.json()).toMatchObject({ status: 400, detail: expect.stringContaining('UTF-8') })
  })

  test('are rejected for NUL or a lone surrogate, with the field', async () => {
    expect(await fieldErrors({ name: 'a\0b' })).toEqual([
      { path: 'name', message: 'contains a NUL character', code: 'invalid-value' },
    ])
    expect(await fieldErrors({ name: 'a', rooms: ['x', { name: '\ud800' }] })).toEqual([
      { path: 'rooms.1.name', message: 'contains half of a surrogate pair', code: 'invalid-value' },
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

  test('are rejected for NUL in a path, query or header, too', async () => {
    const app = await serve()
    for (const url of ['/things/a%00b', `/numbers?limit=%00`, '/items?name=%00'])
      expect((await app.inject({ url })).json()).toMatchObject({ status: 400 })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`PUT /things/${ID} HTTP/1.1\r\nHost: localhost\r\nX-Svc-Actor: a\0b\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /)
    socket.destroy()
  })

  test('are answered with JSON that a strict parser reads', async () => {
    const app = await serve()
    app.get('/half', async () => ({ text: 'a\ud800b', pair: '🦊', nul: '\0' }))
    const { body } = await app.inject({ url: '/half' })
    expect(body).not.toMatch(/\\ud/)
    expect(JSON.parse(body)).toEqual({ text: 'a\uFFFDb', pair: '🦊', nul: '\0' })
  })

  test('are rejected with 415 if they are compressed', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' }
    const response = await (await serve()).inject({ method: 'POST', url: '/things', headers, payload: '{"name":"a"}' })
    expect(response.json()).toMatchObject({ status: 415, detail: expect.stringContaining('Content-Encoding') })
  })

  test('are required', async () => {
    const response = await (await serve()).inject({ method: 'POST', url: '/things', headers: json, payload: '' })
    expect(response.json()).toMatchObject({ status: 400, detail: 'this request needs a JSON body' })
  })

  test('may be empty with a JSON content type if optional', async () => {
    const app = await serve()
    expect(
      (await app.inject({ method: 'POST', url: `/things/${ID}/poke`, headers: json, payload: '' })).statusCode,
    ).toBe(200)
    expect((await app.inject({ method: 'DELETE', url: `/things/${ID}`, headers: json })).statusCode).toBe(204)
    expect(
      (await app.inject({ method: 'POST', url: `/things/${ID}/poke`, headers: json, payload: '{}' })).statusCode,
    ).toBe(200)
  })

  test('may be omitted if optional', async () => {
    expect((await (await serve()).inject({ method: 'POST', url: `/things/${ID}/maybe` })).json()).toEqual({})
  })

  test('are rejected by operations without a body', async () => {
    const response = await (
      await serve()
    ).inject({ method: 'POST', url: `/things/${ID}/poke`, headers: json, payload: '{"hard":true}' })
    expect(response.json()).toMatchObject({ status: 400, errors: [{ path: 'hard' }] })
  })

  test('are rejected with 413 above the limit', async () => {
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

  test('are rejected with 415 for a type other than JSON', async () => {
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

  test('never reveal a Secret in a response', async () => {
    expect((await (await serve()).inject({ url: '/secret' })).body).toBe('{"token":"***"}')
  })
})
