// Answers over MCP are JSON that strict parsers read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { strictlyParsed } from '../../../platform/http/strict-json.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { startDocstore, type DocstoreStand } from '../stand.ts'

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

async function posted(body: string): Promise<{ status: number; answer: any }> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const response = await fetch(`${stand.host.urls.docstore}/mcp`, { method: 'POST', headers, body })
  return { status: response.status, answer: strictlyParsed(new Uint8Array(await response.arrayBuffer())) }
}
const call = (name: string, input: object) =>
  posted(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }))

/** Texts that are cut after some characters, here in the middle of a surrogate pair. */
const CUT = Array.from({ length: 130 }, (_, length) => 'a'.repeat(length) + '\u{1F600}'.repeat(3))

test('errors that quote the start of a text', async () => {
  for (const name of CUT.slice(90)) {
    const { answer } = await call(name, {})
    expect(answer.error.message).toContain('a'.repeat(90))
  }
})

test('results and refusals of a tool', async () => {
  const title = 'Plan \u{1F600}'
  const made = await call('doc_create', { title, content: '\u{1F600}'.repeat(300) })
  expect(made.answer.result.structuredContent).toMatchObject({ title })
  const missing = await call('doc_read', { id: `${'b'.repeat(60)}\u{1F600}` })
  expect(missing.answer.result.isError).toBe(true)
})

test.each([
  ['half of a surrogate pair', String.raw`\ud83d`],
  ['a NUL character', String.raw`\u0000`],
])('a call with %s is refused with 400', async (seen, escape) => {
  const { status, answer } = await posted(
    `{"jsonrpc":"2.0","id":"x${escape}","method":"tools/call","params":{"name":"doc_create","arguments":{"title":"x${escape}"}}}`,
  )
  expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringContaining(seen)])
})
