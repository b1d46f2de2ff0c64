// A plain HTTP server for responses that our daemon never sends.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface Asked {
  method: string
  path: string
  body: string
  headers: IncomingMessage['headers']
}

/** Closes the server after the test. */
export async function bareServer(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      asked.push({ method: request.method!, path: request.url!, body: sent, headers: request.headers })
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

export function problem(status: number, detail: string, errors?: { path: string; message: string }[]): string {
  const members = {
    type: 'about:blank',
    title: 'Title',
    status,
    detail,
    error: detail,
    instance: '/',
    request_id: 'r-1',
  }
  return JSON.stringify({ ...members, errors })
}
