import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEachDatabase, sqliteDatabase } from '../../support/databases.ts'
import { startDocstore, type DocstoreStand } from './stand.ts'

onEachDatabase((database) => {
  let stand: DocstoreStand
  beforeAll(async () => {
    stand = await startDocstore(database.url)
  })
  afterAll(() => stand.close())
  const read = (name: string) => readFileSync(join(stand.documents, name), 'utf8')
  const titles = async (query: string): Promise<string[]> =>
    (await stand.ask(`GET /v1/documents?${query}`)).body.documents.map(({ title }: { title: string }) => title)

  test('stores a document as Markdown file with a sidecar in .docstore', async () => {
    const { status, body } = await stand.ask('POST /v1/documents', {
      title: 'Release Plan, Q3',
      content: '# Plan\n\n- ship\n',
      tags: ['plan', 'q3', 'plan'],
      created_by: 'mira',
    })
    expect(status).toBe(201)
    const at = '2030-01-01T12:00:00.000Z'
    const document = {
      id: 'release-plan-q3',
      title: 'Release Plan, Q3',
      content: '# Plan\n\n- ship\n',
      tags: ['plan', 'q3'],
      created_by: 'mira',
      created_at: at,
      updated_at: at,
    }
    expect(body).toEqual({ success: true, document })
    expect(read('release-plan-q3.md')).toBe('# Plan\n\n- ship\n')
    const { id: _id, content: _content, ...known } = document
    expect(JSON.parse(read('.docstore/release-plan-q3.json'))).toMatchObject(known)
    expect((await stand.ask('GET /v1/documents/release-plan-q3')).body).toEqual(document)
    expect(statSync(join(stand.documents, 'release-plan-q3.md')).mode & 0o077).toBe(0)
  })

  test('appends -2, -3 to existing slugs and reuses freed ones', async () => {
    expect([await stand.make('Notes'), await stand.make('notes!'), await stand.make('  NOTES ')]).toEqual([
      'notes',
      'notes-2',
      'notes-3',
    ])
    await stand.ask('DELETE /v1/documents/notes-2')
    expect(await stand.make('Notes')).toBe('notes-2')
  })

  test('gives concurrent creators a document each', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_each, at) => stand.make('Same', { content: `${at}` })))
    expect(new Set(ids).size).toBe(20)
    expect(ids.map((id) => read(`${id}.md`))).toEqual(Array.from({ length: 20 }, (_each, at) => `${at}`))
  })

  test('updates only given fields and keeps the id', async () => {
    const id = await stand.make('Before', { tags: ['a'] })
    stand.clock.tick(60_000)
    const path = `/v1/documents/${id}`
    const { status, body } = await stand.ask(`PATCH ${path}`, { title: 'After' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 'before', title: 'After', tags: ['a'], content: '# Before\n' })
    expect(body.updated_at > body.created_at).toBe(true)
    expect((await stand.ask(`PATCH ${path}`, { tags: [] })).body).toMatchObject({ title: 'After', tags: [] })
    expect((await stand.ask(`PATCH ${path}`, { content: '' })).body.content).toBe('')
    expect(read('before.md')).toBe('')
  })

  test('does not mix concurrent writes of one document', async () => {
    const id = await stand.make('Contended')
    const texts = Array.from({ length: 12 }, (_each, at) => `${at}`.repeat(20_000))
    const answers = await Promise.all(
      texts.map((content, at) => stand.ask(`PATCH /v1/documents/${id}`, { content, title: `T${at}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200))
    const last = (await stand.ask(`GET /v1/documents/${id}`)).body
    expect(texts[Number(last.title.slice(1))]).toBe(last.content)
    expect(read(`${id}.md`)).toBe(last.content)
  })

  test('lists by cursor, newest first', async () => {
    const tag = 'paged'
    for (const title of ['P1', 'P2', 'P3']) {
      stand.clock.tick(1000)
      await stand.make(title, { tags: [tag] })
    }
    const page = async (query: string) => (await stand.ask(`GET /v1/documents?tags=${tag}&limit=2&${query}`)).body
    const titlesOf = ({ items }: { items: { title: string }[] }) => items.map(({ title }) => title)
    const first = await page('after=')
    const second = await page(`after=${first.next}`)
    expect([titlesOf(first), titlesOf(second)]).toEqual([['P3', 'P2'], ['P1']])
    expect([first.previous, second.next]).toEqual([null, null])
    expect(titlesOf(await page(`before=${second.previous}`))).toEqual(['P3', 'P2'])
    for (const query of [`after=${first.next}`, `tags=${tag}&after=x`, `tags=${tag}&q=P1&after=`, 'after=&before='])
      expect((await stand.ask(`GET /v1/documents?${query}`)).status, query).toBe(400)
  })

  test('lists by any of the tags and by creator, newest first', async () => {
    for (const [title, tags, created_by] of [
      ['One', ['x', 'y'], 'ada'],
      ['Two', ['y'], 'bob'],
      ['Three', ['z'], 'ada'],
    ] as const) {
      stand.clock.tick(1000)
      await stand.make(title, { tags, created_by })
    }
    expect(await titles('tags=x,z')).toEqual(['Three', 'One'])
    expect(await titles('tags=y&created_by=bob')).toEqual(['Two'])
    expect(await titles('created_by=ada')).toEqual(['Three', 'One'])
    expect(await titles('tags=nowhere')).toEqual([])
    const { body } = await stand.ask('GET /v1/documents?tags=x,y,z&limit=1&offset=1')
    expect(body).toMatchObject({ success: true, total: 3, documents: [{ title: 'Two' }] })
  })

  test('finds documents with all words, title matches first', async () => {
    await stand.make('Café opening hours', { content: 'Monday to Friday' })
    await stand.make('Holidays', { content: 'The cafe is closed on Monday. Opening hours differ.' })
    await stand.make('東京の案内', { content: '日本語の文書です' })
    expect(await titles('q=cafe')).toEqual(['Café opening hours', 'Holidays'])
    expect(await titles('q=open%20clos')).toEqual(['Holidays'])
    expect(await titles(`q=${encodeURIComponent('本語')}`)).toEqual(['東京の案内'])
    expect(await titles(`q=${encodeURIComponent('"; DROP TABLE x; -- \' AND NOT *')}`)).toEqual([])
    expect(await titles('q=%21%3F')).toEqual([])
    await stand.ask('PATCH /v1/documents/holidays', { content: 'nothing' })
    expect(await titles('q=cafe')).toEqual(['Café opening hours'])
    await stand.ask('DELETE /v1/documents/caf%C3%A9-opening-hours')
    expect(await titles('q=cafe')).toEqual([])
  })

  test('keeps the last twenty revisions with their authors', async () => {
    const id = await stand.make('History')
    for (let at = 1; at <= 24; at++)
      await stand.ask(`PATCH /v1/documents/${id}`, { content: `text ${at}` }, { 'x-svc-actor': `writer-${at}` })
    const { body } = await stand.ask(`GET /v1/documents/${id}/revisions`)
    expect(body).toHaveLength(20)
    expect(body[0]).toMatchObject({ revision: 25, by: 'writer-24', title: 'History', bytes: 7 })
    expect(body.at(-1).revision).toBe(6)
    expect((await stand.ask(`GET /v1/documents/${id}/revisions/7`)).body).toMatchObject({ content: 'text 6' })
    expect((await stand.ask(`GET /v1/documents/${id}/revisions/2`)).status).toBe(404)
    await stand.ask(`PATCH /v1/documents/${id}`, { content: 'text 24' })
    expect((await stand.ask(`GET /v1/documents/${id}/revisions`)).body[0].revision).toBe(25)
  })

  test('deletes a document with its sidecar and history', async () => {
    const id = await stand.make('Doomed')
    expect(await stand.ask(`DELETE /v1/documents/${id}`)).toMatchObject({
      status: 200,
      body: { success: true, deleted: true },
    })
    for (const request of ['GET', 'DELETE', 'PATCH'])
      expect((await stand.ask(`${request} /v1/documents/${id}`, request === 'PATCH' ? {} : undefined)).status).toBe(404)
    const left = readdirSync(stand.documents, { recursive: true }).map(String)
    expect(left.filter((name) => name.includes('doomed'))).toEqual([])
  })

  test.each([
    ['only punctuation', '!?…—', 'document'],
    ['a path traversal', '../../etc/passwd', 'etc-passwd'],
    ['a hidden name', '.docstore', 'docstore'],
    ['Greek', 'Ελληνικά Κείμενα', 'ελληνικά-κείμενα'],
    ['Arabic', 'خطة الإصدار', 'خطة-الإصدار'],
    ['Hindi', 'हिन्दी दस्तावेज़', 'हिन्दी-दस्तावेज़'],
    ['Chinese', '项目 计划', '项目-计划'],
    ['emoji between words', 'Ship 🚀 it', 'ship-it'],
    ['a decomposed letter', 'Cafe\u0301', 'café'],
  ])('derives a plain id from a title of %s', async (_what, title, slug) => {
    const id = await stand.make(title)
    expect(id).toBe(slug)
    expect((await stand.ask(`GET /v1/documents/${encodeURIComponent(id)}`)).body.title).toBe(title)
  })

  test('shortens the id of a long title and rejects longer titles', async () => {
    const [words, one] = ['word '.repeat(2000), 'ü'.repeat(10_000)]
    for (const title of [words, one]) {
      const id = await stand.make(title)
      expect(Buffer.byteLength(id)).toBeLessThanOrEqual(150)
      expect((await stand.ask(`GET /v1/documents/${encodeURIComponent(id)}`)).body.title).toBe(title)
    }
    expect(await stand.ask('POST /v1/documents', { title: `${one}ü`, content: '' })).toMatchObject({ status: 400 })
  })

  test.each(['', '   ', 'a\u0007b', 'two\nlines', 'a\u0000b'])('rejects the title %j', async (title) => {
    const before = readdirSync(stand.documents)
    const { status, body } = await stand.ask('POST /v1/documents', { title, content: '' })
    expect(status).toBe(400)
    expect(body.errors[0].path).toBe('title')
    expect(readdirSync(stand.documents)).toEqual(before)
  })

  test.each(['..%2f..%2fetc%2fpasswd', '%2e%2e', '.docstore', '..%5cx', '%00', 'a%0ab', 'x'.repeat(300)])(
    'finds no document for the id %s',
    async (id) => {
      for (const request of ['GET', 'DELETE', 'PATCH']) {
        const { status } = await stand.ask(`${request} /v1/documents/${id}`, request === 'PATCH' ? {} : undefined)
        expect([400, 404]).toContain(status)
      }
    },
  )

  test('rejects a body above 5 MiB and accepts one just below', async () => {
    const content = 'x'.repeat(5 * 1024 * 1024 - 200)
    expect(await stand.make('Large', { content })).toBe('large')
    const { status } = await stand.ask('POST /v1/documents', { title: 'Larger', content: content + content })
    expect(status).toBe(413)
  })
})

describe('disabled document store', () => {
  test('returns 501 on every endpoint and creates no folder', async () => {
    const { url, remove } = await sqliteDatabase()
    const stand = await startDocstore(url, { config: { enabled: false } })
    for (const request of [
      'GET /v1/documents',
      'GET /v1/documents/x',
      'PATCH /v1/documents/x',
      'DELETE /v1/documents/x',
      'GET /v1/documents/x/revisions',
      'POST /v1/documents',
    ])
      expect((await stand.ask(request, /POST|PATCH/.test(request) ? {} : undefined)).status, request).toBe(501)
    expect((await stand.ask('GET /health')).body).toMatchObject({ status: 'ok', documents_enabled: false })
    expect(existsSync(stand.documents)).toBe(false)
    await stand.close()
    await remove()
  })

  test('lets a variable override the config file', async () => {
    const { url, remove } = await sqliteDatabase()
    const path = join(url.replace('sqlite:', ''), '..', 'elsewhere')
    const env = { DOCSTORE_DOCUMENTS_ENABLED: 'true', DOCSTORE_DOCUMENTS_PATH: path }
    const stand = await startDocstore(url, { config: { enabled: false, path: '/nowhere' }, env })
    await stand.make('Here')
    expect(existsSync(join(path, 'here.md'))).toBe(true)
    await stand.close()
    await remove()
  })
})
