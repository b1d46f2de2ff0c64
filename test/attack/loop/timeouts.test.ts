import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { isPostgres, migrate, openDatabase, write } from '../../../platform/database/database.ts'
import { createHttpServer, type HttpServer } from '../../../platform/http/server.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { counted } from '../../support/counts.ts'
import { onEachDatabase } from '../../support/databases.ts'

let app: HttpServer | undefined
afterEach(() => app?.close())

async function served(receiveMs?: number): Promise<HttpServer> {
  app = await createHttpServer({
    service: 'svc-test',
    version: '1',
    log: noLog,
    config: { bind: '127.0.0.1', hosts: [], tokensFile: null },
    health: async () => ({}),
    receiveMs,
  })
  app.post('/echo', async () => ({}))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

/** Sends `begun` and never closes its side. */
async function answerTo(begun: string): Promise<string> {
  const { port } = app!.server.address() as AddressInfo
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  socket.on('error', () => undefined)
  socket.write(begun)
  await once(socket, 'end')
  socket.destroy()
  return answer
}

describe('an unfinished request', () => {
  const head = 'POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
  test.each([
    ['nothing but a connection', ''],
    ['half a request line', 'GET /hea'],
    ['half a header', `${head}X-Half: `],
    ['half a body', `${head}Content-Length: 100\r\n\r\n{"a":`],
    ['half a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a"`],
  ])('is disconnected after its time-out: %s', async (_what, begun) => {
    await served(200)
    const answer = await answerTo(begun)
    expect(answer).toMatch(/^HTTP\/1\.1 408 |^$/)
    if (answer !== '') expect(answer).toContain('"code":"request-timeout"')
    counted('timeouts: unfinished requests', 1)
  })

  test('has a time-out of 30 seconds for headers and in total', async () => {
    const { server } = await served()
    expect([server.headersTimeout, server.requestTimeout]).toEqual([30_000, 30_000])
  })
})

onEachDatabase((database) => {
  test('times out a statement with 503, but not a migration', async () => {
    const db = openDatabase(database.url)
    try {
      const seen: unknown[] = []
      const up = async (each: typeof db) => {
        if (isPostgres(each)) seen.push((await each.raw('show statement_timeout')).rows[0].statement_timeout)
      }
      await migrate(db, { prefix: 'slow', steps: [{ name: '001-slow', up }] })
      if (!isPostgres(db)) return
      expect(seen).toEqual(['0'])
      expect((await db.raw('show statement_timeout')).rows).toEqual([{ statement_timeout: '30s' }])
      const slow = write(db, async (transaction) => {
        await transaction.raw('set local statement_timeout = 50')
        await transaction.raw('select pg_sleep(10)')
      })
      const error = await slow.catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ status: 503, code: 'storage-unavailable' })
    } finally {
      await db.destroy()
    }
  })
})
