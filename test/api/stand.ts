// Server with the routes of one service on a double of its face, which records calls.
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHttpServer, type HttpServer } from '../../platform/http/server.ts'
import { noLog } from '../../platform/core/log/log.ts'

export const ID = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'
export const json = { 'content-type': 'application/json' }

export let app: HttpServer
/** Calls in order, since the test began. */
export const calls: { method: string; args: unknown[] }[] = []

/** Serves the routes that `mount` adds, for all tests of a file; calls are reset before each. */
export function serveRoutes(service: string, mount: (app: HttpServer) => void): void {
  beforeAll(async () => {
    app = await createHttpServer({
      service: `svc-${service}`,
      version: '1',
      log: noLog,
      config: { bind: '127.0.0.1', hosts: [], tokensFile: null },
      health: async () => ({}),
      graceMs: 100,
    })
    mount(app)
  })
  beforeEach(() => void (calls.length = 0))
  afterAll(() => app.close())
}

/** Double of a method: records the call and returns `answer`. */
export function answers<T>(method: string, answer: T): (...args: unknown[]) => Promise<T> {
  return async (...args) => {
    calls.push({ method, args })
    return answer
  }
}

/** Sends `payload` as JSON with a request such as `GET /agents`; returns null for an empty body. */
export async function ask(request: string, payload?: unknown, headers: Record<string, string> = {}) {
  const [method, url] = request.split(' ') as ['GET', string]
  const response = await app.inject({
    method,
    url,
    headers: { ...json, ...headers },
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  })
  return { status: response.statusCode, body: response.body === '' ? null : response.json() }
}

/** Opens a port for sockets and returns it. */
export async function listen(): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** Request, payload, status and expected fields of the response. */
export type Answered = [request: string, payload: unknown, status: number, body: unknown]

export function answersOfRoutes(cases: Answered[]): void {
  describe('routes', () => {
    for (const [request, payload, status, body] of cases)
      test(`answers ${request} ${payload ? `${JSON.stringify(payload)} ` : ''}with ${status}`, async () => {
        expect(await ask(request, payload)).toMatchObject({ status, body })
      })
  })
}

/** Request, payload and path of the field that the response names, by fault. */
export type Refused = Record<string, [request: string, payload: unknown, path: string]>

export function refusalsOfRoutes(cases: Refused): void {
  describe('bad input', () => {
    for (const [title, [request, payload, path]] of Object.entries(cases))
      test(`answers ${title} with 400 without calling the service`, async () => {
        const answer = await ask(request, payload)
        expect(answer).toMatchObject({ status: 400, body: { title: 'Invalid Input' } })
        expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
        expect(calls).toEqual([])
      })
  })
}
