// Each list inside an item: on one page, on as many as are read, and with one entry more.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Snapshot } from '../../../../services/conductor/snapshot/facts.ts'
import { VIEWER } from '../../../forge/records.ts'
import { never, sent, Shop } from './shop.ts'

const MINUTE = 60_000
const BOT = 'robot[bot]'
/** Entries of a page, of which the first query reads one, and five further requests one each. */
const PAGE = 2
const MOST = 6 * PAGE

let shop: Shop
beforeEach(async () => {
  shop = await Shop.open()
  shop.github.nestedPage = PAGE
})

const snapshot = (reviewers: string[] = []): Promise<Snapshot> => shop.repository({ reviewers }).snapshot(never)
const onlyPull = async (reviewers?: string[]) => (await snapshot(reviewers)).pullRequests[0]!
const onlyIssue = async () => (await snapshot()).issues[0]!
const times = (count: number, work: (n: number) => void) => Array.from({ length: count }, (_, n) => work(n))
const later = (n: number) => ({ at: shop.github.now + (n + 1) * MINUTE })

/** Older than activity that matters. */
const OLD = { createdAt: Date.UTC(2026, 3, 1) }

interface NestedCase {
  name: string
  /** Makes the list with this number of entries. */
  make(count: number): void
  read(): Promise<unknown>
  /** Read in full. */
  whole(count: number): unknown
  unknown: unknown
}

const CASES: NestedCase[] = [
  {
    name: 'the label events of an issue, whose oldest dates its label',
    make: (count) => {
      const issue = shop.github.issue({ labels: ['agent'] })
      shop.github.tick(MINUTE)
      times(count - 1, (n) => shop.github.event(issue, 'LabeledEvent', { ...later(n), label: 'other' }))
    },
    read: async () => (await onlyIssue()).labels,
    whole: () => [{ name: 'agent', since: shop.github.now - MINUTE }],
    unknown: [{ name: 'agent', since: null }],
  },
  {
    name: 'the events of an issue, of which only the oldest is of a person',
    make: (count) => {
      const issue = shop.github.issue(OLD)
      shop.github.comment(issue, 'hello', later(0))
      times(count - 1, () => shop.github.comment(issue, 'beep', { by: BOT, ...later(5) }))
    },
    read: async () => (await onlyIssue()).activeAt - shop.github.now,
    whole: () => MINUTE,
    // Not earlier than the newest event.
    unknown: 6 * MINUTE,
  },
  {
    name: 'the events of a pull request, of which only the oldest is of a person',
    make: (count) => {
      // One of the events is the commit.
      const pull = shop.pull('a', { author: BOT, headAt: later(2).at, ...OLD })
      shop.github.comment(pull, 'hello', later(0))
      times(count - 2, () => shop.github.comment(pull, 'beep', { by: BOT, ...later(5) }))
      shop.github.tick(10 * MINUTE)
    },
    read: async () => (await onlyPull()).activeAt - shop.github.now,
    whole: () => -9 * MINUTE,
    unknown: -4 * MINUTE,
  },
  {
    name: 'the verdicts of writers',
    make: (count) => {
      const pull = shop.pull('a')
      times(count, (n) => shop.github.review(pull, 'APPROVED', { by: `writer-${n}` }))
    },
    read: async () => (await onlyPull()).verdicts,
    whole: (count) => Array.from({ length: count }, () => 'APPROVED'),
    unknown: null,
  },
  {
    name: 'reviews, of which only the oldest is of a configured reviewer',
    make: (count) => {
      const pull = shop.pull('a')
      shop.github.review(pull, 'CHANGES_REQUESTED', { by: 'lin', isWriter: false })
      times(count - 1, () => shop.github.review(pull, 'COMMENTED'))
    },
    read: async () => (await onlyPull(['lin'])).verdicts,
    whole: () => ['CHANGES_REQUESTED'],
    unknown: null,
  },
  {
    name: 'reviews, of which only the oldest is not of the author',
    make: (count) => {
      const pull = shop.pull('a')
      shop.github.review(pull, 'COMMENTED', { by: 'noor' })
      times(count - 1, () => shop.github.review(pull, 'COMMENTED', { by: 'mia' }))
    },
    read: async () => (await onlyPull()).reviews?.map(({ author }) => author) ?? null,
    whole: (count) => ['noor', ...Array.from({ length: count - 1 }, () => 'mia')],
    unknown: null,
  },
  {
    name: 'the references of a pull request',
    make: (count) => {
      const issues = Array.from({ length: count }, () => shop.github.issue())
      shop.pull('a', { closes: issues.toReversed() })
    },
    read: async () => {
      const { linkedIssue, references } = await onlyPull()
      return { linkedIssue, references }
    },
    whole: (count) => ({ linkedIssue: 1, references: Array.from({ length: count }, (_, n) => n + 1) }),
    unknown: { linkedIssue: null, references: null },
  },
  {
    name: 'the references of a merged pull request',
    make: (count) => {
      const issues = Array.from({ length: count }, () => shop.github.issue())
      Object.assign(shop.github.pull(shop.pull('a', { closes: issues })), {
        state: 'MERGED',
        mergedAt: shop.github.now,
      })
    },
    read: async () => (await snapshot()).merged[0]!.references,
    whole: (count) => Array.from({ length: count }, (_, n) => n + 1),
    unknown: null,
  },
  {
    name: 'the checks of a head',
    make: (count) => {
      const pull = shop.pull('a')
      times(count, (n) => shop.github.check(pull, { name: `check-${n}` }))
    },
    read: async () => (await onlyPull()).checks?.length ?? null,
    whole: (count) => count,
    unknown: null,
  },
  {
    name: 'the check suites of a head',
    make: (count) => {
      const pull = shop.pull('a')
      times(count, () => shop.github.suite(pull, { workflow: 'CI', status: 'QUEUED', conclusion: null }))
    },
    read: async () => (await onlyPull()).checks?.length ?? null,
    whole: (count) => count,
    unknown: null,
  },
]

describe.each(CASES)('$name', ({ make, read, whole, unknown }) => {
  test.each([
    ['on one page', PAGE, 0],
    ['on two pages', PAGE + 1, 1],
    ['on six pages', MOST, 5],
  ])('are read in full %s', async (_, count, requests) => {
    make(count)
    expect(await read()).toEqual(whole(count))
    expect(sent(shop.github)).toHaveLength(3 + requests)
  })

  test('are not known with more', async () => {
    make(MOST + 1)
    expect(await read()).toEqual(unknown)
    expect(sent(shop.github)).toHaveLength(8)
  })
})

describe('labels', () => {
  const make = (count: number) => {
    const labels = Array.from({ length: count }, (_, n) => `label-${n}`)
    // Without events, which would be read on for the times of the labels.
    shop.github.item(shop.github.issue()).labels.push(...labels)
  }

  test.each([PAGE, PAGE + 1])('are read in full, however many there are: %d', async (count) => {
    make(count)
    expect((await onlyIssue()).labels).toHaveLength(count)
  })

  test('of more pages than are read leave nothing to decide on', async () => {
    make(MOST + 1)
    await expect(snapshot()).rejects.toMatchObject({
      code: 'forge-unsupported',
      message: expect.stringContaining('#1'),
    })
  })

  test('are read before the checks use up the requests', async () => {
    const pull = shop.pull('a', { labels: Array.from({ length: PAGE }, (_, n) => `label-${n}`) })
    shop.github.label(pull, 'human-gate')
    times(MOST, (n) => shop.github.check(pull, { name: `check-${n}` }))
    const { labels, checks } = await onlyPull()
    expect(labels.map(({ name }) => name)).toContain('human-gate')
    expect(checks).toBeNull()
  })

  test('without an event are as old as their item', async () => {
    make(1)
    expect((await onlyIssue()).labels).toEqual([{ name: 'label-0', since: shop.github.now }])
  })
})

describe('comments on failed checks', () => {
  let pull: number
  const failing = () => {
    pull = shop.pull('a', { labels: ['merge-ready'], headAt: shop.github.now })
    shop.github.check(pull, { name: 'build', conclusion: 'FAILURE' })
  }
  const report = () => shop.github.comment(pull, `<!-- svc:conductor checks-failed ${head()} -->`, { by: VIEWER })
  const head = () => shop.origin.git('rev-parse', 'a')
  const chat = (count: number) => times(count, () => shop.github.comment(pull, 'hello'))
  const isReported = async () => (await onlyPull()).reportedHeads.includes(head())

  test.each([PAGE - 1, PAGE, MOST - 1])('are read on to the report of the head, %d comments before', async (count) => {
    failing()
    report()
    chat(count)
    expect(await isReported()).toBe(true)
  })

  test('are not read on after the report of the head', async () => {
    failing()
    chat(MOST)
    report()
    expect(await isReported()).toBe(true)
    expect(sent(shop.github)).toHaveLength(4)
  })

  test('are not read on before the head', async () => {
    failing()
    times(MOST, () => shop.github.comment(pull, 'hello', { at: shop.github.now - MINUTE }))
    expect(await isReported()).toBe(false)
    expect(sent(shop.github)).toHaveLength(4)
  })

  test('count as a report if there are too many to read', async () => {
    failing()
    chat(MOST)
    expect(await isReported()).toBe(false)
    chat(1)
    expect(await isReported()).toBe(true)
  })

  test('are not read of a pull request that gets none', async () => {
    failing()
    shop.github.unlabel(pull, 'merge-ready')
    await snapshot()
    expect(sent(shop.github)).toHaveLength(3)
  })
})

test('all lists of one item take five further requests together', async () => {
  const pull = shop.pull('a')
  times(3 * PAGE, (n) => shop.github.check(pull, { name: `check-${n}` }))
  times(5 * PAGE, (n) => shop.github.review(pull, 'APPROVED', { by: `writer-${n}` }))
  const { checks, verdicts } = await onlyPull()
  expect([checks?.length, verdicts]).toEqual([3 * PAGE, null])
  expect(sent(shop.github)).toHaveLength(8)
})

test('only the newest review of another, and the newest activity of a person, are read', async () => {
  const pull = shop.pull('a')
  times(3 * PAGE, () => shop.github.review(pull, 'COMMENTED', { by: 'noor' }))
  const { reviews, activeAt } = await onlyPull()
  expect([reviews?.length, activeAt]).toEqual([PAGE, shop.github.now])
  expect(sent(shop.github)).toHaveLength(3)
})
