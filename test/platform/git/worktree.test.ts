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

test('makes a worktree on a branch of its own, and names the same folder inside it', async () => {
  const tree = await add(join(repository, 'src'))
  expect(tree).toEqual({ path, branch: 'svc/worker', directory: join(path, 'src') })
  expect(existsSync(join(path, 'src', 'file'))).toBe(true)
  expect((await git(path, 'branch', '--show-current')).stdout).toBe('svc/worker')
})

test('takes the worktree that stands there already', async () => {
  await add()
  expect(await add()).toMatchObject({ path, branch: 'svc/worker' })
})

test('uses another branch when the first one is checked out elsewhere', async () => {
  await add()
  expect(await add(repository, `${path}-second`)).toMatchObject({ branch: 'svc/worker-1' })
})

test('a folder outside a repository is refused with 422', async () => {
  const refused = await addWorktree({ directory: root, path, branch: 'b', fallbackBranch: 'c', user }).catch(
    (error: unknown) => error,
  )
  expect(refused).toMatchObject({ status: 422 })
  expect(await repositoryOf(root, user)).toBeNull()
})

test('removes a clean worktree and its branch', async () => {
  await add()
  expect(await removeWorktree(path, user)).toEqual({ removed: true, reason: null })
  expect(existsSync(path)).toBe(false)
  expect((await git(repository, 'branch', '--format=%(refname:short)')).stdout).toBe('main')
  expect(await removeWorktree(path, user)).toEqual({ removed: true, reason: null })
})

test('keeps a worktree with an uncommitted file', async () => {
  await add()
  writeFileSync(join(path, 'new'), 'x')
  expect(await removeWorktree(path, user)).toEqual({ removed: false, reason: 'it has 1 uncommitted files' })
  expect(existsSync(join(path, 'new'))).toBe(true)
})

test('keeps a worktree whose commits are on no other branch', async () => {
  await add()
  writeFileSync(join(path, 'new'), 'x')
  await git(path, 'add', '.')
  await git(path, 'commit', '-q', '-m', 'own work')
  expect((await removeWorktree(path, user)).reason).toContain('1 commits that are on no other branch')
  await git(repository, 'merge', '-q', 'svc/worker')
  expect(await removeWorktree(path, user)).toEqual({ removed: true, reason: null })
})

for (const [name, plain] of Object.entries({
  worker: 'worker',
  'a b/c': 'a-b-c',
  '../..': 'agent',
  '.hidden.lock': 'hidden',
  ü: 'agent',
  'x..y': 'x.y',
})) {
  test(`an agent called "${name}" works in "${plain}"`, () => expect(plainName(name)).toBe(plain))
}
