import { connect, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { HttpServer } from '../../../platform/http/server.ts'
import { noLog, type Log } from '../../../platform/core/log/log.ts'
import { ID, serve } from './fixture.ts'

/** Everything the server sends for these bytes until it closes. */
async function sendBytes(app: HttpServer, bytes: string): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return new Promise((resolve) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text))
  })
}

describe('errors', () => {
  test('are problem+json with all fields', async () => {
    const app = await serve()
    const response = await app.inject({ url: '/conflict?token=hunter2', headers: { 'x-request-id': 'req-1' } })
    expect(response.statusCode).toBe(409)
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(response.headers['x-request-id']).toBe('req-1')
    expect(response.json()).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      code: 'conflict',
      detail: 'it is taken',
      instance: '/conflict',
      error: 'it is taken',
      request_id: 'req-1',
    })
  })

  test('hide unexpected details, which are logged with their cause', async () => {
    const logged: unknown[] = []
    const log: Log = { ...noLog, error: (facts: unknown) => void logged.push(facts), child: () => log } as Log
    const app = await serve({ log })
    const response = await app.inject({ url: '/broken', headers: { 'x-request-id': 'req-2' } })
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toMatch(/hunter2|secret\.ts/)
    expect(response.json().detail).toBe('internal error; see the log with request id req-2')
    expect(logged).toMatchObject([{ err: { message: 'password=hunter2 at /root/secret.ts' }, request_id: 'req-2' }])
  })

  test('are 503 for storage faults, even if not converted', async () => {
    const response = await (await serve()).inject({ url: '/full' })
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({ title: 'Unavailable', detail: expect.stringContaining('disk is full') })
  })

  test('are 404 for an unknown address', async () => {
    const response = await (await serve()).inject({ url: '/nothing' })
    expect(response.json()).toMatchObject({ status: 404, title: 'Not Found', instance: '/nothing' })
  })

  test('are 405 with Allow for another method of an address', async () => {
    const response = await (await serve()).inject({ method: 'PATCH', url: `/things/${ID}` })
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe('DELETE, GET, HEAD, PUT')
    expect(response.json()).toMatchObject({ title: 'Method Not Allowed' })
  })

  test('are 400 for a malformed escape in the address', async () => {
    expect((await (await serve()).inject({ url: '/things/%zz' })).json()).toMatchObject({
      status: 400,
      title: 'Invalid Input',
    })
  })

  test('are 421 for a request without Host, as a problem', async () => {
    const app = await serve()
    const answer = await sendBytes(app, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
    expect(answer).toContain('application/problem+json')
  })

  test('are 400 for bytes that are not HTTP, and close the connection', async () => {
    const app = await serve()
    const answer = await sendBytes(app, 'GARBAGE\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"title":"Invalid Input"')
  })
})
