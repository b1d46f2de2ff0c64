// Events of the timeline: which count as activity, and how far they are read.
import { beforeEach, describe, expect, test } from 'vitest'
import type { EventType } from '../../../forge/records.ts'
import { never, sent, Shop } from './shop.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const BOT = 'robot[bot]'
const OLD = { createdAt: Date.UTC(2026, 3, 1) }

let shop: Shop
beforeEach(async () => {
  shop = await Shop.open()
  shop.github.nestedPage = 2
})

const snapshot = () => shop.repository().snapshot(never)

const BOTH: EventType[] = ['LabeledEvent', 'UnlabeledEvent', 'AssignedEvent', 'ReopenedEvent']
const OF_PULL_REQUESTS: EventType[] = ['HeadRefForcePushedEvent', 'ReadyForReviewEvent']

test.each(BOTH)('an item is active at its %s', async (type) => {
  const at = shop.github.now - MINUTE
  shop.github.event(shop.github.issue(OLD), type, { at })
  shop.github.event(shop.pull('a', { headAt: OLD.createdAt, ...OLD }), type, { at })
  const { issues, pullRequests } = await snapshot()
  expect([issues[0]!.activeAt, pullRequests[0]!.activeAt]).toEqual([at, at])
})

test.each(OF_PULL_REQUESTS)('a pull request is active at its %s', async (type) => {
  const at = shop.github.now - MINUTE
  shop.github.event(shop.pull('a', { headAt: OLD.createdAt, ...OLD }), type, { at })
  expect((await snapshot()).pullRequests[0]!.activeAt).toBe(at)
})

test('an item is active at its comments, a pull request at its reviews and commits, too', async () => {
  const { github } = shop
  const pull = (branch: string) => shop.pull(branch, { headAt: OLD.createdAt, ...OLD })
  github.comment(github.issue(OLD), 'hello')
  github.comment(pull('a'), 'hello')
  github.review(pull('b'), 'COMMENTED')
  shop.pull('c', { headAt: github.now, ...OLD })
  const { issues, pullRequests } = await snapshot()
  const times = [...issues, ...pullRequests].map(({ activeAt }) => activeAt)
  expect(times).toEqual([github.now, github.now, github.now, github.now])
})

describe('events of bots only', () => {
  const beep = (item: number, age: number) => {
    for (let n = 0; n < 14; n++) shop.github.comment(item, 'beep', { by: BOT, at: shop.github.now - age })
  }

  test.each([
    ['are not read on once one is over three days old', 3 * DAY + 1000, 0],
    ['are read on while all are younger', 3 * DAY, 5],
  ])('%s', async (_, age, requests) => {
    const issue = shop.github.issue(OLD)
    beep(issue, age)
    const pull = shop.pull('a', { author: BOT, headAt: OLD.createdAt, ...OLD })
    beep(pull, age)
    const { issues, pullRequests } = await snapshot()
    const activeAt = requests === 0 ? OLD.createdAt : shop.github.now - age
    expect([issues[0]!.activeAt, pullRequests[0]!.activeAt]).toEqual([activeAt, activeAt])
    expect(sent(shop.github)).toHaveLength(3 + 2 * requests)
  })

  test('are not read on of an item that is younger than three days', async () => {
    const issue = shop.github.issue({ createdAt: shop.github.now - 3 * DAY })
    beep(issue, 0)
    expect((await snapshot()).issues[0]!.activeAt).toBe(shop.github.now - 3 * DAY)
    expect(sent(shop.github)).toHaveLength(3)
  })

  test('are read on after a commit with an old date, which its author chooses', async () => {
    const pull = shop.pull('a', { author: BOT, headAt: OLD.createdAt, ...OLD })
    shop.github.comment(pull, 'hello', { at: OLD.createdAt - MINUTE })
    shop.github.comment(pull, 'beep', { by: BOT, at: shop.github.now - DAY })
    await snapshot()
    expect(sent(shop.github)).toHaveLength(4)
  })
})
