import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onEachDatabase, sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { startDocstore, type DocstoreStand } from './stand.ts'

onEachDatabase((database) => {
  let stand: DocstoreStand
  beforeAll(async () => {
    stand = await startDocstore(database.url)
  })
  afterAll(() => stand.close())
  const path = (name: string) => join(stand.documents, name)
  const get = async (id: string) => (await stand.ask(`GET /v1/documents/${id}`)).body
  const listed = async (query = '') => (await stand.ask(`GET /v1/documents${query}`)).body.documents as { id: string }[]
  const isListed = async (id: string, query = '') => (await listed(query)).some((each) => each.id === id)

  test('reads and indexes a manual edit at once, as a separate revision', async () => {
    const id = await stand.make('Edited', { tags: ['kept'] })
    writeFileSync(path('edited.md'), 'written with an editor: zebra')
    expect(await get(id)).toMatchObject({ content: 'written with an editor: zebra', title: 'Edited', tags: ['kept'] })
    expect(await isListed(id, '?q=zebra')).toBe(true)
    const { body } = await stand.ask(`GET /v1/documents/${id}/revisions`)
    expect(body).toMatchObject([
      { revision: 2, by: 'by hand' },
      { revision: 1, by: 'tester' },
    ])
    expect((await stand.ask(`GET /v1/documents/${id}/revisions/1`)).body.content).toBe('# Edited\n')
  })

  test('finds an edit by search before the document is read', async () => {
    await stand.make('Watched')
    writeFileSync(path('watched.md'), 'quagga')
    await eventually(() => isListed('watched', '?q=quagga'))
  })

  test('keeps a manual edit when tags are updated', async () => {
    const id = await stand.make('Tagged')
    writeFileSync(path('tagged.md'), 'by hand')
    const { body } = await stand.ask(`PATCH /v1/documents/${id}`, { tags: ['new'] })
    expect(body).toMatchObject({ content: 'by hand', tags: ['new'] })
    expect(readFileSync(path('tagged.md'), 'utf8')).toBe('by hand')
  })

  test('creates a missing sidecar with the heading as title', async () => {
    writeFileSync(path('Dropped in.md'), 'text\n\n## The  heading ##\n')
    await eventually(() => isListed('Dropped in'))
    expect(await get('Dropped%20in')).toMatchObject({ title: 'The  heading', tags: [], created_by: 'user' })
    expect(JSON.parse(readFileSync(path('.docstore/Dropped in.json'), 'utf8'))).toMatchObject({ revision: 1 })
    writeFileSync(path('plain.md'), 'no heading')
    expect(await get('plain')).toMatchObject({ title: 'plain' })
  })

  test('does not reuse the name of a manually added file', async () => {
    writeFileSync(path('mine.md'), 'by hand')
    expect(await stand.make('Mine')).toBe('mine-2')
    expect(readFileSync(path('mine.md'), 'utf8')).toBe('by hand')
  })

  test('drops a removed file and restores its metadata on return', async () => {
    const id = await stand.make('Moved', { tags: ['t'], created_by: 'mira' })
    renameSync(path('moved.md'), path('moved.md.away'))
    expect(await stand.ask(`GET /v1/documents/${id}`)).toMatchObject({ status: 404 })
    expect(existsSync(path('.docstore/moved.json'))).toBe(false)
    expect(await isListed(id)).toBe(false)
    renameSync(path('moved.md.away'), path('moved.md'))
    expect(await get(id)).toMatchObject({ title: 'Moved', tags: ['t'], created_by: 'mira' })
  })

  test('applies a manually edited sidecar', async () => {
    const id = await stand.make('Retitled')
    const sidecar = JSON.parse(readFileSync(path('.docstore/retitled.json'), 'utf8'))
    writeFileSync(path('.docstore/retitled.json'), JSON.stringify({ ...sidecar, title: 'By hand', tags: ['hand'] }))
    expect(await get(id)).toMatchObject({ title: 'By hand', tags: ['hand'] })
    expect(await isListed(id, '?tags=hand')).toBe(true)
  })

  test.each(['{"title": "half', '[]', '', '{"title": 7}', '{"__proto__": {"polluted": 1}}'])(
    'renames a sidecar containing %j and keeps the known metadata',
    async (text) => {
      const id = await stand.make('Broken sidecar', { tags: ['t'] })
      writeFileSync(path(`.docstore/${id}.json`), text)
      expect(await get(id)).toMatchObject({ title: 'Broken sidecar', tags: ['t'], content: '# Broken sidecar\n' })
      const aside = readdirSync(path('.docstore')).filter((name) => name.startsWith(`${id}.json.broken-`))
      expect(aside.map((name) => readFileSync(path(`.docstore/${name}`), 'utf8'))).toEqual([text])
      expect({}).not.toHaveProperty('polluted')
    },
  )

  test.each([
    ['a tag above the limit', { tags: ['x'.repeat(300)] }],
    ['a revision above the limit', { revision: 1e15 }],
    ['a NUL character', { created_by: 'mi\0ra' }],
    ['a time in another format', { created_at: '2030-01-01T00:00:00.000000000000000001+02:00' }],
    ['a title above the limit', { title: 'x'.repeat(20_000) }],
  ])('renames a sidecar with %s without blocking other documents', async (_what, member) => {
    const [id, other] = [await stand.make('Out of bounds', { tags: ['t'] }), await stand.make('Beside it')]
    const sidecar = JSON.parse(readFileSync(path(`.docstore/${id}.json`), 'utf8'))
    writeFileSync(path(`.docstore/${id}.json`), JSON.stringify({ ...sidecar, ...member }))
    await eventually(
      () => readdirSync(path('.docstore')).some((name) => name.startsWith(`${id}.json.broken-`)) || isListed(id),
    )
    expect((await stand.ask('GET /v1/documents')).status).toBe(200)
    expect(await get(id)).toMatchObject({ title: 'Out of bounds', tags: ['t'] })
    expect(await isListed(other)).toBe(true)
  })

  test('ignores a binary file without blocking other documents', async () => {
    writeFileSync(path('binary.md'), 'half\0text')
    const other = await stand.make('Beside the binary')
    await eventually(() => isListed(other))
    expect((await stand.ask('GET /v1/documents/binary')).status).toBe(404)
    expect(readFileSync(path('binary.md'), 'utf8')).toBe('half\0text')
    rmSync(path('binary.md'))
  })

  test('opens the folder once it becomes usable', async () => {
    await stand.host.stop()
    mkdirSync(path('.docstore/tmp/in-the-way'))
    await stand.reopen()
    expect(await stand.ask('GET /v1/documents')).toMatchObject({
      status: 503,
      body: { detail: expect.stringMatching(/EISDIR|EPERM/) },
    })
    rmSync(path('.docstore/tmp/in-the-way'), { recursive: true })
    await eventually(async () => {
      stand.clock.tick(60_000)
      return (await stand.ask('GET /v1/documents')).status === 200
    })
  })

  test('finds changes made while the daemon was down', async () => {
    const [edited, removed] = [await stand.make('Edited meanwhile'), await stand.make('Removed meanwhile')]
    await stand.host.stop()
    writeFileSync(path(`${edited}.md`), 'okapi')
    rmSync(path(`${removed}.md`))
    writeFileSync(path('added-meanwhile.md'), 'new')
    await stand.reopen()
    expect(await isListed(edited, '?q=okapi')).toBe(true)
    expect(await isListed('added-meanwhile')).toBe(true)
    expect(await isListed(removed)).toBe(false)
    expect(existsSync(path(`.docstore/${removed}.json`))).toBe(false)
  })

  describe('links', () => {
    let outside: string
    beforeEach(() => {
      outside = mkdtempSync(join(tmpdir(), 'svc-outside-'))
      writeFileSync(join(outside, 'secret.md'), 'secret')
    })
    afterEach(() => rmSync(outside, { recursive: true, force: true }))
    const untouched = () => {
      expect(readdirSync(outside)).toEqual(['secret.md'])
      expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('secret')
    }

    test('does not read, list or write through a linked document', async () => {
      symlinkSync(join(outside, 'secret.md'), path('linked.md'))
      for (const request of ['GET', 'DELETE', 'PATCH'])
        expect(
          (await stand.ask(`${request} /v1/documents/linked`, request === 'PATCH' ? { content: 'x' } : undefined))
            .status,
        ).toBe(404)
      expect(await isListed('linked')).toBe(false)
      expect(await stand.make('Linked')).toBe('linked-2')
      untouched()
      rmSync(path('linked.md'))
    })

    test('drops a document replaced by a link and keeps its metadata', async () => {
      const id = await stand.make('Swapped')
      renameSync(path('swapped.md'), path('swapped.away'))
      symlinkSync(join(outside, 'secret.md'), path('swapped.md'))
      expect((await stand.ask(`PATCH /v1/documents/${id}`, { content: 'x' })).status).toBe(404)
      untouched()
      rmSync(path('swapped.md'))
      renameSync(path('swapped.away'), path('swapped.md'))
      expect(await get(id)).toMatchObject({ title: 'Swapped' })
    })

    test('neither reads nor writes through a linked sidecar', async () => {
      const id = await stand.make('Linked sidecar')
      rmSync(path(`.docstore/${id}.json`))
      symlinkSync(join(outside, 'secret.md'), path(`.docstore/${id}.json`))
      expect((await stand.ask(`PATCH /v1/documents/${id}`, { content: 'new' })).status).toBe(200)
      expect(await get(id)).toMatchObject({ title: 'Linked sidecar', content: 'new' })
      untouched()
    })

    test.each(['.docstore', '.docstore/tmp', '.docstore/pending', '.docstore/history'])(
      'refuses a %s that becomes a link',
      async (name) => {
        const id = await stand.make('Safe')
        renameSync(path(name), `${stand.documents}-away`)
        symlinkSync(outside, path(name))
        const refused = await Promise.all([
          stand.ask(`PATCH /v1/documents/${id}`, { content: 'new' }),
          stand.ask('POST /v1/documents', { title: 'Other', content: 'x' }),
          stand.ask(`DELETE /v1/documents/${id}`),
        ])
        untouched()
        rmSync(path(name))
        renameSync(`${stand.documents}-away`, path(name))
        expect(refused.map(({ status }) => status)).toEqual([503, 503, 503])
        expect(refused[0].body.detail).toContain('link')
        expect((await stand.ask(`PATCH /v1/documents/${id}`, { content: 'again' })).status).toBe(200)
        await stand.ask(`DELETE /v1/documents/${id}`)
      },
    )
  })
})

describe('an unusable folder', () => {
  const startIn = async (path: string) => {
    const { url, remove } = await sqliteDatabase()
    const stand = await startDocstore(url, { env: { DOCSTORE_DOCUMENTS_PATH: path, SVC_DOCSTORE_SCAN_SECS: '1' } })
    return { stand, end: () => stand.close().then(remove) }
  }

  test.each(['/proc/documents', '/dev/null/documents', '/dev/null'])(
    'lets the daemon start, reports the reason and returns 503: %s',
    async (path) => {
      const { stand, end } = await startIn(path)
      expect((await stand.ask('GET /health')).body).toMatchObject({
        status: 'degraded',
        reason: expect.stringContaining(path),
      })
      const { status, body } = await stand.ask('POST /v1/documents', { title: 'x', content: 'x' })
      expect(status).toBe(503)
      expect(body.detail).toContain('DOCSTORE_DOCUMENTS_PATH')
      await end()
    },
  )

  test('is used without a restart once usable', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-documents-'))
    const path = join(folder, 'documents')
    writeFileSync(path, 'in the way')
    const { stand, end } = await startIn(path)
    expect((await stand.ask('GET /v1/documents')).status).toBe(503)
    rmSync(path)
    await eventually(async () => {
      stand.clock.tick(60_000)
      return (await stand.ask('GET /v1/documents')).status === 200
    })
    await end()
    rmSync(folder, { recursive: true })
  })

  test('is not shared by two daemons', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-documents-'))
    const [first, second] = [await startIn(folder), await startIn(folder)]
    expect((await first.stand.ask('GET /v1/documents')).status).toBe(200)
    const { status, body } = await second.stand.ask('GET /v1/documents')
    expect([status, body.detail]).toEqual([503, expect.stringContaining('another daemon')])
    await first.end()
    await second.end()
    rmSync(folder, { recursive: true })
  })

  test('reports a file in place of an internal folder and changes nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-documents-'))
    const { stand, end } = await startIn(folder)
    const id = await stand.make('Kept')
    rmSync(join(folder, '.docstore', 'tmp'), { recursive: true })
    writeFileSync(join(folder, '.docstore', 'tmp'), '')
    const { status, body } = await stand.ask(`PATCH /v1/documents/${id}`, { content: 'new' })
    expect([status, body.detail]).toEqual([503, expect.stringContaining('.docstore/tmp')])
    expect(readFileSync(join(folder, 'kept.md'), 'utf8')).toBe('# Kept\n')
    rmSync(join(folder, '.docstore', 'tmp'))
    mkdirSync(join(folder, '.docstore', 'tmp'))
    expect((await stand.ask(`PATCH /v1/documents/${id}`, { content: 'new' })).status).toBe(200)
    await end()
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true })
  })
})
