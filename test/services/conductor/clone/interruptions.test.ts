// Branches that move meanwhile, interrupted pushes, and damaged clones.
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { StackedRemote } from '../../../platform/git/stacked-remote.ts'
import { cloneOf, dataDirOf, forever, gitOf, leftIn, restackOf } from './clone-fixture.ts'

let remote: StackedRemote
let merged: string

beforeEach(() => {
  remote = new StackedRemote()
  remote.stack()
  merged = remote.squash('a', 1)
})

const heads = () => [remote.head('b'), remote.head('c')]
const restack = () => gitOf(remote).restack(restackOf(remote, merged), forever)
const refused = (message: RegExp) => ({ code: 'git-failed', message: expect.stringMatching(message) })

test('pushes no branch if one was force-pushed or deleted before', async () => {
  const read = restackOf(remote, merged)
  remote.commit('c', { 'c.txt': 'newer' }, 'c2')
  const before = heads()
  expect(await gitOf(remote).restack(read, forever)).toEqual({ outcome: 'moved', branch: 'c' })
  remote.remote('update-ref', '-d', 'refs/heads/c')
  expect(await gitOf(remote).restack(read, forever)).toEqual({ outcome: 'moved', branch: 'c' })
  expect(heads()).toEqual([before[0], null])
})

test('pushes no branch if one moves during the push', async () => {
  remote.hook('pre-receive', 'env -u GIT_QUARANTINE_PATH git update-ref refs/heads/c refs/heads/main')
  const before = remote.head('b')
  expect(await restack()).toEqual({ outcome: 'moved', branch: 'c' })
  expect(heads()).toEqual([before, remote.head('main')])
  expect(leftIn(remote)).toEqual(['clone.git'])
})

test('reports a push whose answer was lost as done', async () => {
  remote.hook('post-receive', 'kill -9 $PPID')
  expect((await restack()).outcome).toBe('done')
  expect(remote.subjects('c')).toEqual(['c1', 'b1', 'a (#1)', 'start'])
})

test('reports the reason of a refused push', async () => {
  remote.hook('pre-receive', 'echo branches are closed >&2; exit 1')
  const before = heads()
  await expect(restack()).rejects.toMatchObject(refused(/^b, c cannot be pushed to file:.*branches are closed/s))
  expect(heads()).toEqual(before)
  expect(leftIn(remote)).toEqual(['clone.git'])
})

test('ignores what a killed daemon left between rebase and push', async () => {
  const [reached, copy] = [join(remote.home, 'reached'), join(remote.home, 'copy')]
  remote.hook('pre-receive', `touch ${reached}; while [ -e ${reached} ]; do sleep 0.05; done; exit 1`)
  const before = heads()
  const aborting = new AbortController()
  const running = gitOf(remote).restack(restackOf(remote, merged), aborting.signal)
  const ended = expect(running).rejects.toThrow('stopped')
  await eventually(() => existsSync(reached))
  cpSync(dataDirOf(remote), copy, { recursive: true })
  aborting.abort(new Error('stopped'))
  // The hook of a remote on disk outlives the push.
  rmSync(reached)
  await ended
  rmSync(join(remote.folder, 'hooks'), { recursive: true })
  expect(heads()).toEqual(before)
  rmSync(dataDirOf(remote), { recursive: true })
  cpSync(copy, dataDirOf(remote), { recursive: true })
  expect(leftIn(remote)).toEqual(['clone.git', 'rewrite'])
  for (const lock of ['config.lock', 'HEAD.lock', 'refs/svc/base.lock', 'packed-refs.lock', 'objects/pack/tmp_pack_1'])
    writeFileSync(join(cloneOf(remote), 'clone.git', lock), '')
  expect((await restack()).outcome).toBe('done')
  expect(leftIn(remote)).toEqual(['clone.git'])
})

const DAMAGES: Record<string, (clone: string) => void> = {
  'its packs are cut off': (clone) => {
    const packs = join(clone, 'objects', 'pack')
    for (const name of readdirSync(packs)) truncateSync(join(packs, name), 9)
  },
  'its objects are gone': (clone) => rmSync(join(clone, 'objects'), { recursive: true }),
  'its HEAD is unreadable': (clone) => writeFileSync(join(clone, 'HEAD'), 'nothing'),
  'its configuration is unreadable': (clone) => writeFileSync(join(clone, 'config'), '[core'),
  'it is a file': (clone) => {
    rmSync(clone, { recursive: true })
    writeFileSync(clone, '')
  },
}

test.each(Object.keys(DAMAGES))('makes a new clone if %s', async (damage) => {
  await restack()
  remote.commit('b', { 'b.txt': 'newer' }, 'b', 'a')
  remote.commit('c', { 'c.txt': 'newer' }, 'c', 'b')
  DAMAGES[damage]!(join(cloneOf(remote), 'clone.git'))
  expect((await restack()).outcome).toBe('done')
  expect(leftIn(remote)).toEqual(['clone.git'])
})

test('makes a new clone if the repository has another object format', async () => {
  await restack()
  const other = new StackedRemote('sha256')
  other.stack()
  const head = other.squash('a', 1)
  rmSync(remote.folder, { recursive: true })
  cpSync(other.folder, remote.folder, { recursive: true })
  expect((await gitOf(remote).restack(restackOf(remote, head), forever)).outcome).toBe('done')
})

test('fails if the clone cannot be stored', async () => {
  mkdirSync(dataDirOf(remote))
  writeFileSync(join(dataDirOf(remote), 'conductor'), '')
  await expect(restack()).rejects.toMatchObject(refused(/the clone cannot be stored: /))
})

test('keeps the clone while the remote is unreachable', async () => {
  await restack()
  const read = restackOf(remote, merged)
  cpSync(remote.folder, `${remote.folder}.moved`, { recursive: true })
  rmSync(remote.folder, { recursive: true })
  await expect(gitOf(remote).restack(read, forever)).rejects.toMatchObject(refused(/shop.git cannot be queried: /))
  expect(leftIn(remote)).toEqual(['clone.git'])
})

test('fails if the remote has not the new base or the merged commit', async () => {
  const read = restackOf(remote, merged)
  await expect(gitOf(remote).restack({ ...read, onto: 'gone' }, forever)).rejects.toMatchObject(
    refused(/has no branch gone to rebase onto/),
  )
  const unknown = { number: 1, head: 'f'.repeat(40) }
  await expect(gitOf(remote).restack({ ...read, merged: unknown }, forever)).rejects.toMatchObject(
    refused(/commit f{40} of file:.* cannot be fetched: /),
  )
})

test('fails if the forge gives an address that cannot be used', async () => {
  const addresses = [null, 'https://me:word@git.example/shop.git']
  for (const address of addresses)
    await expect(
      gitOf(remote, { remote: '', cloneUrl: address }).restack(restackOf(remote, merged), forever),
    ).rejects.toMatchObject(refused(/SVC_CONDUCTOR_REMOTE|contains a password/))
})

test('stops at once if its signal is aborted', async () => {
  const signal = AbortSignal.abort(new Error('stopped'))
  await expect(gitOf(remote).restack(restackOf(remote, merged), signal)).rejects.toThrow('stopped')
  const deletion = { branch: 'a', head: merged, trunks: ['main'] }
  await expect(gitOf(remote).deleteBranch(deletion, signal)).rejects.toThrow('stopped')
})

test('stops waiting for a silent remote', async () => {
  const server = createServer(() => undefined)
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const silent = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{name}.git`
  const stopping = new AbortController()
  const deletion = { branch: 'a', head: merged, trunks: ['main'] }
  const running = gitOf(remote, { remote: silent }).deleteBranch(deletion, stopping.signal)
  const ended = expect(running).rejects.toThrow('stopped')
  await once(server, 'connection')
  stopping.abort(new Error('stopped'))
  await ended
})

test('deletes a branch only at the expected head', async () => {
  const git = gitOf(remote)
  expect(await git.deleteBranch({ branch: 'a', head: 'f'.repeat(40), trunks: ['main'] }, forever)).toBe('moved')
  expect(await git.deleteBranch({ branch: 'a', head: merged, trunks: ['main'] }, forever)).toBe('done')
  expect(await git.deleteBranch({ branch: 'a', head: merged, trunks: ['main'] }, forever)).toBe('unchanged')
  expect([remote.head('a'), remote.head('b')]).toEqual([null, expect.any(String)])
})

test('does not delete a branch that moves during the push', async () => {
  remote.hook('pre-receive', 'env -u GIT_QUARANTINE_PATH git update-ref refs/heads/a refs/heads/main')
  expect(await gitOf(remote).deleteBranch({ branch: 'a', head: merged, trunks: ['main'] }, forever)).toBe('moved')
  expect(remote.head('a')).toBe(remote.head('main'))
})
