// A fine-grained token reads no checks of a private repository: nothing is merged on checks that it does not see.
import { beforeEach, expect, test } from 'vitest'
import { never, sent, Shop } from './shop.ts'

let shop: Shop
beforeEach(async () => {
  shop = await Shop.open()
  Object.assign(shop.github.settings, { isPrivate: true, isTokenFineGrained: true })
})

const PROBE = /^GET .*\/check-suites$/
const probes = () => sent(shop.github).filter((request) => PROBE.test(request))

test('takes checks that the forge leaves out for unknown, and reports why once', async () => {
  const numbers = [shop.pull('a'), shop.pull('b')]
  shop.github.suite(numbers[0]!, { workflow: 'CI', status: 'QUEUED', conclusion: null })
  const repository = shop.repository()
  const { pullRequests, problems } = await repository.snapshot(never)
  expect(pullRequests.map(({ checks }) => checks)).toEqual([null, null])
  expect(problems).toEqual([{ code: 'forge-refused', detail: expect.stringContaining('Checks: read') }])
  expect(probes()).toHaveLength(1)
  expect(await repository.pullRequest(numbers[0]!, never)).toMatchObject({ checks: null })
})

test('fails with the permission that is missing if the forge refuses checks', async () => {
  const number = shop.pull('a')
  shop.github.check(number, { name: 'build' })
  const fault = { code: 'forge-refused', message: expect.stringContaining('Checks: read') }
  await expect(shop.repository().snapshot(never)).rejects.toMatchObject(fault)
  await expect(shop.repository().pullRequest(number, never)).rejects.toMatchObject(fault)
})

test('knows that a private repository has no checks if the token may read them', async () => {
  shop.github.settings.isTokenFineGrained = false
  shop.pull('a')
  expect(await shop.repository().snapshot(never)).toMatchObject({ pullRequests: [{ checks: [] }], problems: [] })
  expect(probes()).toHaveLength(1)
})

test('asks for nothing more of a public repository, and of heads with checks', async () => {
  shop.github.settings.isTokenFineGrained = false
  shop.github.check(shop.pull('a'), { name: 'build' })
  await shop.repository().snapshot(never)
  shop.github.settings.isPrivate = false
  shop.pull('b')
  await shop.repository().snapshot(never)
  expect(probes()).toEqual([])
})

test('fails if the forge does not say whether checks may be read', async () => {
  shop.pull('a')
  shop.github.fail({ on: PROBE, how: 502, times: Infinity })
  await expect(shop.repository().snapshot(never)).rejects.toMatchObject({ code: 'forge-unreachable' })
})
