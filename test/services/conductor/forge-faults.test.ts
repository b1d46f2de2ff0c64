// Each kind of write with a forge that fails, is slow or limits requests.
import { beforeEach, describe, expect, test } from 'vitest'
import { ForgeWrites } from '../../../services/conductor/execution/forge-writes.ts'
import type { Failure } from '../../forge/faults.ts'
import { never, Shop } from './snapshot/shop.ts'

interface Fixture {
  shop: Shop
  pull: number
  /** Head of the pull request. */
  head: string
}

interface Write {
  on: RegExp
  write(to: ForgeWrites, fixture: Fixture): Promise<unknown>
  effect: object
}

const WRITES: Record<string, Write> = {
  'an added label': {
    on: /^POST .*labels$/,
    write: (to, { pull }) => to.addLabel(pull, 'needs-rework'),
    effect: { labels: ['merge-ready', 'needs-rework'] },
  },
  'a removed label': {
    on: /^DELETE/,
    write: (to, { pull }) => to.removeLabel(pull, 'merge-ready'),
    effect: { labels: [] },
  },
  'a comment': {
    on: /^POST .*comments$/,
    write: (to, { pull, head }) => to.comment(pull, `<!-- svc:conductor checks-failed ${head} -->`, head),
    effect: { comments: 1 },
  },
  'a new base': {
    on: /^PATCH/,
    write: (to, { pull }) => to.retarget(pull, 'next'),
    effect: { base: 'next' },
  },
  'an update of a branch': {
    on: /update-branch$/,
    write: (to, { pull, head }) => to.updateBranch(pull, head),
    // The commit of main, and the merge.
    effect: { commits: '4' },
  },
}
const MERGE = {
  on: /merge$/,
  write: (to: ForgeWrites, { pull, head }: Fixture) => to.merge(pull, head, 'Change', null),
}

let fixture: Fixture
beforeEach(async () => {
  const shop = await Shop.open()
  const pull = shop.pull('fix', { labels: ['merge-ready'] })
  // Comments are read of pull requests with failed checks.
  shop.github.check(pull, { name: 'build', conclusion: 'FAILURE' })
  shop.branch('next')
  shop.origin.git('reset', '--hard', '--quiet')
  shop.origin.commit({ 'later.txt': 'later' })
  fixture = { shop, pull, head: shop.origin.git('rev-parse', 'fix') }
})

const writes = (timeoutMs = 30_000) =>
  new ForgeWrites(fixture.shop.repository({ timeoutMs }), never, fixture.shop.clock)

function picture() {
  const { shop, pull } = fixture
  const { github, origin } = shop
  const { labels, comments, base, state } = github.pull(pull)
  return { labels, comments: comments.length, base, state, commits: origin.git('rev-list', '--count', 'fix') }
}

/** Requests that match, with their repeats. */
const tries = (on: RegExp) =>
  fixture.shop.github.requests.filter(({ method, path }) => on.test(`${method} ${path}`)).length

/** Enough for an answer of the fake GitHub. */
const SHORT_MS = 5000
const UNCERTAIN = ['lost', 'down', 502, 'nonsense'] satisfies Failure[]
const LIMITS = ['limited', 'secondary'] satisfies Failure[]

describe.each(Object.entries(WRITES))('%s', (_name, { on, write, effect }) => {
  test.each(UNCERTAIN)('has its effect once if the forge fails: %s', async (how) => {
    const expected = { ...picture(), ...effect }
    fixture.shop.github.fail({ on, how })
    expect(await write(writes(), fixture)).toMatchObject({ outcome: expect.stringMatching(/done|unchanged/) })
    expect(picture()).toEqual(expected)
  })

  test.each(LIMITS)('is not repeated at a rate limit: %s', async (how) => {
    const before = picture()
    fixture.shop.github.fail({ on, how, times: 9 })
    await expect(write(writes(), fixture)).rejects.toMatchObject({ code: 'forge-limited' })
    expect([picture(), tries(on)]).toEqual([before, 1])
  })
})

test('a comment whose answer never comes is not repeated', async () => {
  const { on, write } = WRITES['a comment']!
  fixture.shop.github.fail({ on, how: 'silent' })
  expect(await write(writes(SHORT_MS), fixture)).toEqual({ outcome: 'done' })
  expect([picture().comments, tries(on)]).toEqual([1, 1])
})

describe('a merge', () => {
  const { on, write } = MERGE
  const merge = (timeoutMs?: number) => write(writes(timeoutMs), fixture)

  test.each(['lost', 'silent'] as const)('that the forge has made is found again: %s', async (how) => {
    fixture.shop.github.fail({ on, how })
    expect(await merge(how === 'silent' ? SHORT_MS : undefined)).toEqual({ outcome: 'done' })
    expect([picture().state, tries(on)]).toEqual(['MERGED', 1])
  })

  test.each(['down', 502, 'nonsense'] as const)('that the forge has not made is not repeated: %s', async (how) => {
    fixture.shop.github.fail({ on, how })
    expect(await merge()).toMatchObject({ outcome: 'failed', code: 'error' })
    expect([picture().state, tries(on)]).toEqual(['OPEN', 1])
  })

  test.each(LIMITS)('is not repeated at a rate limit: %s', async (how) => {
    fixture.shop.github.fail({ on, how, times: 9 })
    await expect(merge()).rejects.toMatchObject({ code: 'forge-limited' })
    expect([picture().state, tries(on)]).toEqual(['OPEN', 1])
  })
})
