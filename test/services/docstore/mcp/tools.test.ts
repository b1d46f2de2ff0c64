import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mcpRoutes } from '../../../../api/docstore/mcp.ts'
import { services } from '../../../../daemon/services.ts'
import { Problem } from '../../../../platform/core/problem.ts'
import { TOOL_NAMES } from '../../../../schemas/docstore/tools.ts'
import type { Docstore } from '../../../../services/docstore/face.ts'
import { serve } from '../../../platform/http/fixture.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { ask, request } from '../../../support/http.ts'
import { startServices, type ServiceStand } from '../../../support/services.ts'

let stand: ServiceStand
let remove: () => Promise<void>
let client: Client
let builder: { id: string }
const clients: Client[] = []
const at = () => stand.host.urls

async function connected(headers: Record<string, string> = {}): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' })
  await made.connect(new StreamableHTTPClientTransport(new URL(`${at().docstore}/mcp`), { requestInit: { headers } }))
  clients.push(made)
  return made
}
const call = async (name: string, input: object = {}, by = client) =>
  (await by.callTool({ name, arguments: { ...input } })) as CallToolResult & { structuredContent: any }
const refusal = async (name: string, input: object = {}, by = client): Promise<string> => {
  const { isError, content } = await call(name, input, by)
  expect(isError).toBe(true)
  return (content[0] as { text: string }).text
}

beforeAll(async () => {
  const database = await sqliteDatabase()
  remove = database.remove
  stand = await startServices(services({ sources: [{ name: 'default', directory: '/nonexistent' }] }), {
    url: database.url,
  })
  client = await connected({ 'x-svc-actor': 'mira' })
  const agent = { name: 'builder', working_dir: stand.folder, shell: 'bash', runtime: 'scripted' }
  builder = await request('POST', `${at().orchestrator}/agents`, agent)
}, 60_000)
afterAll(async () => {
  await Promise.all(clients.map((each) => each.close()))
  await stand.close()
  await remove()
})

test('describes input, output and effect of every tool', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES)
  for (const tool of tools) {
    expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' })
    expect(tool.inputSchema.additionalProperties, tool.name).toBe(false)
    expect(tool.description!.length).toBeGreaterThan(20)
  }
  const reading = tools.filter(({ annotations }) => annotations!.readOnlyHint).map(({ name }) => name)
  expect(reading).toEqual([
    'doc_read',
    'doc_list',
    'memory_search',
    'room_read',
    'agents_list',
    'workflow_history',
    'drift_list',
    'plan_show',
    'why',
  ])
  const destructive = tools.filter(({ annotations }) => annotations!.destructiveHint).map(({ name }) => name)
  expect(destructive).toEqual(['doc_update', 'doc_delete', 'memory_forget'])
  expect(tools[0]!.inputSchema.required).toEqual(['title', 'content'])
})

test('creates, reads, updates, lists and deletes documents, with audit', async () => {
  const made = await call('doc_create', { title: 'By tool', content: 'text', tags: ['t'], created_by: 'mira' })
  expect(made.structuredContent).toMatchObject({ id: 'by-tool', created_by: 'mira' })
  expect(JSON.parse((made.content[0] as { text: string }).text)).toEqual(made.structuredContent)
  expect((await call('doc_read', { id: 'by-tool' })).structuredContent.content).toBe('text')
  expect((await call('doc_update', { id: 'by-tool', content: 'new' })).structuredContent.content).toBe('new')
  const listed = (await call('doc_list', { tags: ['t', 'other'] })).structuredContent
  expect(listed).toMatchObject({ total: 1, documents: [{ id: 'by-tool' }] })
  expect(listed.documents[0]).not.toHaveProperty('content')
  expect((await call('doc_delete', { id: 'by-tool' })).structuredContent).toEqual({ success: true, deleted: true })
  const rows = await stand.db('docstore_audit').where({ actor: 'mira' })
  const written = rows.map(({ kind, resource_id, field, endpoint }: Record<string, string>) => [
    kind,
    resource_id,
    field,
    endpoint,
  ])
  expect(written).toEqual([
    ['documents', 'by-tool', '', 'POST /v1/documents'],
    ['documents', 'by-tool', 'content', 'PATCH /v1/documents/{id}'],
    ['documents', 'by-tool', '', 'DELETE /v1/documents/{id}'],
  ])
})

test('names the caller as the creator of a document by default', async () => {
  const made = await call('doc_create', { title: 'Without a creator', content: 'text' })
  expect(made.structuredContent.created_by).toBe('mira')
  await call('doc_delete', { id: 'without-a-creator' })
})

test('explains a refusal and the next step', async () => {
  expect(await refusal('doc_read', { id: 'nowhere' })).toContain('Call doc_list')
  expect(await refusal('doc_read', { id: '../../etc/passwd' })).toContain('id should')
  expect(await refusal('doc_create', { title: 'x' })).toContain('content')
  expect(await refusal('doc_create', { title: 'x', content: 'y', created_by: 'z', tag: 'q' })).toContain(
    'did you mean "tags"?',
  )
  expect(await refusal('doc_create', { title: ' ', content: 'y', created_by: 'z' })).toContain('is blank')
  expect(await refusal('workflow_history', { workflow: 'nightly' })).toContain('workflow nightly does not exist')
  expect(await refusal('why', { kind: 'agents', name: 'nobody' })).toContain('agents_list')
  await expect(client.callTool({ name: 'doc_raed', arguments: {} })).rejects.toThrow('did you mean "doc_read"?')
})

test.each([
  ['doc_read', { id: 'nowhere' }, 404, 'not-found'],
  ['doc_create', { title: 'x' }, 400, 'invalid-input'],
  ['plan_show', {}, 422, 'source-unreadable'],
])('marks a refusal of %s %j with %s %s', async (name, input, status, code) => {
  const { content, _meta } = await call(name, input)
  expect(_meta).toMatchObject({ problem: { status, code, detail: expect.any(String) } })
  const text = (content[0] as { text: string }).text
  expect(text.startsWith(`${code}: ${(_meta!.problem as { detail: string }).detail}. `)).toBe(true)
  expect(text).not.toContain('Retry after')
})

test('names the invalid fields of a refusal', async () => {
  const { _meta } = await call('doc_create', { title: 'x' })
  expect(_meta!.problem).toMatchObject({ errors: [{ path: 'content' }] })
})

test('marks a call of an unknown tool with 404 not-found', async () => {
  const failure = await client.callTool({ name: 'doc_raed', arguments: {} }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: -32602, data: { problem: { status: 404, code: 'not-found' } } })
})

test('reads agents, workflows, drift and plans', async () => {
  const { agents, total } = (await call('agents_list')).structuredContent
  expect([total, agents[0]]).toMatchObject([1, { name: 'builder', id: builder.id }])
  expect(agents[0]).not.toHaveProperty('config')
  const workflow = {
    name: 'nightly',
    agent_id: builder.id,
    trigger_config: { type: 'manual' },
    prompt_template: 'go',
    enabled: false,
  }
  await request('POST', `${at().orchestrator}/workflows`, workflow)
  expect((await call('workflow_history', { workflow: 'nightly' })).structuredContent).toEqual({
    dispatches: [],
    total: 0,
  })
  expect(await refusal('workflow_history', { workflow: 'nightli' })).toContain('did you mean "nightly"?')
  expect((await call('drift_list')).structuredContent).toEqual({ drift: [], total: 0 })
  expect(await refusal('plan_show', { source: 'defualt' })).toContain('default')
})

describe('an agent', () => {
  let agent: Client
  beforeAll(async () => {
    agent = await connected({ 'x-svc-agent': builder.id, 'x-svc-actor': 'mira' })
  })

  test('owns its memories and cannot use another name', async () => {
    const { structuredContent: made } = await call(
      'memory_remember',
      { content: 'a builder secret', visibility: 'private' },
      agent,
    )
    expect(made.created_by).toBe('builder')
    const search = { query: 'builder secret' }
    expect((await call('memory_search', search, agent)).structuredContent.total).toBe(1)
    expect((await call('memory_search', search)).structuredContent.total).toBe(0)
    expect(await refusal('memory_forget', { id: made.id })).toContain('Call memory_search')
    expect(await refusal('memory_remember', { content: 'x', created_by: 'mira' }, agent)).toContain('Omit created_by')
    expect((await call('memory_forget', { id: made.id }, agent)).structuredContent).toEqual({ forgotten: made.id })
    const rows = await stand.db('docstore_audit').where({ actor: 'agent:builder' })
    expect(rows).toHaveLength(2)
  })

  test('reads public, shared and its own memories, whatever name it sends', async () => {
    const url = `${at().docstore}/memories`
    const make = async (visibility: string, shared_with: string[] = []) =>
      (await request('POST', url, { content: 'x', created_by: 'mira', visibility, shared_with })).id as string
    const [hidden, shared] = [await make('private'), await make('shared', ['builder'])]
    for (const actor of ['mira', 'operator']) {
      const headers = { 'x-svc-agent': builder.id, 'x-svc-actor': actor }
      expect((await ask('GET', `${url}/${hidden}`, undefined, headers)).status).toBe(404)
      expect((await ask('GET', `${url}/${shared}`, undefined, headers)).status).toBe(200)
      const ids = (await ask('GET', url, undefined, headers)).body.map(({ id }: { id: string }) => id)
      expect([ids.includes(hidden), ids.includes(shared)]).toEqual([false, true])
      const search = { query: 'x', as_actor: 'mira' }
      expect((await ask('POST', `${url}/search`, search, headers)).status).toBe(403)
    }
  })
})

describe('the endpoint', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  }
  const accept = { accept: 'application/json, text/event-stream' }
  const knock = (headers: Record<string, string>, body: unknown = initialize) =>
    ask('POST', `${at().docstore}/mcp`, body, { ...accept, ...headers })

  test('accepts a valid client and returns the protocol revision', async () => {
    const { status, body } = await knock({})
    expect([status, body.result.protocolVersion, body.result.serverInfo.name]).toEqual([200, '2025-11-25', 'svc'])
  })

  test.each([
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['an unsupported response format', { accept: 'text/html' }, 406],
    ['a body that is not JSON', { 'content-type': 'text/plain' }, 415],
    ['an unknown protocol revision', { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('refuses %s', async (_what, headers, status) => {
    const body = status === 400 ? { jsonrpc: '2.0', id: 1, method: 'tools/list' } : initialize
    expect((await knock(headers, body)).status).toBe(status)
  })

  test('sends Retry-After with a limit that is reached before any tool is called', async () => {
    const app = await serve()
    const tools = () => Promise.reject(new Problem(429, 'too many', { code: 'limit-reached', retrySecs: 12 }))
    mcpRoutes(app, { tools } as Partial<Docstore> as Docstore)
    const { statusCode, headers, body } = await app.inject({ method: 'POST', url: '/mcp', payload: initialize })
    expect([statusCode, headers['retry-after']]).toEqual([429, '12'])
    expect(JSON.parse(body)).toMatchObject({ code: 'limit-reached', retry_after_secs: 12 })
  })

  test('returns 405 for GET and DELETE, as it has no sessions', async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await ask(method, `${at().docstore}/mcp`, undefined, accept)).status).toBe(405)
  })
})
