// Each limit of an agent, over REST and MCP; people and tokens have none by default.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { services } from '../../daemon/services.ts'
import type { AgentRecord } from '../../schemas/agent.ts'
import { isAddition, isWrite, type Operation } from '../../schemas/operations/operation.ts'
import { everyService } from '../../schemas/operations/services.ts'
import { sqliteDatabase } from '../support/databases.ts'
import { startServices, type ServiceStand } from '../support/services.ts'

const MIB = 1024 * 1024
const NEEDED = ['orchestrator', 'docstore', 'notify', 'communicate']
const SMALL = {
  SVC_LIMIT_WAITING_MESSAGES: '3',
  SVC_LIMIT_QUEUE_PUSHES_PER_SEC: '2',
  SVC_LIMIT_MEMORIES: '3',
  SVC_LIMIT_DOCUMENTS: '3',
  SVC_LIMIT_DOCUMENTS_MIB: '10',
  SVC_LIMIT_OPEN_NOTIFICATIONS: '3',
  SVC_LIMIT_ROOMS: '3',
}

interface Reply {
  status: number
  body: any
  retryAfter: string | null
}

class Stand {
  #stand!: ServiceStand
  #remove!: () => Promise<void>
  readonly #ids = new Map<string, Promise<string>>()

  async open(env: Record<string, string>): Promise<void> {
    const database = await sqliteDatabase()
    this.#remove = database.remove
    const served = services({ sources: [] }).filter(({ name }) => NEEDED.includes(name))
    this.#stand = await startServices(served, { url: database.url, env })
  }

  async close(): Promise<void> {
    await this.#stand.close()
    await this.#remove()
  }

  at(service: string, path: string): string {
    return this.#stand.host.urls[service]! + path
  }

  /** Creates the agent on first use. */
  id(name: string): Promise<string> {
    const id = this.#ids.get(name) ?? this.#create(name)
    this.#ids.set(name, id)
    return id
  }

  async #create(name: string): Promise<string> {
    const runtime = { runtime: 'scripted', working_dir: '/tmp', shell: 'bash' }
    const { body } = await this.ask('POST orchestrator /agents', { name, ...runtime })
    return (body as AgentRecord).id
  }

  /** `agent`: name of the agent that asks; default a person. */
  async ask(request: string, body?: unknown, agent?: string): Promise<Reply> {
    const [method, service, path] = request.split(' ') as [string, string, string]
    const who: Record<string, string> =
      agent === undefined ? { 'x-svc-actor': 'mia' } : { 'x-svc-agent': await this.id(agent) }
    const headers = { ...who, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const response = await fetch(this.at(service, path), { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      retryAfter: response.headers.get('retry-after'),
    }
  }

  async call(
    agent: string,
    name: string,
    input: object,
  ): Promise<{ isError: boolean; text: string; problem: unknown }> {
    const client = new Client({ name: 'test', version: '1' })
    const headers = { 'x-svc-agent': await this.id(agent) }
    const transport = new StreamableHTTPClientTransport(new URL(this.at('docstore', '/mcp')), {
      requestInit: { headers },
    })
    await client.connect(transport)
    const result = await client.callTool({ name, arguments: { ...input } })
    await client.close()
    const [content] = result.content as { text: string }[]
    return { isError: result.isError === true, text: content!.text, problem: result._meta?.problem }
  }
}

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status)
const document = (title: string, bytes = 10) => ({ title, content: 'x'.repeat(bytes), created_by: 'somebody else' })
const notification = (title: string) => ({
  source: 'System',
  lifetime: 'Persistent',
  priority: 'Normal',
  title,
  message: 'it is done',
  requires_response: false,
})

describe('an agent', () => {
  const stand = new Stand()
  beforeAll(() => stand.open(SMALL), 60_000)
  afterAll(() => stand.close())

  const expectRefused = (reply: Reply, limit: string, next: string, seconds = '60') => {
    const body = { code: 'limit-reached', retry_after_secs: Number(seconds) }
    expect(reply).toMatchObject({ status: 429, body, retryAfter: seconds })
    expect(reply.body.detail).toContain(limit)
    expect(reply.body.detail).toContain(next)
  }

  /** Sends four requests as the agent and as a person; the fourth of the agent exceeds its limit. */
  async function exceed(
    agent: string,
    request: string,
    bodyOf: (name: string) => object,
    accepted = 201,
  ): Promise<{ made: Reply[]; refused: Reply }> {
    const replies: Reply[] = []
    for (let at = 0; at < 4; at++) replies.push(await stand.ask(request, bodyOf(`${agent} ${at}`), agent))
    const others: Reply[] = []
    for (let at = 0; at < 4; at++) others.push(await stand.ask(request, bodyOf(`${agent} of mia ${at}`)))
    expect(statuses(others)).toEqual([accepted, accepted, accepted, accepted])
    expect(statuses(replies)).toEqual([accepted, accepted, accepted, 429])
    return { made: replies.slice(0, 3), refused: replies[3]! }
  }

  test('is refused memories above its limit until it deletes one', async () => {
    // An agent can only write in its own name; mia uses hers.
    const bodyOf = (content: string) => ({
      content,
      created_by: content.includes('mia') ? 'mia' : 'rem',
      visibility: 'private',
    })
    const { made, refused } = await exceed('rem', 'POST docstore /memories', bodyOf)
    expectRefused(refused, 'agent:rem has reached its limit of 3 memories (SVC_LIMIT_MEMORIES)', 'delete some')
    await stand.ask(`DELETE docstore /memories/${made[0]!.body.id}`, undefined, 'rem')
    expect((await stand.ask('POST docstore /memories', bodyOf('again'), 'rem')).status).toBe(201)
  })

  test('is refused memories and documents above its limits over MCP', async () => {
    const remember = (content: string) => stand.call('mac', 'memory_remember', { content })
    for (const content of ['one', 'two', 'three']) expect((await remember(content)).isError).toBe(false)
    const memory = await remember('four')
    expect(memory.isError).toBe(true)
    expect(memory.text).toMatch(/^limit-reached: .*limit of 3 memories \(SVC_LIMIT_MEMORIES\).* Retry after 60 s\./)
    expect(memory.problem).toEqual({
      status: 429,
      code: 'limit-reached',
      detail: expect.stringContaining('limit of 3 memories'),
      retry_after_secs: 60,
    })
    const create = (title: string) => stand.call('mac', 'doc_create', { ...document(title), created_by: 'mac' })
    for (const title of ['one', 'two', 'three']) expect((await create(title)).isError).toBe(false)
    const refused = await create('four')
    expect(refused.isError).toBe(true)
    expect(refused.text).toContain('limit of 3 documents (SVC_LIMIT_DOCUMENTS)')
    expect(refused.problem).toMatchObject({ status: 429, code: 'limit-reached', retry_after_secs: 60 })
  })

  test('is refused documents above its limit, whatever creator it names', async () => {
    const { made, refused } = await exceed('doc', 'POST docstore /v1/documents', (title) => document(title))
    expectRefused(refused, 'agent:doc has reached its limit of 3 documents (SVC_LIMIT_DOCUMENTS)', 'delete some')
    const of = await stand.ask('POST docstore /v1/documents', document('of mia'))
    const change = `PATCH docstore /v1/documents/${of.body.document.id}`
    expectRefused(await stand.ask(change, { content: 'taken over' }, 'doc'), 'limit of 3 documents', 'delete some')
    await stand.ask(`DELETE docstore /v1/documents/${made[0]!.body.document.id}`)
    expect((await stand.ask(change, { content: 'taken over' }, 'doc')).status).toBe(200)
  })

  test('is refused large documents, and revisions of them, at once or one after the other', async () => {
    const large = document('large', 2 * MIB)
    const { body } = await stand.ask('POST docstore /v1/documents', large, 'big')
    const change = `PATCH docstore /v1/documents/${body.document.id}`
    expect((await stand.ask(change, { content: 'y'.repeat(2 * MIB) }, 'big')).status).toBe(200)
    const refused = await stand.ask(change, { content: 'z'.repeat(3 * MIB) }, 'big')
    expectRefused(refused, 'limit of 10 MiB of documents and revisions (SVC_LIMIT_DOCUMENTS_MIB)', 'delete some')
    const many = ['a', 'b', 'c'].map((title) =>
      stand.ask('POST docstore /v1/documents', document(title, 3 * MIB), 'lot'),
    )
    expect(statuses(await Promise.all(many)).sort((a, b) => a - b)).toEqual([201, 429, 429])
  })

  test('is refused notifications above its limit until one is closed', async () => {
    const { made, refused } = await exceed('bell', 'POST notify /notifications', notification)
    expectRefused(
      refused,
      'agent:bell has reached its limit of 3 open notifications (SVC_LIMIT_OPEN_NOTIFICATIONS)',
      'dismiss some',
    )
    expect(made[0]!.body).toMatchObject({ source: 'System', owner: await stand.id('bell') })
    await stand.ask(`PUT notify /notifications/${made[0]!.body.id}`, { status: 'Dismissed' })
    expect((await stand.ask('POST notify /notifications', notification('again'), 'bell')).status).toBe(201)
  })

  test('is refused rooms above its limit until it deletes one', async () => {
    const bodyOf = (name: string) => ({ name, created_by: name.includes('mia') ? 'mia' : 'host' })
    const { made, refused } = await exceed('host', 'POST communicate /rooms', bodyOf)
    expectRefused(refused, 'agent:host has reached its limit of 3 rooms (SVC_LIMIT_ROOMS)', 'delete some')
    await stand.ask(`DELETE communicate /rooms/${made[0]!.body.id}`, undefined, 'host')
    expect((await stand.ask('POST communicate /rooms', bodyOf('another'), 'host')).status).toBe(201)
  })

  test('is refused queue pushes above its rate', async () => {
    const push = (agent?: string) => stand.ask('POST orchestrator /queues/flooded/push', { title: 'x' }, agent)
    const replies = await Promise.all(Array.from({ length: 30 }, () => push('pusher')))
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(15)
    expectRefused(refused[0]!, 'agent:pusher sends more than 2 queue tasks per second (SVC_LIMIT_', 'wait 500 ms', '1')
    expect(statuses(await Promise.all(Array.from({ length: 30 }, () => push())))).toEqual(Array(30).fill(201))
  })
})

describe('with SVC_LIMITS_FOR=everyone', () => {
  const stand = new Stand()
  beforeAll(() => stand.open({ ...SMALL, SVC_LIMITS_FOR: 'everyone' }), 60_000)
  afterAll(() => stand.close())

  test('limits people as well, each on their own', async () => {
    const create = (title: string) => stand.ask('POST notify /notifications', notification(title))
    expect(statuses([await create('1'), await create('2'), await create('3'), await create('4')])).toEqual([
      201, 201, 201, 429,
    ])
    expect((await stand.ask('POST notify /notifications', notification('5'), 'agent')).status).toBe(201)
  })
})

describe('with too little free disk space', () => {
  const stand = new Stand()
  beforeAll(() => stand.open({ SVC_MIN_FREE_DISK: '1000000000' }), 60_000)
  afterAll(() => stand.close())

  test.each([
    ['POST docstore /memories', { content: 'x', created_by: 'mia' }],
    ['POST docstore /v1/documents', document('x')],
    ['POST notify /notifications', notification('x')],
    ['POST communicate /rooms', { name: 'x', created_by: 'mia' }],
    ['POST orchestrator /queues/x/push', { title: 'x' }],
    ['POST orchestrator /agents/00000000-0000-4000-8000-000000000000/message', { content: 'x' }],
  ])('refuses %s and names the setting', async (request, body) => {
    expect(await stand.ask(request, body)).toMatchObject({
      status: 503,
      body: { code: 'folder-unavailable', detail: expect.stringContaining('SVC_MIN_FREE_DISK') },
    })
  })

  test('still reads, and changes and deletes existing data', async () => {
    expect((await stand.ask('GET docstore /v1/documents')).status).toBe(200)
    expect((await stand.ask('DELETE orchestrator /queues/x')).status).toBe(200)
  })
})

test('every POST that creates a record counts as an addition', () => {
  const operations = everyService.flatMap((group) => Object.values<Operation>(group.operations))
  const made = operations.filter((each) => each.kind === 'call' && 201 in each.reply)
  expect(made.filter((each) => !isAddition(each) || !isWrite(each)).map(({ id }) => id)).toEqual([])
  const others = operations.filter((each) => isAddition(each) && !made.includes(each)).map(({ id }) => id)
  expect(others.sort()).toEqual([
    'docstore.updateDocument',
    'orchestrator.receiveWebhook',
    'orchestrator.sendMessage',
    'orchestrator.triggerWorkflow',
  ])
})
