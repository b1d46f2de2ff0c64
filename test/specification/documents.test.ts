// Clauses of documents without a test elsewhere.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doc } from '../../cli/agent/doc/index.ts'
import { buildProgram } from '../../cli/program.ts'
import { docstoreOperations } from '../../schemas/operations/docstore.ts'
import { tools } from '../../services/docstore/mcp/server.ts'
import { sqliteDatabase } from '../support/databases.ts'
import { startDocstore, type DocstoreStand } from '../services/docstore/stand.ts'

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

test('stores documents in the data folder by default', async () => {
  await stand.make('Where')
  expect(existsSync(join(stand.folder, 'data', 'documents', 'where.md'))).toBe(true)
})

test('creates a document from a title and content', async () => {
  const { status, body } = await stand.ask('POST /v1/documents', { title: 'Made', content: 'text' })
  expect([status, body.success, body.document.tags]).toEqual([201, true, []])
  expect((await stand.ask('GET /v1/documents/made')).body).toEqual(body.document)
  for (const part of [{ title: 'x' }, { content: 'x' }])
    expect((await stand.ask('POST /v1/documents', part)).status).toBe(400)
})

test('publishes no document events', () => {
  const kinds = new Set(Object.values(docstoreOperations.operations).map(({ kind }) => kind as string))
  expect([...kinds].filter((kind) => kind === 'events' || kind === 'socket')).toEqual([])
})

const PROMISED: Record<string, string[]> = {
  create: ['-c', '--content', '--tags', '--by'],
  read: [],
  update: ['-t', '--title', '-c', '--content', '--tags'],
  delete: ['-f', '--force'],
  list: ['--tags', '--by'],
}

const USUAL = ['doc list', ''] as const

test('provides the specified commands and options of doc', async () => {
  const program = await buildProgram(
    { name: 'doc', description: '', commands: doc, usual: [USUAL, USUAL, USUAL] },
    null,
  )
  const missing = Object.entries(PROMISED).flatMap(([name, options]) => {
    const command = program.commands.find((each) => each.name() === name)
    const has = new Set(command?.options.flatMap(({ short, long }) => [short, long]))
    return [
      ...(command ? [] : [name]),
      ...options.filter((option) => !has.has(option)).map((each) => `${name} ${each}`),
    ]
  })
  expect(missing).toEqual([])
})

test('offers five document tools with the specified parameters', () => {
  const taken = Object.fromEntries(
    tools
      .filter(({ name }) => name.startsWith('doc_'))
      .map(({ name, input }) => [name, { required: input.required ?? [], all: Object.keys(input.properties) }]),
  )
  expect(taken).toEqual({
    // Without created_by, the caller is the creator.
    doc_create: { required: ['title', 'content'], all: ['title', 'content', 'tags', 'created_by'] },
    doc_read: { required: ['id'], all: ['id'] },
    doc_update: { required: ['id'], all: ['id', 'title', 'content', 'tags'] },
    doc_delete: { required: ['id'], all: ['id'] },
    doc_list: { required: [], all: ['tags', 'created_by', 'q'] },
  })
})
