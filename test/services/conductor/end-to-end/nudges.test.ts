import { afterEach, beforeEach, expect, test } from 'vitest'
import { MINUTE, Pipeline } from './pipeline.ts'

let pipeline: Pipeline

beforeEach(async () => {
  pipeline = await Pipeline.create()
  await pipeline.start('rooms')
})
afterEach(() => pipeline.close())

const nudged = async () => (await pipeline.messages('engineering', 'nudge')).map(({ metadata }) => metadata.items)

test('nudges reviewers after half an hour, and again after an hour', async () => {
  const { remote, github } = pipeline
  remote.stack()
  const number = github.pullRequest({ branch: 'a', labels: ['review-agent'] })
  await pipeline.run()
  expect(await nudged()).toEqual([])
  github.tick(31 * MINUTE)
  await pipeline.run()
  expect(await nudged()).toEqual([[number]])
  github.tick(30 * MINUTE)
  await pipeline.run()
  expect(await nudged()).toEqual([[number]])
  github.tick(31 * MINUTE)
  await pipeline.run()
  expect(await nudged()).toEqual([[number], [number]])
  github.tick(61 * MINUTE)
  github.review(number, 'COMMENTED')
  await pipeline.run()
  expect(await nudged()).toHaveLength(2)
})

test('remembers nudges over a restart of the daemon', async () => {
  const { remote, github, daemon } = pipeline
  remote.stack()
  const number = github.pullRequest({ branch: 'a', labels: ['review-agent'] })
  github.tick(31 * MINUTE)
  await pipeline.run()
  await daemon.stopBy('SIGKILL')
  await pipeline.start()
  await pipeline.run()
  expect(await nudged()).toEqual([[number]])
})
