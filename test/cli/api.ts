// A small real HTTP server that plays the API: it answers what a test says and remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { WebSocketServer } from 'ws'

export interface Asked {
  method: string
  path: string
  body: any
  headers: IncomingMessage['headers']
}

/** A body, a body with its status, lines of JSON, or a function of the request that gives one. */
export type Answer =
  | { status: number; body: unknown }
  | { lines: unknown[] }
  | { json: unknown }
  | ((asked: Asked) => Answer)

export interface Api {
  url: string
  asked: Asked[]
  env: Record<string, string>
  /** `GET /agents` to its answer; `GET /x?y` wins over `GET /x`. */
  routes: Record<string, Answer>
  /** Frames that a stream sends when somebody connects. */
  frames: object[]
  close(): Promise<void>
}

export async function startApi(routes: Record<string, Answer> = {}): Promise<Api> {
  const server = createServer((request, response) => void answer(api, request, response))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    api.asked.push({ method: 'WS', path: request.url!, body: null, headers: request.headers })
    for (const frame of api.frames) socket.send(`${JSON.stringify(frame)}\n`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api: Api = {
    url,
    routes,
    asked: [],
    frames: [],
    env: { SVC_CONTROLLER_URL: url, SVC_ORCHESTRATOR_URL: url },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return api
}

async function answer(api: Api, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked: Asked = {
    method: request.method!,
    path: request.url!,
    body: await json(request).catch(() => undefined),
    headers: request.headers,
  }
  api.asked.push(asked)
  let route = api.routes[`${asked.method} ${asked.path}`] ?? api.routes[`${asked.method} ${asked.path.split('?')[0]}`]
  if (typeof route === 'function') route = route(asked)
  if (!route) route = { status: 404, body: problem(404, `${asked.path} does not exist`) }
  if (typeof route === 'function') throw new Error('an answer is given in one step')
  if ('lines' in route) {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const line of route.lines) response.write(`${JSON.stringify(line)}\n`)
    return void response.end()
  }
  const { status, body } = 'json' in route ? { status: 200, body: route.json } : route
  response.writeHead(status, { 'content-type': status >= 400 ? 'application/problem+json' : 'application/json' })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

export function problem(status: number, detail: string, errors?: { path: string; message: string }[]) {
  return {
    type: 'about:blank',
    title: 'Title',
    status,
    detail,
    error: detail,
    instance: '/',
    request_id: 'r-1',
    ...(errors ? { errors } : {}),
  }
}
