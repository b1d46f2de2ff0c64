// Requests that two readers divide differently, and requests of other sites.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DaemonStand } from '../support/daemon.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
}, 60_000)
afterAll(() => stand.close())

/** Sends text as it is and returns everything until the daemon closes, or until the first answer. */
async function raw(url: string, text: string): Promise<string> {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
  socket.on('error', () => undefined)
  socket.write(text)
  await Promise.race([once(socket, 'close'), once(socket, 'data')])
  socket.destroy()
  return answer
}
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1])

const HIDDEN = 'PUT /policies/smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n'
const post = (...headers: string[]) =>
  `POST /templates/validate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${headers.join('\r\n')}\r\n\r\n`

const SMUGGLED: [what: string, text: string][] = [
  ['a length and chunks', `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${HIDDEN}`],
  ['chunks and a length', `${post('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n${HIDDEN}`],
  ['two lengths', `${post('Content-Length: 0', `Content-Length: ${HIDDEN.length}`)}${HIDDEN}`],
  ['a list of lengths', `${post(`Content-Length: 0, ${HIDDEN.length}`)}${HIDDEN}`],
  ['a signed length', `${post('Content-Length: +0')}${HIDDEN}`],
  ['a negative length', `${post('Content-Length: -1')}${HIDDEN}`],
  ['an unknown encoding', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${HIDDEN}`],
  ['an encoding after chunks', `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${HIDDEN}`],
  ['a blank before the colon', `${post('Transfer-Encoding : chunked')}0\r\n\r\n${HIDDEN}`],
  ['a chunk size with a prefix', `${post('Transfer-Encoding: chunked')}0x0\r\n\r\n${HIDDEN}`],
  ['a control character in a name', `${post('Transfer\u000b-Encoding: chunked')}0\r\n\r\n${HIDDEN}`],
]

describe('a request with ambiguous ends', () => {
  test.each(SMUGGLED)('is 400 and ends the connection: %s', async (_what, text) => {
    const answer = await raw(stand.orchestrator, text)
    expect([statusOf(answer), answer.match(/HTTP\/1\.1/g)?.length]).toEqual([400, 1])
    expect(answer).toContain('Connection: close')
    const names = (await stand.get<{ name: string }[]>(`${stand.orchestrator}/policies`)).map(({ name }) => name)
    expect(names).not.toContain('smuggled')
  })
})

describe('every service', () => {
  const get = (more: string) => `GET /health HTTP/1.1\r\n${more}\r\nConnection: close\r\n\r\n`
  const statuses = (more: string) =>
    Promise.all(Object.values(stand.urls).map(async (url) => statusOf(await raw(url, get(more)))))
  const each = (status: number) => Object.values(stand.urls).map(() => status)

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'evil.example:17000',
    '2130706433.evil.example',
  ])('answers 421 to the host %s', async (host) => expect(await statuses(`Host: ${host}`)).toEqual(each(421)))

  test.each(['http://evil.example', 'null', 'https://127.0.0.1.evil.example', 'file://', 'http://127.0.0.1:1'])(
    'answers 403 to the origin %s',
    async (origin) => expect(await statuses(`Host: 127.0.0.1\r\nOrigin: ${origin}`)).toEqual(each(403)),
  )

  test.each([
    ['two hosts', 'GET /health', 'Host: 127.0.0.1\r\nHost: evil.example'],
    ['the same host twice', 'GET /health', 'Host: 127.0.0.1\r\nhost: 127.0.0.1'],
    ['an absolute address', 'GET http://127.0.0.1/health', 'Host: 127.0.0.1'],
    ['an absolute address elsewhere', 'GET http://evil.example/health', 'Host: 127.0.0.1'],
  ])('answers 400 to %s', async (_what, line, more) => {
    const urls = Object.values(stand.urls)
    const text = `${line} HTTP/1.1\r\n${more}\r\nConnection: close\r\n\r\n`
    expect(await Promise.all(urls.map(async (url) => statusOf(await raw(url, text))))).toEqual(each(400))
  })

  test('answers 400 to a header of 20 KB', async () => {
    expect(await statuses(`Host: 127.0.0.1\r\nX-Large: ${'x'.repeat(20_000)}`)).toEqual(each(400))
  })
})
