// Identities with tokens: an agent with its launch token, a viewer, and the daemon itself.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { services } from '../../../../daemon/services.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { ask } from '../../../support/http.ts'
import { startServices, type ServiceStand } from '../../../support/services.ts'

const TOKENS = { mia: 'token-of-mia', vera: 'token-of-vera', ada: 'token-of-ada' }
const ROLES = { mia: 'admin', vera: 'viewer', ada: 'admin' }
const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-access-'))
const tokensFile = join(folder, 'tokens.json')
const entries = Object.entries(TOKENS).map(([subject, token]) => ({
  subject,
  role: ROLES[subject as keyof typeof ROLES],
  sha256: createHash('sha256').update(token).digest('hex'),
}))
writeFileSync(tokensFile, JSON.stringify(entries))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let stand: ServiceStand
let remove: () => Promise<void>
const clients: Client[] = []
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const at = (service: string, path: string) => stand.host.urls[service]! + path

async function open(env: Record<string, string>): Promise<void> {
  const database = await sqliteDatabase()
  remove = database.remove
  const served = services({ sources: [{ name: 'default', directory: '/nonexistent' }] })
  stand = await startServices(served, { url: database.url, env: { SVC_TOKENS_FILE: tokensFile, ...env } })
}
async function close(): Promise<void> {
  await stand.close()
  await remove()
}
afterEach(() => Promise.all(clients.splice(0).map((each) => each.close())))

async function connected(headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(at('docstore', '/mcp')), { requestInit: { headers } }))
  clients.push(client)
  return client
}
const call = async (by: Client, name: string, input: object = {}) =>
  (await by.callTool({ name, arguments: { ...input } })) as CallToolResult & { structuredContent: any }
const textOf = ({ content }: CallToolResult) => (content[0] as { text: string }).text

/** Creates an agent whose program writes its tool token to a file. */
async function agent(name: string, headers: Record<string, string>, more: object = {}) {
  const file = join(folder, `${name}.token`)
  rmSync(file, { force: true })
  const program = `printf %s "$SVC_TOOLS_TOKEN" > ${file}.part && mv ${file}.part ${file}; exec sleep 1000`
  const runtime = { runtime: 'command', command: ['sh', '-c', program] }
  const body = { name, working_dir: folder, shell: 'bash', ...runtime, tool_policy: { mode: 'allow_all' }, ...more }
  const made = await ask('POST', at('orchestrator', '/agents'), body, headers)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const given = () => eventually(() => existsSync(file) && readFileSync(file, 'utf8'), 30_000)
  return { id: made.body.id as string, token: await given(), file, given }
}

describe('MCP with authentication', () => {
  beforeAll(() => open({ SVC_AUTH: 'on' }), 60_000)
  afterAll(close)

  test('rejects callers without a valid token', async () => {
    await expect(connected({})).rejects.toThrow(/token-missing/)
    await expect(connected(bearer('agent.00000000-0000-4000-8000-000000000000.x'))).rejects.toThrow(/token-unknown/)
  })

  test('offers a viewer only the tools that read', async () => {
    const made = await call(await connected(bearer(TOKENS.ada)), 'doc_create', {
      title: 'Handbook',
      content: 'text',
      created_by: 'ada',
    })
    expect(made.isError).toBeFalsy()
    const viewer = await connected(bearer(TOKENS.vera))
    const { tools } = await viewer.listTools()
    expect(tools.length).toBeGreaterThan(5)
    expect(tools.every(({ annotations }) => annotations!.readOnlyHint)).toBe(true)
    expect((await call(viewer, 'doc_read', { id: 'handbook' })).structuredContent.content).toBe('text')
    expect((await call(viewer, 'memory_search', { query: 'text' })).structuredContent.total).toBe(0)
    expect((await call(viewer, 'drift_list')).structuredContent.total).toBe(0)
    const refused = await call(viewer, 'doc_delete', { id: 'handbook' })
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/role viewer.*ask a person/)])
    expect(refused._meta).toMatchObject({ problem: { status: 403, code: 'forbidden' } })
    expect((await call(viewer, 'doc_read', { id: 'handbook' })).isError).toBeFalsy()
  })

  test('lets a launch token act as its agent and nothing else', async () => {
    const { id, token } = await agent('builder', bearer(TOKENS.ada))
    const own = await connected(bearer(token))
    expect((await call(own, 'agents_list')).structuredContent.agents).toMatchObject([{ name: 'builder' }])
    const { structuredContent: made } = await call(own, 'memory_remember', { content: 'x', visibility: 'private' })
    expect(made.created_by).toBe('builder')
    expect((await call(own, 'memory_remember', { content: 'x', created_by: 'ada' })).isError).toBe(true)
    expect(await stand.db('docstore_audit').where({ actor: 'agent:builder' })).toHaveLength(1)
    const policy = await ask('PUT', at('orchestrator', '/policies/mine'), { mode: 'allow_all' }, bearer(token))
    expect(policy).toMatchObject({ status: 403, body: { detail: expect.stringContaining('agent:builder may not') } })
    const socket = new WebSocket(at('orchestrator', `/ws/${id}`).replace('http', 'ws'), { headers: bearer(token) })
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
    expect(response.statusCode).toBe(401)
    socket.on('error', () => undefined).terminate()
  }, 60_000)

  test('invalidates a launch token when the launch ends', async () => {
    const { id, token, file, given } = await agent('again', bearer(TOKENS.ada))
    rmSync(file)
    expect((await ask('POST', at('orchestrator', `/agents/${id}/restart`), undefined, bearer(TOKENS.ada))).status).toBe(
      200,
    )
    const next = await given()
    expect(next).not.toBe(token)
    await expect(connected(bearer(token))).rejects.toThrow(/token-unknown/)
    await connected(bearer(next))
    await ask('DELETE', at('orchestrator', `/agents/${id}`), undefined, bearer(TOKENS.ada))
    await expect(connected(bearer(next))).rejects.toThrow(/token-unknown/)
  }, 60_000)
})

describe('MCP without authentication but with a daemon token', () => {
  beforeAll(() => open({ SVC_AUTH: 'off', SVC_TOKEN: TOKENS.mia }), 60_000)
  afterAll(close)

  test('does not call tools with the daemon’s token', async () => {
    const { id } = await agent('plain', {})
    const memory = { content: 'zebra', created_by: 'mira', visibility: 'private' }
    expect((await ask('POST', at('docstore', '/memories'), memory)).status).toBe(201)
    const own = await connected({ 'x-svc-agent': id })
    expect((await call(own, 'memory_search', { query: 'zebra' })).structuredContent.total).toBe(0)
    await call(own, 'memory_remember', { content: 'of the agent' })
    const actors = (await stand.db('docstore_audit').select('actor')).map(({ actor }: { actor: string }) => actor)
    expect(actors).toContain('agent:plain')
    expect(actors).not.toContain('operator')
  }, 60_000)
})
