import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { services } from '../../../../daemon/services.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { ask, request } from '../../../support/http.ts'
import { startServices, type ServiceStand } from '../../../support/services.ts'
import { startDocstore } from '../stand.ts'

let stand: ServiceStand
let remove: () => Promise<void>
let builder: string
const clients: Client[] = []
const operator = { 'x-svc-actor': 'operator' }
const rooms = (path: string) => stand.host.urls.communicate! + path

async function connected(url: string, headers: Record<string, string>): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' })
  await made.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  clients.push(made)
  return made
}
const as = (headers: Record<string, string>) => connected(stand.host.urls.docstore!, headers)
const call = async (by: Client, name: string, input: object) =>
  (await by.callTool({ name, arguments: { ...input } })) as CallToolResult & { structuredContent: any }
const refusal = async (by: Client, name: string, input: object) => {
  const { isError, content } = await call(by, name, input)
  expect(isError).toBe(true)
  return (content[0] as { text: string }).text
}

beforeAll(async () => {
  const database = await sqliteDatabase()
  remove = database.remove
  const served = services({ sources: [] }).filter(({ name }) =>
    ['orchestrator', 'communicate', 'docstore'].includes(name),
  )
  stand = await startServices(served, { url: database.url })
  const agent = { name: 'builder', working_dir: stand.folder, shell: 'bash', runtime: 'scripted' }
  builder = (await request('POST', `${stand.host.urls.orchestrator}/agents`, agent)).id
  for (const [name, room_type] of [
    ['lobby', 'group'],
    ['news', 'broadcast'],
  ]) {
    await ask('POST', rooms('/rooms'), { name, room_type, created_by: 'mira' }, operator)
    for (const [identifier, kind, role] of [
      ['ben', 'human', 'observer'],
      [builder, 'agent', 'member'],
    ])
      expect(
        (await ask('POST', rooms(`/rooms/${name}/participants`), { identifier, kind, role }, operator)).status,
      ).toBe(201)
  }
}, 60_000)
afterAll(async () => {
  await Promise.all(clients.map((each) => each.close()))
  await stand.close()
  await remove()
})

test('posts as the agent and reads replies', async () => {
  const agent = await as({ 'x-svc-agent': builder })
  const { structuredContent: posted } = await call(agent, 'room_post', { room: 'lobby', content: 'built' })
  expect(posted).toMatchObject({ sender_id: builder, sender_kind: 'agent', content: 'built' })
  const mira = await as({ 'x-svc-actor': 'mira' })
  await call(mira, 'room_post', { room: 'lobby', content: 'thanks', reply_to: posted.id })
  const { structuredContent: read } = await call(agent, 'room_read', { room: 'lobby' })
  expect(read.messages).toMatchObject([
    { content: 'built' },
    { content: 'thanks', sender_id: 'mira', reply_to: posted.id },
  ])
  expect((await call(agent, 'room_read', { room: 'lobby', count: 1 })).structuredContent.messages).toHaveLength(1)
})

test('enforces the roles of observers, broadcast members and strangers', async () => {
  const [ben, agent, zoe] = [
    await as({ 'x-svc-actor': 'ben' }),
    await as({ 'x-svc-agent': builder }),
    await as({ 'x-svc-actor': 'zoe' }),
  ]
  expect(await refusal(ben, 'room_post', { room: 'lobby', content: 'x' })).toMatch(
    /ben has role observer.*ask a person/,
  )
  expect((await call(ben, 'room_read', { room: 'lobby' })).isError).toBeFalsy()
  expect(await refusal(agent, 'room_post', { room: 'news', content: 'x' })).toMatch(/only admins post.*ask a person/)
  expect(await refusal(zoe, 'room_read', { room: 'lobby' })).toMatch(/zoe is not one.*ask a person/)
  expect(await refusal(zoe, 'room_post', { room: 'lobby', content: 'x' })).toMatch(/not in room/)
})

test('suggests a room for an unknown name and explains invalid messages', async () => {
  const agent = await as({ 'x-svc-agent': builder })
  expect(await refusal(agent, 'room_post', { room: 'loby', content: 'x' })).toContain('did you mean "lobby"?')
  const zoe = await as({ 'x-svc-actor': 'zoe' })
  expect(await refusal(zoe, 'room_read', { room: 'attic' })).toContain('you are not in any room')
  expect(await refusal(agent, 'room_post', { room: 'lobby', content: ' ' })).toMatch(
    /content should.*Correct the arguments/,
  )
  expect(await refusal(agent, 'room_post', { room: 'lobby', content: 'x'.repeat(70_000) })).toContain('content should')
  expect(await refusal(agent, 'room_post', { room: 'lobby', content: 'x', sender_id: 'mira' })).toContain('sender_id')
})

test('advises a model to continue while the room service is down', async () => {
  const database = await sqliteDatabase()
  const alone = await startDocstore(database.url, { env: { SVC_COMMUNICATE_URL: 'http://127.0.0.1:9' } })
  const client = await connected(alone.host.urls.docstore!, { 'x-svc-actor': 'mira' })
  for (const [name, input] of [
    ['room_read', {}],
    ['room_post', { content: 'x' }],
  ] as const)
    expect(await refusal(client, name, { room: 'lobby', ...input })).toMatch(/does not answer.*not running.*Continue/)
  await alone.close()
  await database.remove()
}, 30_000)
