// Mergeability that the forge has not computed yet.
import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { GitHub } from '../../../forge/github.ts'
import { StackedRemote } from '../../../platform/git/stacked-remote.ts'
import { approved } from './pipeline.ts'
import { Scene, sharedStand } from './scene.ts'

const shared = sharedStand()

let scene: Scene
afterEach(() => scene.close())

/** Pull request 1 on `a` is UNKNOWN, 2 on `d` can be merged. Both are in the queue. */
async function open(): Promise<StackedRemote> {
  const remote = new StackedRemote()
  remote.stack()
  remote.commit('d', { 'd.txt': 'd' }, 'd1', 'main')
  scene = await Scene.open(shared.stand, remote.folder, (github) => {
    approved(github, { branch: 'a', labels: ['merge-ready'], mergeable: 'UNKNOWN' })
    approved(github, { branch: 'd', labels: ['merge-ready'] })
  })
  return remote
}

/** Times in milliseconds at which pull request 1 is read again; `answer`: before it is answered. */
function rereads(github: GitHub, time: TestClock, answer: (count: number) => void = () => undefined): number[] {
  const times: number[] = []
  const isOfFirst = () => (github.requests.at(-1)!.body!.variables as { number: number }).number === 1
  const before = () => {
    if (isOfFirst()) answer(times.push(time.monotonic()))
  }
  github.fail({ on: /^POST \/graphql PullRequest$/, times: Infinity, before })
  return times
}

const merged = () =>
  [...scene.github.items.values()].flatMap(({ state, number }) => (state === 'MERGED' ? [number] : []))

test('is asked three times in ten seconds, and never merges or stops the others', async () => {
  await open()
  const time = new TestClock(Date.now())
  const times = rereads(scene.github, time)
  const run = await scene.runAhead(time)
  expect(times).toEqual([2000, 5000, 10_000])
  expect(run).toMatchObject({ status: 'done', stopped: null, problems: [] })
  expect(run.items).toMatchObject([
    { number: 1, situation: 'unknown' },
    { number: 2, situation: 'eligible' },
  ])
  expect(merged()).toEqual([2])
  const again = await scene.runAhead()
  expect(again.items).toMatchObject([{ number: 1, situation: 'unknown' }])
  expect([again.actions.map(({ action }) => action), merged()]).toEqual([['remember'], [2]])
})

test('is merged when the second answer says that it can be', async () => {
  await open()
  const time = new TestClock(Date.now())
  const times = rereads(scene.github, time, (count) => {
    if (count === 2) scene.github.pull(1).mergeable = 'MERGEABLE'
  })
  const run = await scene.runAhead(time)
  expect(times).toEqual([2000, 5000])
  expect(run.items).toMatchObject([
    { number: 1, situation: 'eligible' },
    { number: 2, situation: 'eligible' },
  ])
  expect(merged()).toEqual([1, 2])
})
