// Disks that fill up, become read-only or disappear: no partial writes, reads continue, recovery is automatic.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { counted } from '../../support/counts.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { smallDisk, type SmallDisk } from './small-disk.ts'
import { startDocstore, type DocstoreStand } from './stand.ts'

/** Spans three pages. */
const LONG = 'long text\n'.repeat(1200)
const FULL = {
  status: 503,
  body: { code: 'folder-unavailable', detail: expect.stringMatching(/ENOSPC.*free some space/) },
}
const READ_ONLY = {
  status: 503,
  body: { code: 'folder-unavailable', detail: expect.stringMatching(/EROFS.*mount it/) },
}

let stand: DocstoreStand
let end: () => Promise<void>
async function startIn(path: string): Promise<void> {
  const { url, remove } = await sqliteDatabase()
  stand = await startDocstore(url, { env: { DOCSTORE_DOCUMENTS_PATH: path } })
  end = () => stand.close().then(remove)
}
const health = async () => (await stand.ask('GET /health')).body
const get = (id: string) => stand.ask(`GET /v1/documents/${id}`)
/** Advances the clock by one minute until the condition holds. */
const inTime = (holds: () => Promise<boolean>) =>
  eventually(async () => {
    stand.clock.tick(60_000)
    return holds()
  })
const isOk = async () => (await health()).status === 'ok'

/** Each file has a sidecar and a last revision of the same write; no partial write remains. */
async function isWhole(path: string): Promise<void> {
  const own = join(path, '.docstore')
  for (const name of ['tmp', 'pending']) expect(readdirSync(join(own, name)), name).toEqual([])
  const ids = (folder: string, end: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(end))
      .map((name) => name.slice(0, -end.length))
      .sort()
  expect(ids(own, '.json')).toEqual(ids(path, '.md'))
  for (const id of ids(path, '.md')) {
    const { title, revision } = JSON.parse(readFileSync(join(own, `${id}.json`), 'utf8'))
    const content = readFileSync(join(path, `${id}.md`), 'utf8')
    expect((await get(id)).body).toMatchObject({ title, content })
    expect((await stand.ask(`GET /v1/documents/${id}/revisions`)).body[0]).toMatchObject({ revision, title })
    expect((await stand.ask(`GET /v1/documents/${id}/revisions/${revision}`)).body.content).toBe(content)
  }
}

describe('document store on a small disk', () => {
  let disk: SmallDisk | null
  beforeEach(async () => {
    disk = smallDisk()
    if (disk) await startIn(disk.path)
  })
  afterEach(async () => {
    if (disk) await end()
    disk?.remove()
  })

  const room = [
    ...Array.from(
      { length: 14 },
      (_each, pages) => [`${pages} free pages`, (on: SmallDisk) => on.fill(pages)] as const,
    ),
    ...Array.from(
      { length: 7 },
      (_each, files) => [`room for ${files} files`, (on: SmallDisk) => on.crowd(files)] as const,
    ),
  ]

  test('writes a document completely or not at all, whatever space remains', async () => {
    if (!disk) return
    const kept = await stand.make('Kept', { tags: ['t'] })
    let refused = 0
    for (const [what, leave] of room) {
      leave(disk)
      const before = (await get(kept)).body
      const made = await stand.ask('POST /v1/documents', { title: 'Made', content: LONG })
      if (made.status !== 201) expect(made, what).toMatchObject(FULL)
      const text = `${what}\n${LONG}`
      const changed = await stand.ask(`PATCH /v1/documents/${kept}`, { title: what, content: text })
      if (changed.status !== 200) expect(changed, what).toMatchObject(FULL)
      refused += [made, changed].filter(({ status }) => status === 503).length
      const now = (await get(kept)).body
      expect(now, what).toEqual(changed.status === 200 ? changed.body : before)
      expect((await get('made')).status, what).toBe(made.status === 201 ? 200 : 404)
      expect((await stand.ask('GET /v1/documents?q=kept')).status).toBe(200)
      await isWhole(disk.path)
      disk.empty()
      expect((await stand.ask(`PATCH /v1/documents/${kept}`, { content: `again ${what}` })).status, what).toBe(200)
      await stand.ask('DELETE /v1/documents/made')
    }
    expect(refused).toBeGreaterThan(10)
    counted('documents: writes refused by a full disk', refused)
  })

  test('deletes a document on a full disk', async () => {
    if (!disk) return
    const [id, other] = [await stand.make('Doomed', { content: LONG }), await stand.make('Other')]
    disk.fill(0)
    expect(await stand.ask(`DELETE /v1/documents/${id}`)).toMatchObject({ status: 200 })
    expect((await get(id)).status).toBe(404)
    expect((await get(other)).status).toBe(200)
    await isWhole(disk.path)
  })

  test('reads manual edits on a full disk and adds the revision later', async () => {
    if (!disk) return
    const id = await stand.make('Edited')
    disk.fill(1)
    writeFileSync(join(disk.path, `${id}.md`), 'by hand')
    disk.fill(0)
    expect((await get(id)).body).toMatchObject({ title: 'Edited', content: 'by hand' })
    expect((await stand.ask('GET /v1/documents?q=hand')).body.total).toBe(1)
    disk.empty()
    expect((await get(id)).body).toMatchObject({ content: 'by hand' })
    await isWhole(disk.path)
  })

  test('reports a full disk in health, also after a restart, until freed', async () => {
    if (!disk) return
    const id = await stand.make('Kept')
    expect(await health()).toMatchObject({ status: 'ok' })
    disk.fill(0)
    const degraded = {
      status: 'degraded',
      code: 'folder-unavailable',
      reason: expect.stringContaining('free some space'),
    }
    expect(await health()).toMatchObject(degraded)
    await stand.reopen()
    expect(await health()).toMatchObject(degraded)
    expect((await get(id)).status).toBe(200)
    disk.empty()
    expect(await health()).toMatchObject({ status: 'ok' })
  })

  test('reports a read-only disk, refuses writes, resumes when writable', async () => {
    if (!disk) return
    const id = await stand.make('Kept')
    disk.close()
    expect(await health()).toMatchObject({
      status: 'degraded',
      code: 'folder-unavailable',
      reason: READ_ONLY.body.detail,
    })
    for (const [request, body] of [
      ['POST /v1/documents', { title: 'Other', content: LONG }],
      [`PATCH /v1/documents/${id}`, { content: LONG }],
      [`DELETE /v1/documents/${id}`, undefined],
    ] as const)
      expect(await stand.ask(request, body), request).toMatchObject(READ_ONLY)
    expect((await get(id)).body.content).toBe('# Kept\n')
    disk.reopen()
    expect(await health()).toMatchObject({ status: 'ok' })
    expect((await stand.ask(`PATCH /v1/documents/${id}`, { content: LONG })).status).toBe(200)
    await isWhole(disk.path)
  })

  test('starts on a read-only folder and recovers without a restart', async () => {
    if (!disk) return
    const id = await stand.make('Kept')
    await stand.host.stop()
    disk.close()
    await stand.reopen()
    expect(await health()).toMatchObject({ status: 'degraded', reason: READ_ONLY.body.detail })
    expect(await get(id)).toMatchObject(READ_ONLY)
    disk.reopen()
    await inTime(async () => (await get(id)).status === 200 && (await isOk()))
  })

  test('reports an unmounted disk and writes nothing to its mount point', async () => {
    if (!disk) return
    const id = await stand.make('Kept')
    disk.unmount()
    expect(await health()).toMatchObject({
      status: 'degraded',
      code: 'folder-unavailable',
      reason: expect.stringContaining('mount it'),
    })
    const asked = ['POST /v1/documents', { title: 'Other', content: LONG }] as const
    expect((await stand.ask(...asked)).status).toBe(503)
    await inTime(async () => /restart/.test((await health()).reason))
    expect((await stand.ask(...asked)).status).toBe(503)
    expect(readdirSync(disk.path)).toEqual([])
    disk.remount()
    await inTime(isOk)
    expect((await get(id)).body.content).toBe('# Kept\n')
    expect((await stand.ask(...asked)).status).toBe(201)
  })
})

describe('document folder', () => {
  let folder: string
  const path = () => join(folder, 'documents')
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-documents-'))
    await startIn(path())
  })
  afterEach(async () => {
    await end()
    rmSync(folder, { recursive: true })
  })

  test('reports that it was moved and is used again once restored', async () => {
    const id = await stand.make('Kept')
    renameSync(path(), `${path()}-away`)
    expect(await health()).toMatchObject({
      status: 'degraded',
      code: 'folder-unavailable',
      reason: expect.stringContaining('restore it'),
    })
    expect((await get(id)).status).toBe(503)
    renameSync(`${path()}-away`, path())
    expect(await health()).toMatchObject({ status: 'ok' })
    expect((await get(id)).status).toBe(200)
  })

  test('is scanned and watched again after a copy replaced it', async () => {
    const [id, other] = [await stand.make('Kept'), await stand.make('Left out')]
    cpSync(path(), `${path()}-copy`, { recursive: true })
    rmSync(path(), { recursive: true })
    expect(await health()).toMatchObject({ status: 'degraded' })
    rmSync(join(`${path()}-copy`, `${other}.md`))
    renameSync(`${path()}-copy`, path())
    await inTime(isOk)
    expect((await get(id)).status).toBe(200)
    expect((await get(other)).status).toBe(404)
    writeFileSync(join(path(), `${id}.md`), 'an edit of the copy: quokka')
    await eventually(async () => (await stand.ask('GET /v1/documents?q=quokka')).body.total === 1)
  })

  test('is not recreated after its removal while the daemon runs', async () => {
    await stand.make('Kept')
    rmSync(path(), { recursive: true })
    await inTime(async () => /ENOENT/.test((await health()).reason))
    expect(existsSync(path())).toBe(false)
    mkdirSync(path())
    await inTime(async () => /restart/.test((await health()).reason))
    await stand.reopen()
    expect(await health()).toMatchObject({ status: 'ok' })
    expect((await stand.ask('GET /v1/documents')).body.total).toBe(0)
  })
})
