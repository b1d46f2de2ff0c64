import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { Pipeline } from './pipeline.ts'

let pipeline: Pipeline

beforeEach(async () => {
  pipeline = await Pipeline.create()
  await pipeline.start('rooms')
})
afterEach(() => pipeline.close())

const pull = (number: number) => pipeline.github.pull(number)

test('merges a stack of three from the bottom and rebases upstack', async () => {
  const { remote, github } = pipeline
  remote.stack()
  const [a, b, c] = [pipeline.approved('a', 'main'), pipeline.approved('b', 'a'), pipeline.approved('c', 'b')]
  const before = [remote.head('b'), remote.head('c')]

  expect(await pipeline.run()).toMatchObject({ status: 'done', stopped: null, problems: [] })
  expect(remote.subjects('main')).toEqual([`Change a (#${a})`, 'start'])
  expect(remote.head('a')).toBe(null)
  expect(remote.subjects('b')).toEqual(['b1', `Change a (#${a})`, 'start'])
  expect(remote.subjects('c')).toEqual(['c1', 'b1', `Change a (#${a})`, 'start'])
  expect([remote.head('b'), remote.head('c')]).not.toEqual(before)
  expect([pull(a).state, pull(b).base, pull(c).base]).toEqual(['MERGED', 'main', 'b'])

  // The new heads have no checks yet.
  const waiting = await pipeline.run()
  expect(waiting.items.map(({ number, situation }) => [number, situation])).toEqual([
    [b, 'checks-pending'],
    [c, 'parent-open'],
  ])
  github.check(b, { name: 'build' })
  await pipeline.run()
  expect([pull(b).state, pull(c).base, remote.head('b')]).toEqual(['MERGED', 'main', null])
  expect(remote.subjects('c')).toEqual(['c1', `Change b (#${b})`, `Change a (#${a})`, 'start'])

  github.check(c, { name: 'build' })
  await pipeline.run()
  expect(remote.subjects('main')).toEqual([`Change c (#${c})`, `Change b (#${b})`, `Change a (#${a})`, 'start'])
  expect(remote.remote('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main')
  const announced = await pipeline.messages('operations', 'merged')
  expect(announced.map(({ metadata }) => metadata.items)).toEqual([[a], [b], [c]])
  expect(await pipeline.memories()).toHaveLength(1)
})

test('rebases the branches above a pull request that a person has merged', async () => {
  const { remote, github } = pipeline
  remote.stack()
  const [a, b, c] = [
    pipeline.approved('a', 'main', []),
    pipeline.approved('b', 'a', []),
    pipeline.approved('c', 'b', []),
  ]
  const head = remote.head('a')!
  const merged = await fetch(`${github.url}/repos/acme/shop/pulls/${a}/merge`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${github.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sha: head, merge_method: 'squash' }),
  })
  expect(merged.status).toBe(200)
  await pipeline.run()
  expect([pull(b).base, pull(c).base]).toEqual(['main', 'b'])
  expect(remote.subjects('c').slice(0, 2)).toEqual(['c1', 'b1'])
  expect(remote.remote('merge-base', 'main', 'c')).toBe(remote.head('main'))
  const again = await pipeline.run()
  expect(again.actions.filter(({ action }) => ['restack', 'retarget'].includes(action))).toEqual([])
})

test('aborts a conflict, retargets and labels it, and escalates once', async () => {
  const { remote, github } = pipeline
  remote.stack()
  remote.commit('b', { 'shared.txt': 'one\nB\nthree\n' }, 'b2')
  remote.commit('c', { 'c2.txt': 'c' }, 'c2', 'b')
  remote.commit('main', { 'shared.txt': 'one\nM\nthree\n' }, 'main1')
  remote.commit('d', { 'd.txt': 'd' }, 'd1', 'main')
  const [a, b, c] = [pipeline.approved('a', 'main'), pipeline.approved('b', 'a'), pipeline.approved('c', 'b')]
  // With a pull request that may still be merged, the queue is not blocked.
  const open = github.pullRequest({ branch: 'd', labels: ['merge-ready'] })
  github.review(open, 'APPROVED')
  github.check(open, { name: 'build', status: 'IN_PROGRESS' })
  const before = [remote.head('b'), remote.head('c')]

  const stopped = await pipeline.run()
  expect(stopped).toMatchObject({ status: 'stopped', health: 'blocked', stopped: { number: b } })
  expect([pull(a).state, pull(b).base, pull(c).base]).toEqual(['MERGED', 'main', 'b'])
  expect([remote.head('a'), remote.head('b'), remote.head('c')]).toEqual([null, ...before])
  expect(pull(b).labels).toContain('needs-restack')
  const [escalation, ...more] = await pipeline.messages('engineering', 'rebase-conflict')
  expect(more).toEqual([])
  expect(escalation!.content).toMatch(new RegExp(`^\\*\\*.+\\*\\* acme/shop#${b}: .+\\. Wanted: .+`))
  expect(stopped.actions).toContainEqual(
    expect.objectContaining({ action: 'restack', outcome: 'failed', reason: 'conflicts in shared.txt' }),
  )
  const said = (await pipeline.messages('engineering')).length

  const second = await pipeline.run()
  expect(second).toMatchObject({ status: 'done' })
  expect(second.actions.filter(({ action }) => action !== 'remember')).toEqual([])
  expect(await pipeline.messages('engineering')).toHaveLength(said)
  expect([remote.head('b'), remote.head('c')]).toEqual(before)
})

test('finishes a merge after a kill during the push of its dependents', async () => {
  const { remote, daemon } = pipeline
  remote.stack()
  const [a, b, c] = [pipeline.approved('a', 'main'), pipeline.approved('b', 'a'), pipeline.approved('c', 'b')]
  const reached = join(remote.home, 'reached')
  remote.hook('pre-receive', `touch ${reached}; while [ -e ${reached} ]; do sleep 0.05; done; exit 1`)
  const running = expect(pipeline.run()).rejects.toThrow()
  await eventually(() => existsSync(reached))
  await daemon.stopBy('SIGKILL')
  rmSync(reached)
  rmSync(join(remote.folder, 'hooks'), { recursive: true })
  await running
  expect([pull(a).state, remote.subjects('b')]).toEqual(['MERGED', ['b1', 'a1', 'start']])

  await pipeline.start()
  expect(await pipeline.run()).toMatchObject({ status: 'done', problems: [] })
  expect([pull(b).base, pull(c).base, remote.head('a')]).toEqual(['main', 'b', null])
  expect(remote.subjects('c')).toEqual(['c1', 'b1', `Change a (#${a})`, 'start'])
  expect(await pipeline.messages('operations', 'merged')).toHaveLength(1)
})
