import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { StackedRemote } from '../../../platform/git/stacked-remote.ts'
import { forever, gitOf, leftIn, restackOf } from './clone-fixture.ts'

let remote: StackedRemote

beforeEach(() => {
  remote = new StackedRemote()
  remote.stack()
})

test.each(['sha1', 'sha256'])('rebases the branches above a squash merge: %s', async (format) => {
  const other = new StackedRemote(format)
  other.stack()
  const merged = other.squash('a', 1)
  const reply = await gitOf(other).restack(restackOf(other, merged), forever)
  const heads = new Map([
    [2, other.head('b')],
    [3, other.head('c')],
  ])
  expect(reply).toEqual({ outcome: 'done', heads })
  expect(other.subjects('b')).toEqual(['b1', 'a (#1)', 'start'])
  expect(other.subjects('c')).toEqual(['c1', 'b1', 'a (#1)', 'start'])
  expect(other.remote('ls-tree', '--name-only', 'c').split('\n')).toEqual([
    'README.md',
    'a.txt',
    'b.txt',
    'c.txt',
    'shared.txt',
  ])
  expect(leftIn(other)).toEqual(['clone.git'])
})

test('merges a stack of three from the bottom', async () => {
  const git = gitOf(remote)
  await git.restack(restackOf(remote, remote.squash('a', 1)), forever)
  expect(await git.deleteBranch({ branch: 'a', head: remote.head('a')!, trunks: ['main'] }, forever)).toBe('done')
  const merged = remote.squash('b', 2)
  const branches = [{ number: 3, branch: 'c', head: remote.head('c')!, parent: null }]
  const restack = { onto: 'main', merged: { number: 2, head: merged }, branches, trunks: ['main'] }
  const reply = await git.restack(restack, forever)
  expect(reply.outcome).toBe('done')
  expect(await git.deleteBranch({ branch: 'b', head: merged, trunks: ['main'] }, forever)).toBe('done')
  remote.squash('c', 3)
  expect(remote.subjects('main')).toEqual(['c (#3)', 'b (#2)', 'a (#1)', 'start'])
  expect([remote.head('a'), remote.head('b')]).toEqual([null, null])
})

test('keeps authors and their dates, and commits as the conductor', async () => {
  await gitOf(remote).restack(restackOf(remote, remote.squash('a', 1)), forever)
  expect(remote.remote('log', '-1', '--format=%an <%ae> %aI %cn <%ce>', 'b')).toBe(
    'Mira <mira@example.org> 2026-05-01T10:00:00+02:00 svc conductor <svc@localhost>',
  )
})

test('changes nothing if the branch is already on its new base', async () => {
  const git = gitOf(remote)
  const merged = remote.squash('a', 1)
  await git.restack(restackOf(remote, merged), forever)
  const restack = restackOf(remote, merged)
  remote.commit('main', { 'later.txt': 'x' }, 'later')
  const heads = new Map(restack.branches.map(({ number, head }) => [number, head]))
  expect(await git.restack(restack, forever)).toEqual({ outcome: 'unchanged', heads })
})

test('moves branches beside each other and onto another base', async () => {
  remote.commit('d', { 'd.txt': 'd' }, 'd1', 'b')
  remote.commit('next', { 'next.txt': 'n' }, 'next', 'main')
  const merged = remote.squash('a', 1, 'next')
  const restack = restackOf(remote, merged, 'next')
  const beside = { number: 4, branch: 'd', head: remote.head('d')!, parent: 2 }
  await gitOf(remote).restack({ ...restack, branches: [...restack.branches, beside] }, forever)
  expect(remote.subjects('c')).toEqual(['c1', 'b1', 'a (#1)', 'next', 'start'])
  expect(remote.subjects('d')).toEqual(['d1', 'b1', 'a (#1)', 'next', 'start'])
})

test('moves a branch onto commits that its parent gained later', async () => {
  remote.commit('b', { 'b2.txt': 'b' }, 'b2')
  await gitOf(remote).restack(restackOf(remote, remote.squash('a', 1)), forever)
  expect(remote.subjects('c')).toEqual(['c1', 'b2', 'b1', 'a (#1)', 'start'])
})

test('finds the old base if the merged branch gained commits later', async () => {
  remote.commit('a', { 'a2.txt': 'a' }, 'a2')
  const merged = remote.squash('a', 1)
  remote.remote('update-ref', '-d', 'refs/heads/a')
  await gitOf(remote).restack(restackOf(remote, merged), forever)
  expect(remote.subjects('c')).toEqual(['c1', 'b1', 'a (#1)', 'start'])
  expect(remote.read('c', 'a2.txt')).toBe('a')
})

test('fetches a merged head that no ref has by its id', async () => {
  remote.commit('a', { 'a2.txt': 'a' }, 'a2')
  const merged = remote.squash('a', 1)
  for (const ref of ['refs/heads/a', 'refs/pull/1/head']) remote.remote('update-ref', '-d', ref)
  expect((await gitOf(remote).restack(restackOf(remote, merged), forever)).outcome).toBe('done')
})

test('leaves out commits that the new base has', async () => {
  remote.commit('b', { 'shared.txt': 'one\ntwo\nTHREE\n' }, 'fix')
  remote.commit('main', { 'shared.txt': 'one\ntwo\nTHREE\n' }, 'the same fix')
  remote.commit('main', { 'shared.txt': 'one\ntwo\nTHREE!\n' }, 'a later fix')
  const merged = remote.squash('a', 1)
  await gitOf(remote).restack(restackOf(remote, merged), forever)
  expect(remote.subjects('b')).toEqual(['b1', 'a (#1)', 'a later fix', 'the same fix', 'start'])
  expect(remote.read('c', 'shared.txt')).toBe('one\ntwo\nTHREE!')
})

test('does not move commits of the base that a branch has merged', async () => {
  remote.commit('main', { 'shared.txt': 'ONE\ntwo\nthree\n' }, 'main1')
  remote.git('checkout', '--quiet', 'b')
  remote.git('merge', '--quiet', '--no-edit', 'main')
  remote.push('b')
  remote.commit('b', { 'b2.txt': 'b' }, 'b2')
  remote.commit('c', {}, 'c', 'b')
  remote.commit('main', { 'shared.txt': 'ONE!\ntwo\nthree\n' }, 'main2')
  const merged = remote.squash('a', 1)
  expect((await gitOf(remote).restack(restackOf(remote, merged), forever)).outcome).toBe('done')
  expect(remote.subjects('b')).toEqual(['b2', 'b1', 'a (#1)', 'main2', 'main1', 'start'])
  expect(remote.read('b', 'shared.txt')).toBe('ONE!\ntwo\nthree')
})

test('reports changes made in a merge commit as a conflict', async () => {
  remote.commit('main', { 'main.txt': 'm' }, 'main1')
  remote.git('checkout', '--quiet', 'b')
  remote.git('merge', '--quiet', '--no-edit', 'main')
  writeFileSync(join(remote.work, 'repair.txt'), 'r')
  remote.git('add', '--all')
  remote.git('commit', '--quiet', '--amend', '--no-edit')
  remote.push('b')
  const before = [remote.head('b'), remote.head('c')]
  const merged = remote.squash('a', 1)
  const restack = restackOf(remote, merged)
  const reply = await gitOf(remote).restack({ ...restack, branches: restack.branches.slice(0, 1) }, forever)
  expect(reply).toEqual({ outcome: 'conflict', number: 2, files: ['repair.txt'] })
  expect([remote.head('b'), remote.head('c')]).toEqual(before)
})

test('names the files of a conflict and leaves everything unchanged', async () => {
  remote.commit('c', { 'shared.txt': 'one\nC\nthree\n', 'new\nline': 'c' }, 'c2')
  remote.commit('main', { 'shared.txt': 'one\nM\nthree\n', 'new\nline': 'm' }, 'main1')
  const merged = remote.squash('a', 1)
  const before = [remote.head('b'), remote.head('c')]
  const git = gitOf(remote)
  const reply = await git.restack(restackOf(remote, merged), forever)
  expect(reply).toEqual({ outcome: 'conflict', number: 3, files: ['new?line', 'shared.txt'] })
  expect([remote.head('b'), remote.head('c')]).toEqual(before)
  expect(leftIn(remote)).toEqual(['clone.git'])
  const restack = restackOf(remote, merged)
  const below = await git.restack({ ...restack, branches: restack.branches.slice(0, 1) }, forever)
  expect(below.outcome).toBe('done')
})

test('reports unrelated histories as a conflict', async () => {
  remote.git('checkout', '--quiet', '--orphan', 'other')
  remote.git('commit', '--quiet', '-m', 'other')
  remote.push('other')
  const restack = restackOf(remote, remote.squash('a', 1))
  const branches = [{ number: 9, branch: 'other', head: remote.head('other')!, parent: null }]
  expect(await gitOf(remote).restack({ ...restack, branches }, forever)).toEqual({
    outcome: 'conflict',
    number: 9,
    files: [],
  })
})

test('keeps files with line ends that a checkout would change', async () => {
  const other = new StackedRemote()
  other.commit('main', { 'old.txt': 'one\r\ntwo\r\n' }, 'crlf')
  other.commit('main', { '.gitattributes': '* text=auto eol=lf\n' }, 'attributes')
  other.stack()
  const merged = other.squash('a', 1)
  expect((await gitOf(other).restack(restackOf(other, merged), forever)).outcome).toBe('done')
  expect(other.remote('rev-parse', 'c:old.txt')).toBe(other.remote('rev-parse', 'main:old.txt'))
})

test('reports commits that git cannot rebase as a conflict', async () => {
  const merged = remote.squash('a', 1)
  const commit = remote.remote('cat-file', 'commit', 'b').replace(/^author .*$/m, 'author')
  writeFileSync(join(remote.home, 'commit'), `${commit}\n`)
  const object = ['hash-object', '-t', 'commit', '-w', '--literally', join(remote.home, 'commit')]
  remote.remote('update-ref', 'refs/heads/b', remote.remote(...object))
  const before = [remote.head('b'), remote.head('c')]
  expect(await gitOf(remote).restack(restackOf(remote, merged), forever)).toEqual({
    outcome: 'conflict',
    number: 2,
    files: [],
  })
  expect([remote.head('b'), remote.head('c')]).toEqual(before)
})

test('refuses to rewrite or delete a trunk', async () => {
  const git = gitOf(remote)
  const merged = remote.squash('a', 1)
  const before = ['main', 'a', 'b', 'c'].map((branch) => remote.head(branch))
  const refused = { code: 'git-failed', message: expect.stringMatching(/^branch [bc] is never rewritten or deleted/) }
  for (const trunk of ['b', 'c'])
    await expect(git.restack({ ...restackOf(remote, merged), trunks: ['main', trunk] }, forever)).rejects.toMatchObject(
      refused,
    )
  const deletion = { branch: 'b', head: remote.head('b')!, trunks: ['main', 'b'] }
  await expect(git.deleteBranch(deletion, forever)).rejects.toMatchObject(refused)
  expect(['main', 'a', 'b', 'c'].map((branch) => remote.head(branch))).toEqual(before)
})
