import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { askEndpoint, EndpointFailure } from '../../../../services/code-index/provider/endpoint.ts'

const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

/** Calls `heard` with each request number and its connection number. */
async function startServer(heard: (socket: Socket, request: number, connection: number) => void): Promise<string> {
  let [requests, connections] = [0, 0]
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    const connection = ++connections
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      text += bytes.toString('utf8')
      // Every request body of this test ends like this.
      if (!text.endsWith('"whole"}')) return
      text = ''
      heard(socket, ++requests, connection)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const answer = (socket: Socket, body: string) =>
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
const ask = (endpoint: string) =>
  askEndpoint(
    { endpoint, key: null, timeoutMs: 5000 },
    { path: '/embeddings', body: { is: 'whole' }, largest: 1000, inAllMs: null },
  )

test.each([
  ['reset', (socket: Socket) => void socket.resetAndDestroy()],
  ['closed', (socket: Socket) => void socket.end()],
])('retries on a new connection if a keep-alive one is %s', async (_how, close) => {
  const over: number[] = []
  const endpoint = await startServer((socket, request, connection) => {
    over.push(connection)
    if (request === 2) close(socket)
    else answer(socket, `{"request":${request}}`)
  })
  expect(await ask(endpoint)).toEqual({ request: 1 })
  // Before that, the connection is not reusable.
  await turnOfTheLoop()
  expect(await ask(endpoint)).toEqual({ request: 3 })
  expect(over).toEqual([1, 1, 2])
})

test('reports an endpoint that closes two connections in a row', async () => {
  let asked = 0
  const endpoint = await startServer((socket) => {
    asked++
    socket.resetAndDestroy()
  })
  const failure = (await ask(endpoint).catch((error: unknown) => error)) as EndpointFailure
  expect(failure).toBeInstanceOf(EndpointFailure)
  expect(failure.message).toMatch(/^is unreachable \((ECONNRESET|UND_ERR_SOCKET)\)$/)
  expect(asked).toBe(2)
})
