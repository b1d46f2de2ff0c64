import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addWorktree, plainName, removeWorktree, repositoryOf } from '../../../platform/git/worktree.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-worktree-')))
const user = { env: { ...process.env, GIT_DIR: '/nonexistent' } }
afterAll(() => rmSync(root, { recursive: true, force: true }))

let repository: string
let path: string
let round = 0
const git = (directory: string, ...args: string[]) =>
  execa('git', ['-C', directory, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args])

beforeEach(async () => {
  repository = join(root, `repository-${++round}`)
  path = join(root, `trees-${round}`, 'worker-1')
  mkdirSync(join(repository, 'src'), { recursive: true })
  writeFileSync(join(repository, 'src', 'file'), 'one\n')
  await git(repository, 'init', '-q', '-b', 'main')
  await git(repository, 'add', '.')
  await git(repository, 'commit', '-q', '-m', 'one')
})

const add = (directory = repository, at = path) =>
  addWorktree({ directory, path: at, branch: 'svc/worker', fallbackBranch: 'svc/worker-1', user })

test('creates a worktree on its own branch and maps the folder', async () => {
  const tree = await add(join(repository, 'src'))
  expect(tree).toEqual({ path, branch: 'svc/worker', directory: join(path, 'src') })
  expect(existsSync(join(path, 'src', 'file'))).toBe(true)
  expect((await git(path, 'branch', '--show-current')).stdout).toBe('svc/worker')
})

test('creates a worktree of a repository in SHA-256 format', async () => {
  const directory = join(root, `repository-${round}-sha256`)
  await git(root, 'init', '-q', '-b', 'main', '--object-format=sha256', directory)
  await git(directory, 'commit', '-q', '--allow-empty', '-m', 'one')
  expect(await add(directory)).toMatchObject({ path, branch: 'svc/worker' })
})

test('reuses an existing worktree', async () => {
  await add()
  expect(await add()).toMatchObject({ path, branch: 'svc/worker' })
})

test('uses another branch when the first one is checked out elsewhere', async () => {
  await add()
  expect(await add(repository, `${path}-second`)).toMatchObject({ branch: 'svc/worker-1' })
})

test('rejects a folder outside a repository with 422', async () => {
  const refused = await addWorktree({ directory: root, path, branch: 'b', fallbackBranch: 'c', user }).catch(
    (error: unknown) => error,
  )
  expect(refused).toMatchObject({ status: 422 })
  expect(await repositoryOf(root, user)).toBeNull()
})

const clean = { removed: true, reason: null, preserved: null }

test('removes a clean worktree and its branch', async () => {
  await add()
  expect(await removeWorktree(path, user)).toEqual(clean)
  expect(existsSync(path)).toBe(false)
  expect((await git(repository, 'branch', '--format=%(refname:short)')).stdout).toBe('main')
  expect((await git(repository, 'for-each-ref', 'refs/svc')).stdout).toBe('')
  expect(await removeWorktree(path, user)).toEqual(clean)
})

const REF = 'refs/svc/preserved/worker-1'
const preserved = async (...asked: string[]) => (await git(repository, ...asked)).stdout

test('preserves uncommitted changes and own commits under a ref', async () => {
  writeFileSync(join(repository, 'gone'), 'gone\n')
  await git(repository, 'add', '.')
  await git(repository, 'commit', '-q', '-m', 'two')
  await add()
  writeFileSync(join(path, 'own'), 'own\n')
  await git(path, 'add', '.')
  await git(path, 'commit', '-q', '-m', 'own work')
  writeFileSync(join(path, 'new'), 'new\n')
  writeFileSync(join(path, 'src', 'file'), 'changed\n')
  writeFileSync(join(path, 'staged'), 'staged\n')
  await git(path, 'add', 'staged')
  rmSync(join(path, 'gone'))
  expect(await removeWorktree(path, user)).toEqual({ removed: true, reason: null, preserved: REF })
  expect(existsSync(path)).toBe(false)
  expect(await preserved('ls-tree', '-r', '--name-only', REF)).toBe('new\nown\nsrc/file\nstaged')
  expect(await preserved('show', `${REF}:src/file`)).toBe('changed')
  expect(await preserved('log', '--format=%s', REF)).toMatch(
    /^Uncommitted work of a removed agent\nown work\ntwo\none$/,
  )
  // git garbage-collects unreachable objects: everything is reachable from this ref.
  await git(repository, '-c', 'gc.pruneExpire=now', 'gc', '--quiet', '--prune=now')
  expect(await preserved('show', `${REF}:new`)).toBe('new')
})

test('preserves unmerged commits under a ref, but not merged ones', async () => {
  for (const merged of [false, true]) {
    await add()
    writeFileSync(join(path, 'new'), String(merged))
    await git(path, 'add', '.')
    await git(path, 'commit', '-q', '-m', 'own work')
    if (merged) await git(repository, 'merge', '-q', 'svc/worker')
    expect(await removeWorktree(path, user)).toEqual({ ...clean, preserved: merged ? null : REF })
  }
  expect(await preserved('show', `${REF}:new`)).toBe('false')
})

test('preserves work twice under one name', async () => {
  const refs: (string | null)[] = []
  for (const text of ['one', 'two']) {
    await add()
    writeFileSync(join(path, 'new'), text)
    refs.push((await removeWorktree(path, user)).preserved)
  }
  expect(refs).toEqual([REF, expect.stringMatching(new RegExp(`^${REF}-[0-9a-f]{12}$`))])
  expect(await Promise.all(refs.map((ref) => preserved('show', `${ref}:new`)))).toEqual(['one', 'two'])
})

test('keeps the worktree if its work cannot be preserved', async () => {
  await add()
  await git(path, 'init', '-q', 'inner')
  writeFileSync(join(path, 'inner', 'file'), 'x')
  await git(join(path, 'inner'), 'add', '.')
  await git(join(path, 'inner'), 'commit', '-q', '-m', 'inner')
  expect(await removeWorktree(path, user)).toEqual({
    removed: false,
    reason: 'it contains another repository, which cannot be preserved',
    preserved: null,
  })
  expect(existsSync(join(path, 'inner', 'file'))).toBe(true)
})

for (const [name, plain] of Object.entries({
  worker: 'worker',
  'a b/c': 'a-b-c',
  '../..': 'agent',
  '.hidden.lock': 'hidden',
  ü: 'agent',
  'x..y': 'x.y',
})) {
  test(`converts the name "${name}" to "${plain}"`, () => expect(plainName(name)).toBe(plain))
}
