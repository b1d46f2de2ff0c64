// Every scenario of the official MCP suite is listed, and the list matches this server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { CALLS, NOT_OFFERED, OFFERED, unjudged } from '../../../../scripts/tests/conformance/judged.mjs'
import { sqliteDatabase } from '../../../support/databases.ts'
import { root } from '../../../support/root.ts'
import { startDocstore } from '../stand.ts'

const names = [...Object.keys(OFFERED), ...Object.keys(NOT_OFFERED)]

test('reports unlisted and removed scenarios', () => {
  expect(unjudged(names)).toEqual({ unknown: [], gone: [] })
  expect(unjudged([...names.slice(1), 'tasks-list'])).toEqual({ unknown: ['tasks-list'], gone: [names[0]] })
})

test('documents each scenario, and why some do not apply', () => {
  const page = readFileSync(join(root, 'docs', 'services', 'docstore.md'), 'utf8').split('\n')
  const lineOf = (name: string) => page.filter((line) => line.startsWith('|') && line.includes(`\`${name}\``))
  for (const name of Object.keys(OFFERED)) expect(lineOf(name), name).toHaveLength(1)
  for (const [name, reason] of Object.entries<string>(NOT_OFFERED))
    expect(lineOf(name), name).toEqual([expect.stringContaining(`| ${reason} |`)])
})

test('offers only tools, including those that replace the suite’s calls', async () => {
  const { url, remove } = await sqliteDatabase()
  const stand = await startDocstore(url)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${stand.host.urls.docstore}/mcp`)))
  expect(client.getServerCapabilities()).toEqual({ tools: {} })
  for (const method of ['resources/list', 'prompts/list', 'logging/setLevel', 'completion/complete'])
    expect(await refusal(`${stand.host.urls.docstore}/mcp`, method), method).toBe(ErrorCode.MethodNotFound)
  const { tools } = await client.listTools()
  for (const { name } of Object.values(CALLS)) expect(tools.map((tool) => tool.name)).toContain(name)
  await client.close()
  await stand.close()
  await remove()
})

/** Returns the error code of the response. */
async function refusal(url: string, method: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} })
  const answer = await fetch(url, { method: 'POST', headers, body })
  return ((await answer.json()) as { error?: { code: number } }).error?.code
}
