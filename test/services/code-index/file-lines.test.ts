import { randomUUID } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileLines } from '../../../schemas/code-index/file.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { makeTree, startIndex, type IndexStand, type Tree } from './stand.ts'

const numbered = (count: number, text = 'line') => Array.from({ length: count }, (_each, at) => `${text} ${at + 1}\n`)

onEachDatabase((database) => {
  let stand: IndexStand
  let tree: Tree
  let id: string
  beforeAll(async () => {
    tree = makeTree({
      'src/a.ts': '\uFEFFfirst\r\nsecond\r\n\r\nfourth — é',
      'src/long.ts': numbered(5000).join(''),
      'src/wide.ts': `${'x'.repeat(3999)}😀${'y'.repeat(100)}\nshort\n`,
      'src/heavy.ts': `${'\u0001'.repeat(3000)}\n`.repeat(300),
      'src/empty.ts': '',
      'src/new\nline.ts': 'odd name\n',
      'src/data.ts': Buffer.from('answer\0answer'),
      'src/huge.ts': 'x'.repeat(1024 * 1024 + 1),
      'src/folder.ts/b.ts': 'in a folder\n',
      'notes.txt': 'in no language\n',
      '.env.ts': 'SECRET=planted\n',
      '.gitignore': '.env.*\nhidden/\n',
      'hidden/c.ts': 'planted\n',
      'mine/d.ts': 'planted\n',
      'node_modules/e.ts': 'planted\n',
      '.git/hooks/f.ts': 'planted\n',
      'sub/.GIT/g.ts': 'planted\n',
      'real/h.ts': 'reached\n',
    })
    symlinkSync('/etc', join(tree.path, 'etc'))
    symlinkSync(join(tree.path, 'hidden'), join(tree.path, 'open'))
    symlinkSync(join(tree.path, 'real/h.ts'), join(tree.path, 'link.ts'))
    execFileSync('mkfifo', [join(tree.path, 'src/pipe.ts')])
    utimesSync(join(tree.path, 'src/a.ts'), 1_700_000_000, 1_700_000_000)
    stand = await startIndex(database.url, {
      SVC_INDEX_EMBEDDING_PROVIDER: 'builtin',
      SVC_INDEX_IGNORE_PATTERNS: 'node_modules',
    })
    ;({ id } = (await stand.ask('POST /repositories', { name: 'tree', path: tree.path, ignore: ['mine'] })).body)
  })
  afterAll(async () => {
    await stand.close()
    tree.remove()
  })

  const file = (path: string, query: object = {}, of = id) =>
    stand.ask<FileLines & { code: string; detail: string }>(
      `GET /repositories/${of}/file?${new URLSearchParams({ path, ...query }).toString()}`,
    )

  test('reads the lines of a file with its totals', async () => {
    const { status, body } = await file('src/a.ts')
    expect([status, body]).toEqual([
      200,
      {
        path: 'src/a.ts',
        language: 'typescript',
        size: 33,
        modified_at: '2023-11-14T22:13:20.000Z',
        total_lines: 4,
        from: 1,
        lines: ['first', 'second', '', 'fourth — é'],
        cut: [],
        next: null,
      },
    ])
    expect((await file('src/empty.ts')).body).toMatchObject({ total_lines: 0, lines: [], next: null })
    expect((await file('src/new\nline.ts')).body).toMatchObject({ lines: ['odd name'] })
  })

  test('reads a file that is written after the last scan', async () => {
    tree.write('src/late.ts', 'late\n')
    expect((await file('src/late.ts')).body).toMatchObject({ total_lines: 1, lines: ['late'] })
  })

  test('returns at most 2000 lines and the number of the next one', async () => {
    const first = (await file('src/long.ts')).body
    expect([first.lines.length, first.lines.at(-1), first.next, first.total_lines]).toEqual([
      2000,
      'line 2000',
      2001,
      5000,
    ])
    const part = (await file('src/long.ts', { from: '4999', to: '9999' })).body
    expect(part).toMatchObject({ from: 4999, lines: ['line 4999', 'line 5000'], next: null })
    expect((await file('src/long.ts', { from: '2', to: '3' })).body).toMatchObject({
      lines: ['line 2', 'line 3'],
      next: 4,
    })
    expect((await file('src/long.ts', { from: '5001' })).body).toMatchObject({ lines: [], next: null })
  })

  test('cuts a long line between characters and marks it', async () => {
    const { body } = await file('src/wide.ts')
    expect(body).toMatchObject({ lines: [`${'x'.repeat(3999)}…`, 'short'], cut: [1] })
  })

  test('returns at most 256 KiB and continues after it', async () => {
    const sizes: number[] = []
    let [next, lines]: [number | null, number] = [1, 0]
    while (next !== null) {
      const { body } = await file('src/heavy.ts', { from: String(next) })
      sizes.push(Buffer.byteLength(JSON.stringify(body.lines)))
      lines += body.lines.length
      next = body.next
    }
    expect(lines).toBe(300)
    expect(sizes.length).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThan(257 * 1024)
  })

  test.each([
    ['absolute', '/etc/hosts.ts', 'is absolute'],
    ['above the repository', '../other/a.ts', 'has an empty part, "." or ".."'],
    ['above the repository in the middle', 'src/../../a.ts', 'has an empty part'],
    ['with an empty part', 'src//a.ts', 'has an empty part'],
    ['with a NUL character', 'src/a.ts\0.txt', 'NUL'],
    ['too long', `${'x/'.repeat(2100)}a.ts`, '4096'],
    ['empty', '', 'path'],
  ])('rejects a path that is %s with 400', async (_what, path, said) => {
    const { status, body } = await file(path)
    expect([status, body.code]).toEqual([400, 'invalid-input'])
    expect(body.detail).toContain(said)
  })

  test.each([
    [{ from: '0' }, 'from'],
    [{ from: '3', to: '2' }, 'is before from (3)'],
    [{ from: 'x' }, 'from'],
  ])('rejects the lines %j with 400', async (query, said) => {
    const { status, body } = await file('src/a.ts', query)
    expect([status, body.detail]).toEqual([400, expect.stringContaining(said)])
  })

  test.each([
    ['in no indexed language', 'notes.txt', 'add it to languages of the repository'],
    ['ignored by .gitignore', '.env.ts', 'excludes .env.ts'],
    ['in an ignored folder', 'hidden/c.ts', 'excludes hidden'],
    ['missing in an ignored folder', 'hidden/none.ts', 'excludes hidden'],
    ['ignored by the repository', 'mine/d.ts', 'excludes mine'],
    ['ignored by the setting', 'node_modules/e.ts', 'excludes node_modules'],
    ['in .git', '.git/hooks/f.ts', 'is in .git'],
    ['in .git of a part, in capitals', 'sub/.GIT/g.ts', 'is in .git'],
    ['behind a link to the outside', 'etc/hosts.ts', 'etc is a link'],
    ['missing behind a link to the outside', 'etc/none/none.ts', 'etc is a link'],
    ['behind a link to an ignored folder', 'open/c.ts', 'open is a link'],
    ['a link', 'link.ts', 'link.ts is a link'],
    ['binary', 'src/data.ts', 'is a binary file'],
    ['too large', 'src/huge.ts', 'is larger than 1024 KiB'],
    ['a folder', 'src/folder.ts', 'is not a file'],
    ['a pipe', 'src/pipe.ts', 'is not a file'],
    ['below a file', 'src/a.ts/b.ts', 'src/a.ts is not a directory'],
  ])('refuses a file that is %s with 422', async (_what, path, said) => {
    const { status, body } = await file(path)
    expect([status, body.code]).toEqual([422, 'unprocessable-content'])
    expect(body.detail).toContain(said)
  })

  test('returns 404 for a missing file and an unknown repository', async () => {
    const missing = await file('src/none.ts')
    expect([missing.status, missing.body.detail]).toEqual([404, expect.stringContaining('src/none.ts is missing')])
    expect((await file('src/a.ts', {}, randomUUID())).status).toBe(404)
  })

  test('refuses a closed path with 422', async () => {
    const home = makeTree({ '.ssh/key.ts': 'planted\n', 'a.ts': 'open\n' })
    const own = await startIndex('sqlite::memory:', { HOME: home.path, SVC_INDEX_EMBEDDING_PROVIDER: 'builtin' })
    try {
      const { body } = await own.ask('POST /repositories', { name: 'home', path: home.path })
      const closed = await own.ask(`GET /repositories/${body.id}/file?path=.ssh/key.ts`)
      expect([closed.status, closed.body.code]).toEqual([422, 'path-closed'])
      expect((await own.ask(`GET /repositories/${body.id}/file?path=a.ts`)).body.lines).toEqual(['open'])
    } finally {
      await own.close()
      home.remove()
    }
  })
})
