import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { checkOut } from '../../../platform/git/checkout.ts'
import { Mirror } from '../../../platform/git/mirror.ts'
import { addMirrorClone } from '../../../platform/git/mirror-clone.ts'
import {
  checkoutAround,
  checkoutFolder,
  indexIn,
  mirrorIn,
  sourceFolder,
} from '../../../platform/git/source-folders.ts'
import { removeWorktree } from '../../../platform/git/worktree.ts'
import { Origin } from './origin.ts'

let origin: Origin
let data: string
let mirror: Mirror
let path: string
const user = { env: { PATH: process.env.PATH }, home: '/' }

beforeEach(async () => {
  origin = new Origin()
  data = join(origin.home, 'data')
  path = join(data, 'worktrees', 'planner-1')
  const folder = mirrorIn(sourceFolder(data, 'team'))
  mirror = new Mirror({ folder, url: origin.url, env: user.env, home: origin.home, credentials: {} })
  await moveTo(origin.commit({ 'src/a.ts': '1', 'b.bin': Buffer.alloc(3000), '.gitignore': 'built\n' }))
})

async function moveTo(commit: string): Promise<void> {
  await mirror.fetch(commit)
  const folder = checkoutFolder(data, 'team')
  expect(await checkOut({ mirror, folder, index: indexIn(sourceFolder(data, 'team')) }, commit)).toBe(null)
}

const add = (below = '') =>
  addMirrorClone({
    checkout: checkoutAround(join(checkoutFolder(data, 'team'), below), data)!,
    path,
    branch: 'svc/planner',
    user,
  })
const git = (...args: string[]) =>
  execFileSync('git', ['-C', path, '-c', 'user.name=p', '-c', 'user.email=p@example.org', ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: origin.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
const work = (name: string) => {
  writeFileSync(join(path, name), 'work')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'work')
}

test('has the checked out commit on a branch, and its origin is the repository of the source', async () => {
  const commit = origin.git('rev-parse', 'HEAD')
  expect(await add('src')).toBe(join(path, 'src'))
  expect([git('rev-parse', 'HEAD'), git('branch', '--show-current'), git('status', '--porcelain')]).toEqual([
    commit,
    'svc/planner',
    '',
  ])
  expect(git('remote', 'get-url', 'origin')).toBe(origin.url)
  work('c.md')
  git('push', '--quiet', 'origin', 'svc/planner')
  expect(origin.git('show', 'svc/planner:c.md')).toBe('work')
})

test('is used again after a restart, with its work', async () => {
  await add()
  work('c.md')
  await moveTo(origin.commit({ 'src/a.ts': '2' }))
  await add()
  expect([existsSync(join(path, 'c.md')), readFileSync(join(path, 'src/a.ts'), 'utf8')]).toEqual([true, '1'])
})

test('starts an interrupted clone from the start', async () => {
  mkdirSync(join(`${path}.new`, '.git'), { recursive: true })
  await add()
  expect(git('status', '--porcelain')).toBe('')
})

test('has no way to the refs of the mirror', async () => {
  await add()
  const refs = () =>
    execFileSync('git', [`--git-dir=${mirrorIn(sourceFolder(data, 'team'))}`, 'for-each-ref']).toString()
  const before = refs()
  work('c.md')
  git('update-ref', 'refs/svc/checkout', 'HEAD')
  git('tag', 'mine')
  expect(refs()).toBe(before)
  expect(existsSync(join(path, '.git', 'objects', 'info', 'alternates'))).toBe(false)
})

const KEPT: Record<string, [() => void, RegExp]> = {
  'a changed file': [() => writeFileSync(join(path, 'src/a.ts'), 'mine'), /not committed/],
  'a new file': [() => writeFileSync(join(path, 'new'), 'mine'), /not committed/],
  'a commit': [() => work('c.md'), /not pushed/],
  'a commit on another branch': [
    () => {
      git('checkout', '--quiet', '-b', 'other')
      work('c.md')
      git('checkout', '--quiet', 'svc/planner')
    },
    /not pushed/,
  ],
  'a stash': [
    () => {
      writeFileSync(join(path, 'src/a.ts'), 'mine')
      git('stash', '--quiet')
    },
    /not pushed/,
  ],
  'a repository that git cannot read': [() => git('update-ref', '-d', 'refs/svc/base'), /git cannot read it/],
}

test.each(Object.keys(KEPT))('is kept with %s', async (name) => {
  const [change, reason] = KEPT[name]!
  await add()
  change()
  expect(await removeWorktree(path, user)).toEqual({
    removed: false,
    preserved: null,
    reason: expect.stringMatching(reason),
  })
  expect(existsSync(path)).toBe(true)
})

test('is removed without work, and with pushed work', async () => {
  await add()
  mkdirSync(join(path, 'built'))
  expect(await removeWorktree(path, user)).toEqual({ removed: true, reason: null, preserved: null })
  expect(existsSync(path)).toBe(false)
  await add()
  work('c.md')
  git('push', '--quiet', 'origin', 'svc/planner')
  expect((await removeWorktree(path, user)).removed).toBe(true)
})

test('names the mirror if git cannot clone it', async () => {
  await mirror.git(['update-ref', '-d', 'refs/svc/checkout'])
  await expect(add()).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(/could not create a clone of .*mirror.git/),
  })
  expect(existsSync(path)).toBe(false)
})

test('belongs to the checkout that contains the folder, and to no other folder', () => {
  const folder = checkoutFolder(data, 'team')
  expect(checkoutAround(join(folder, 'src', 'x'), data)).toMatchObject({ folder, below: 'src/x' })
  symlinkSync(data, join(origin.home, 'linked'))
  expect(checkoutAround(folder, join(origin.home, 'linked'))).toMatchObject({ folder, below: '' })
  for (const other of [
    data,
    join(data, 'checkouts'),
    join(folder, '..', '..', 'key'),
    join(data, 'checkouts', 'none'),
    '/',
  ])
    expect(checkoutAround(other, data)).toBe(null)
})
