import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { strictlyParsed } from '../../platform/http/strict-json.ts'
import { agent } from '../../support/command.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { root } from '../../support/root.ts'
import { startDocstore, type DocstoreStand } from './stand.ts'

let stand: DocstoreStand
let remove: () => Promise<void>
beforeAll(async () => {
  const database = await sqliteDatabase()
  remove = database.remove
  stand = await startDocstore(database.url)
})
afterAll(async () => {
  await stand.close()
  await remove()
})

const start = async (url: string) => {
  const client = new Client({ name: 'test', version: '1' })
  const args = [join(root, 'bin', 'agent'), 'mcp', '--url', url]
  const env = { PATH: process.env.PATH!, HOME: stand.folder, SVC_ACTOR: 'mira' }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }))
  return client
}

test('forwards calls to the daemon under the user’s name', async () => {
  const client = await start(stand.host.urls.docstore!)
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  const calls = Array.from({ length: 20 }, (_each, at) =>
    client.callTool({ name: 'doc_create', arguments: { title: `Piped ${at}`, content: `${at}`, created_by: 'mira' } }),
  )
  const made = (await Promise.all(calls)) as unknown as { structuredContent: { id: string; content: string } }[]
  expect(made.map(({ structuredContent }) => structuredContent.id)).toEqual(calls.map((_each, at) => `piped-${at}`))
  const read = await client.callTool({ name: 'doc_read', arguments: { id: 'piped-7' } })
  expect(read.structuredContent).toMatchObject({ content: '7', created_by: 'mira' })
  const rows = await stand.db('docstore_audit').where({ actor: 'mira' })
  expect(rows).toHaveLength(calls.length)
  await client.close()
})

test('answers in JSON that strict parsers read', async () => {
  const call = String.raw`{"jsonrpc":"2.0","id":"x\ud83d","method":"tools/list"}`
  const { stdout } = await agent(['mcp', '--url', stand.host.urls.docstore!], { input: `${call}\n` })
  expect(strictlyParsed(stdout)).toMatchObject({ id: 'x\uFFFD', error: {} })
})

test('rejects requests with the next step if no daemon runs', async () => {
  await expect(start('http://127.0.0.1:9')).rejects.toThrow(/is not reachable at http:\/\/127\.0\.0\.1:9.*svc serve/)
})
