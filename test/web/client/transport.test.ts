import { describe, expect, test } from 'vitest'
import { createClients } from '../../../web/client/clients.ts'
import { addressesOf } from '../../../web/client/page-address.ts'
import { nextStep, type RequestProblem } from '../../../web/client/problem.ts'
import { browserTransport } from '../../../web/client/transport.ts'

const table = {
  'orchestrator.approve': 'POST /approvals/:id/approve',
  'orchestrator.listAgents': 'GET /agents',
  'gateway.whoami': 'GET /whoami',
} as const

function page(answer: (address: string, request: RequestInit) => Response | Promise<Response>) {
  const sent: { address: string; method: string; headers: Headers; body: unknown }[] = []
  let signedOut = 0
  const transport = browserTransport({
    base: '/prefix/api',
    sessionKey: async () => 'the-key',
    onSignedOut: () => void (signedOut += 1),
    fetch: async (address, request) => {
      sent.push({ address, method: request.method!, headers: new Headers(request.headers), body: request.body })
      return answer(address, request)
    },
  })
  const clients = createClients(table, transport) as any
  return { sent, clients, signedOut: () => signedOut }
}

const problem = (status: number, body: object) => new Response(JSON.stringify(body), { status })
const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error: RequestProblem) => error,
  )

describe('a request of the page', () => {
  test('goes to the service below the prefix', async () => {
    const { sent, clients } = page(() => Response.json([]))
    await clients.orchestrator.listAgents({ query: { status: 'running' } })
    await clients.gateway.whoami()
    expect(sent.map(({ address }) => address)).toEqual([
      '/prefix/api/orchestrator/agents?status=running',
      '/prefix/api/whoami',
    ])
  })

  test('carries the session key, and the body as JSON', async () => {
    const { sent, clients } = page(() => Response.json({}))
    await clients.orchestrator.listAgents()
    await clients.orchestrator.approve({ params: { id: 'a/b' }, body: { scope: 'once' } })
    expect(sent.map(({ headers }) => headers.get('X-Svc-Session-Key'))).toEqual(['the-key', 'the-key'])
    expect(sent[1]).toMatchObject({
      address: '/prefix/api/orchestrator/approvals/a%2Fb/approve',
      body: '{"scope":"once"}',
    })
  })
})

describe('a failed request', () => {
  test('has detail, code, request id and fields of the problem', async () => {
    const body = {
      code: 'already-decided',
      detail: 'decided by jon',
      request_id: 'r1',
      errors: [{ path: 'a', message: 'b', code: 'c' }],
    }
    const { clients } = page(() => problem(409, body))
    const error = await failure(clients.orchestrator.approve({ params: { id: '1' } }))
    expect(error).toMatchObject({ status: 409, code: 'already-decided', message: 'decided by jon', requestId: 'r1' })
    expect(error.fields).toEqual([{ path: 'a', message: 'b' }])
    expect(nextStep(error)).toContain('decided')
  })

  test('reports the end of the session', async () => {
    const { clients, signedOut } = page(() => problem(401, { code: 'token-unknown', detail: 'unknown' }))
    await failure(clients.orchestrator.listAgents())
    expect(signedOut()).toBe(1)
  })

  test('names an answer that is not from svc', async () => {
    const { clients } = page(() => new Response('<h1>502</h1>', { status: 502 }))
    expect(await failure(clients.orchestrator.listAgents())).toMatchObject({ status: 502, code: 'foreign-answer' })
  })

  test('that breaks off in its body is unreachable', async () => {
    const broken = new ReadableStream({ pull: (stream) => stream.error(new Error('reset')) })
    const { clients } = page(() => new Response(broken))
    expect(await failure(clients.orchestrator.listAgents())).toMatchObject({ status: 0, code: 'unreachable' })
  })

  test('without an answer is unreachable', async () => {
    const { clients } = page(() => Promise.reject(new TypeError('Failed to fetch')))
    const error = await failure(clients.orchestrator.listAgents())
    expect(error).toMatchObject({
      status: 0,
      code: 'unreachable',
      message: 'the daemon did not answer GET /orchestrator/agents',
    })
  })
})

describe('addresses', () => {
  test('follow the prefix of the page', () => {
    expect(addressesOf('http://127.0.0.1:17000/ui/assets/main-abc.js')).toEqual({
      page: '/ui/',
      api: '/api',
      live: 'ws://127.0.0.1:17000/api/live',
    })
    expect(addressesOf('https://team.example.org/svc/ui/assets/main-abc.js')).toEqual({
      page: '/svc/ui/',
      api: '/svc/api',
      live: 'wss://team.example.org/svc/api/live',
    })
  })
})
