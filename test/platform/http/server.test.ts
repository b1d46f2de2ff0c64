import { connect, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { noLog, type Log } from '../../../platform/log.ts'
import { Problem } from '../../../platform/problem.ts'
import { ID, serve } from './stand.ts'

const json = { 'content-type': 'application/json' }

describe('errors', () => {
  test('are problem+json with every member', async () => {
    const app = await serve()
    const response = await app.inject({ url: '/conflict?token=hunter2', headers: { 'x-request-id': 'req-1' } })
    expect(response.statusCode).toBe(409)
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(response.headers['x-request-id']).toBe('req-1')
    expect(response.json()).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: 'it is taken',
      instance: '/conflict',
      error: 'it is taken',
      request_id: 'req-1',
    })
  })

  test('that nobody foresaw show nothing of the inside and are logged with their cause', async () => {
    const logged: unknown[] = []
    const log: Log = { ...noLog, error: (facts: unknown) => void logged.push(facts), child: () => log } as Log
    const app = await serve({ log })
    const response = await app.inject({ url: '/broken', headers: { 'x-request-id': 'req-2' } })
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toMatch(/hunter2|secret\.ts/)
    expect(response.json().detail).toBe('internal error; see the log with request id req-2')
    expect(logged).toMatchObject([{ err: { message: 'password=hunter2 at /root/secret.ts' }, request_id: 'req-2' }])
  })

  test('of the storage are 503 even when thrown raw', async () => {
    const response = await (await serve()).inject({ url: '/full' })
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({ title: 'Unavailable', detail: expect.stringContaining('disk is full') })
  })

  test('of an unknown address are 404', async () => {
    const response = await (await serve()).inject({ url: '/nothing' })
    expect(response.json()).toMatchObject({ status: 404, title: 'Not Found', instance: '/nothing' })
  })

  test('of a known address with another method are 405 with Allow', async () => {
    const response = await (await serve()).inject({ method: 'PATCH', url: `/things/${ID}` })
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe('DELETE, GET, HEAD, PUT')
    expect(response.json()).toMatchObject({ title: 'Method Not Allowed' })
  })

  test('of a malformed escape in the address are 400', async () => {
    expect((await (await serve()).inject({ url: '/things/%zz' })).json()).toMatchObject({
      status: 400,
      title: 'Invalid Input',
    })
  })

  test('of a request without Host are 421, as a problem', async () => {
    const app = await serve()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await new Promise<string>((resolve) => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1', () =>
        socket.write('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'),
      )
      let text = ''
      socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
    expect(answer).toContain('application/problem+json')
  })

  test('of bytes that are no HTTP are answered with 400 and the connection ends', async () => {
    const app = await serve()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await new Promise<string>((resolve) => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1', () =>
        socket.write('GARBAGE\r\n\r\n'),
      )
      let text = ''
      socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"title":"Invalid Input"')
  })
})

describe('bodies', () => {
  const fieldErrors = async (payload: unknown) => {
    const response = await (
      await serve()
    ).inject({ method: 'POST', url: '/things', headers: json, payload: JSON.stringify(payload) })
    expect(response.statusCode).toBe(400)
    expect(response.json().title).toBe('Invalid Input')
    return response.json().errors as { path: string; message: string }[]
  }

  test('with an unknown member are refused naming it and the nearest known one', async () => {
    expect(await fieldErrors({ name: 'a', workng_dir: '/' })).toEqual([
      { path: 'workng_dir', message: 'is not a member of the body; did you mean "working_dir"?' },
    ])
  })

  test('have all their faults named at once', async () => {
    expect(await fieldErrors({ count: 'many', zzzzzz: 1 })).toEqual([
      { path: 'name', message: 'is missing' },
      { path: 'zzzzzz', message: 'is not a member of the body; its members are name, working_dir, count, what, rooms' },
      { path: 'count', message: 'should be an integer, instead got a string' },
    ])
  })

  test('have nullable members explained as such', async () => {
    expect(await fieldErrors({ name: 'a', working_dir: 5 })).toEqual([
      { path: 'working_dir', message: 'should be a string or null, instead got a number' },
    ])
  })

  test('have alternatives explained by the one that is nearest', async () => {
    expect(await fieldErrors({ name: 'a', rooms: ['x', { nmae: 'y' }] })).toEqual([
      { path: 'rooms.1.name', message: 'is missing' },
      { path: 'rooms.1.nmae', message: 'is not a member of rooms.1; did you mean "name"?' },
    ])
  })

  test('discriminated by type name the types there are', async () => {
    expect(await fieldErrors({ name: 'a', what: { type: 'color' } })).toEqual([
      { path: 'what.type', message: 'should be one of colour, size, instead got "color"; did you mean "colour"?' },
    ])
    expect(await fieldErrors({ name: 'a', what: { type: 'colour', shade: 'blue' } })).toEqual([
      { path: 'what.shade', message: 'should be one of red, green, instead got "blue"' },
    ])
    expect(await fieldErrors({ name: 'a', what: {} })).toEqual([
      { path: 'what.type', message: 'is missing or no string; it should be one of colour, size' },
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
    expect(await fieldErrors({ name: 'a\0b' })).toEqual([{ path: 'name', message: 'holds a NUL character' }])
    expect(await fieldErrors({ name: 'a', rooms: ['x', { name: '\ud800' }] })).toEqual([
      { path: 'rooms.1.name', message: 'holds half of a surrogate pair' },
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

describe('addresses and queries', () => {
  test('an id that is no UUID is 400', async () => {
    expect((await (await serve()).inject({ url: '/things/42' })).json()).toMatchObject({
      status: 400,
      errors: [{ path: 'id', message: 'should be a UUID' }],
    })
  })

  test('an offset past what a database can count is 400', async () => {
    expect((await (await serve()).inject({ url: '/numbers?offset=99999999999999999999' })).json()).toMatchObject({
      status: 400,
      errors: [{ path: 'offset' }],
    })
  })

  test('a list without limit and offset is an array, with either a page', async () => {
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
})

describe('every service', () => {
  test('answers /health with the common members and its own', async () => {
    expect((await (await serve()).inject({ url: '/health' })).json()).toEqual({
      status: 'ok',
      service: 'svc-sample',
      version: '1.2.3',
      uptime_secs: 0,
      things: 3,
    })
  })

  test('is degraded, not silent, when its health cannot be told', async () => {
    const health = async () => {
      throw new Problem(503, 'the database cannot be reached')
    }
    const response = await (await serve({ health })).inject({ url: '/health' })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ status: 'degraded', reason: 'the database cannot be reached' })
  })

  test('is degraded when its health takes too long to tell', async () => {
    const response = await (await serve({ health: () => new Promise(() => undefined) })).inject({ url: '/health' })
    expect(response.json()).toMatchObject({
      status: 'degraded',
      reason: 'the service could not tell its health within 2000 ms',
    })
  })

  test('answers /metrics with its figures by route template', async () => {
    const app = await serve()
    await app.inject({ url: `/things/${ID}` })
    await app.inject({ url: '/no/such/thing' })
    const response = await app.inject({ url: '/metrics' })
    expect(response.headers['content-type']).toMatch(/^text\/plain/)
    expect(response.body).toContain('service_info{service="svc-sample",version="1.2.3"} 1')
    expect(response.body).toContain('http_requests_total{method="GET",route="/things/{id}",status="200"} 1')
    expect(response.body).toContain('http_requests_total{method="GET",route="unmatched",status="404"} 1')
    expect(response.body).toContain(
      'http_request_duration_seconds_count{method="GET",route="/things/{id}",status="200"} 1',
    )
  })

  test('answers /openapi.json, 3.1, each shape named once', async () => {
    const document = (await (await serve()).inject({ url: '/openapi.json' })).json()
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths['/things'].post.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Thing',
    })
    expect(document.paths['/things'].post.responses.default.content['application/problem+json'].schema).toEqual({
      $ref: '#/components/schemas/Problem',
    })
    expect(document.components.schemas.Thing.properties.what.oneOf).toHaveLength(2)
    expect(document.paths['/things/{id}'].get.parameters[0]).toMatchObject({ name: 'id', in: 'path', required: true })
  })

  test('logs each request with its id, and never the query', async () => {
    const lines: Record<string, unknown>[] = []
    const keep = (facts: Record<string, unknown>) => void lines.push(facts)
    const log = { ...noLog, info: keep, debug: keep } as Log
    await (
      await serve({ log })
    ).inject({
      method: 'PUT',
      url: `/things/${ID}?token=hunter2`,
      headers: { 'x-request-id': 'r-9', 'x-svc-actor': 'mia' },
    })
    expect(lines).toMatchObject([{ request_id: 'r-9', endpoint: 'PUT /things/{id}', status: 200, actor: 'mia' }])
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })
})
