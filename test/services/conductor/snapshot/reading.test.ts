import { beforeEach, describe, expect, test } from 'vitest'
import { ForgeFault, ForgeLimit } from '../../../../platform/forge/forge.ts'
import { type Failure, operationOf } from '../../../forge/faults.ts'
import { squash } from '../../../forge/merges.ts'
import { never, Shop, TOKEN } from './shop.ts'

const MINUTE = 60_000
let shop: Shop
beforeEach(async () => {
  shop = await Shop.open()
})

const snapshot = () => shop.repository().snapshot(never)
const pulls = async () => (await snapshot()).pullRequests

/** The fault of a snapshot. */
async function fault(repository = shop.repository()): Promise<ForgeFault> {
  const error = await repository.snapshot(never).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ForgeFault)
  expect(String(error)).not.toContain(TOKEN)
  return error as ForgeFault
}

describe('a snapshot', () => {
  test('has the repository, the time of the forge and its open items', async () => {
    const { github } = shop
    const issue = github.issue({ title: 'Login fails', labels: ['triaged'] })
    const closed = github.issue()
    github.closeItem(closed)
    const pull = shop.pull('fix', { body: `fixes #${issue}`, labels: ['merge-ready'] })
    github.tick(5 * MINUTE)
    const read = await snapshot()
    expect(read).toMatchObject({
      repository: 'acme/shop',
      time: github.now,
      mainBranch: 'main',
      pipelineBase: null,
      isSquashAllowed: true,
      merged: [],
    })
    const createdAt = github.item(issue).createdAt
    const shared = { author: 'mia', createdAt, activeAt: createdAt }
    expect(read.issues).toEqual([
      { ...shared, number: issue, title: 'Login fails', labels: [{ name: 'triaged', since: createdAt }] },
    ])
    expect(read.pullRequests).toMatchObject([
      {
        number: pull,
        branch: 'fix',
        head: shop.origin.git('rev-parse', 'fix'),
        base: 'main',
        baseHead: shop.origin.git('rev-parse', 'main'),
        headAt: Number(shop.origin.git('show', '-s', '--format=%ct', 'fix')) * 1000,
        isDraft: false,
        isFork: false,
        isQueued: false,
        mergeable: 'MERGEABLE',
        mergeState: 'CLEAN',
        verdicts: [],
        checks: [],
        reportedHeads: [],
        linkedIssue: issue,
        references: [issue],
      },
    ])
  })

  test('has drafts, forks and queued pull requests', async () => {
    shop.pull('a', { isDraft: true })
    shop.pull('b', { isAutoMerge: true })
    shop.pull('c', { isInMergeQueue: true })
    shop.pull('d', { isFork: true })
    const read = await pulls()
    expect(read.map(({ isDraft, isFork, isQueued }) => ({ isDraft, isFork, isQueued }))).toEqual([
      { isDraft: true, isFork: false, isQueued: false },
      { isDraft: false, isFork: false, isQueued: true },
      { isDraft: false, isFork: false, isQueued: true },
      { isDraft: false, isFork: true, isQueued: false },
    ])
  })

  test('counts the reviews of writers and of configured reviewers', async () => {
    const { github } = shop
    const pull = shop.pull('a')
    github.review(pull, 'APPROVED', { by: 'ada' })
    github.review(pull, 'CHANGES_REQUESTED', { by: 'eve', isWriter: false })
    github.review(pull, 'COMMENTED', { by: 'ada' })
    expect((await pulls())[0]).toMatchObject({ verdicts: ['APPROVED'] })
    expect((await pulls())[0]!.reviews!.map(({ author, state }) => `${author} ${state}`)).toEqual([
      'ada APPROVED',
      'eve CHANGES_REQUESTED',
      'ada COMMENTED',
    ])
    const read = await shop.repository({ reviewers: ['Eve'] }).snapshot(never)
    expect(read.pullRequests[0]!.verdicts).toEqual(['APPROVED', 'CHANGES_REQUESTED'])
  })

  test('has the checks of the current head and its reports', async () => {
    const { github } = shop
    const pull = shop.pull('a', { labels: ['merge-ready'] })
    github.check(pull, { name: 'old', conclusion: 'FAILURE' })
    const head = shop.branch('a', { 'a.txt': 'again' }, 'a')
    github.check(pull, { name: 'build', conclusion: 'FAILURE' })
    github.check(pull, { name: 'deploy', state: 'EXPECTED' })
    github.comment(pull, `<!-- svc:conductor checks-failed ${head} -->`, { by: 'svc-conductor' })
    github.comment(pull, `<!-- svc:conductor checks-failed ${'b'.repeat(40)} -->`, { by: 'eve' })
    expect((await pulls())[0]).toMatchObject({
      head,
      checks: [
        { name: 'github-actions/build', state: 'FAILURE' },
        { name: 'deploy', state: 'PENDING' },
      ],
      reportedHeads: [head],
    })
  })

  test('has runs of workflows without jobs as checks', async () => {
    const { github } = shop
    const pull = shop.pull('a', { isFork: true })
    github.suite(pull, { workflow: 'CI', status: 'COMPLETED', conclusion: 'ACTION_REQUIRED' })
    github.suite(pull, { workflow: 'Deploy', status: 'QUEUED', conclusion: null })
    github.suite(pull, { workflow: null, status: 'QUEUED', conclusion: null })
    expect((await pulls())[0]!.checks).toEqual([
      { name: 'github-actions/CI', state: 'GATE', endedAt: null },
      { name: 'github-actions/Deploy', state: 'PENDING', endedAt: null },
    ])
  })

  test('has no checks while the forge shows them of an older head', async () => {
    const pull = shop.pull('a')
    shop.github.check(pull, { name: 'build' })
    shop.github.pull(pull).shownCommit = 'd'.repeat(40)
    expect((await pulls())[0]!.checks).toBeNull()
  })

  test('has each merged pull request with its references, also of one branch', async () => {
    const { github } = shop
    const issue = github.issue()
    const first = shop.pull('a')
    squash(github, first)
    github.tick(MINUTE)
    shop.branch('a', { 'b.txt': 'more' })
    const second = github.pullRequest({ branch: 'a', title: 'Again', closes: [issue] })
    squash(github, second)
    const { merged, pullRequests } = await snapshot()
    expect(pullRequests).toEqual([])
    expect(merged).toMatchObject([
      { number: second, title: 'Again', branch: 'a', base: 'main', mergedAt: github.now, references: [issue] },
      { number: first, branch: 'a', mergedAt: github.now - MINUTE, references: [] },
    ])
    expect(merged[0]!.head).toBe(shop.origin.git('rev-parse', 'a'))
  })

  test('has the time of the first answer', async () => {
    const { github } = shop
    for (let n = 0; n < 101; n++) github.issue()
    const { now } = github
    github.fail({ on: /Issues$/, after: 1, before: () => github.tick(60 * MINUTE) })
    expect((await snapshot()).time).toBe(now)
    expect(github.now).toBe(now + 60 * MINUTE)
  })

  test('has the 100 merged pull requests that were updated last', async () => {
    const { github } = shop
    const first = shop.pull('a')
    const { now: mergedAt } = github
    for (let number = first; number <= first + 100; number++)
      github.items.set(number, { ...github.pull(first), number, state: 'MERGED', mergedAt, updatedAt: number })
    github.pull(first).updatedAt = mergedAt
    const numbers = (await snapshot()).merged.map(({ number }) => number)
    expect(numbers).toHaveLength(100)
    expect(numbers).toContain(first)
    expect(numbers).not.toContain(first + 1)
  })

  test('takes a date that the author of a commit cannot have for none', async () => {
    const { github } = shop
    const pull = shop.pull('a', { headAt: Date.UTC(10_000, 0) })
    expect((await pulls())[0]).toMatchObject({ number: pull, activeAt: github.item(pull).createdAt })
  })

  test('says conflicting, behind, blocked and unknown as the forge does', async () => {
    const { github } = shop
    shop.branch('a', { 'main.txt': 'a\n' })
    github.pullRequest({ branch: 'a' })
    shop.pull('b')
    shop.pull('c', { mergeable: 'UNKNOWN' })
    shop.pull('d', { mergeState: 'BLOCKED' })
    shop.origin.commit({ 'main.txt': 'second\n' })
    github.settings.isUpToDateRequired = true
    expect((await pulls()).map(({ mergeable, mergeState }) => `${mergeable} ${mergeState}`)).toEqual([
      'CONFLICTING DIRTY',
      'MERGEABLE BEHIND',
      'UNKNOWN UNKNOWN',
      'MERGEABLE BLOCKED',
    ])
  })
})

describe('a snapshot fails as a whole', () => {
  test.each([
    ['errors beside data', 'errors', 'forge-unreadable'],
    ['a null node', 'null-node', 'forge-unreadable'],
    ['a next page without a cursor', 'no-cursor', 'forge-unreadable'],
    ['text that is no JSON', 'nonsense', 'forge-unreadable'],
    ['a spent rate limit', 'limited', 'forge-limited'],
    ['a secondary rate limit', 'secondary', 'forge-limited'],
    ['a refusal', 403, 'forge-refused'],
    ['no GraphQL', 404, 'forge-unsupported'],
  ] satisfies [string, Failure, string][])('with %s in one of its pages', async (_what, how, code) => {
    for (let n = 0; n < 101; n++) shop.github.issue()
    shop.github.fail({ on: /Issues$/, how, after: 1 })
    expect(await fault()).toMatchObject({ code })
  })

  test.each([
    ['a closed connection', 'down'],
    ['a status 502', 502],
  ] satisfies [string, Failure][])('with %s that a retry meets again', async (_what, how) => {
    shop.github.fail({ on: /Issues$/, how, times: Infinity })
    expect(await fault()).toMatchObject({ code: 'forge-unreachable' })
    expect(shop.github.requests.filter(({ body }) => operationOf(body) === 'Issues')).toHaveLength(2)
  })

  test('with a forge that is silent', async () => {
    shop.github.fail({ on: /Merged$/, how: 'late', times: Infinity })
    const error = await fault(shop.repository({ timeoutMs: 200 }))
    expect(error).toMatchObject({ code: 'forge-unreachable' })
  })

  test('with the time at which the rate limit ends, and no request until then', async () => {
    const { github, clock } = shop
    github.limit.remaining = 0
    const repository = shop.repository()
    const error = await fault(repository)
    expect(error.message).toContain(new Date(github.limit.reset * 1000).toISOString())
    const before = github.requests.length
    expect(await fault(repository)).toMatchObject({ code: 'forge-limited' })
    expect(github.requests).toHaveLength(before)
    github.limit.remaining = 5000
    clock.tick(60 * MINUTE)
    expect((await repository.snapshot(never)).issues).toEqual([])
  })

  test('in a later run before the rate limit ends', async () => {
    const limit = new ForgeLimit()
    shop.github.limit.remaining = 0
    await fault(shop.repository({ limit }))
    const before = shop.github.requests.length
    expect(await fault(shop.repository({ limit }))).toMatchObject({ code: 'forge-limited' })
    expect(shop.github.requests).toHaveLength(before)
  })

  test('without the right token or repository', async () => {
    expect(await fault(shop.repository({ token: 'another' }))).toMatchObject({ code: 'forge-refused', status: 401 })
    const missing = await fault(shop.repository({ repository: 'acme/missing' }))
    expect(missing).toMatchObject({ code: 'forge-refused' })
    expect(missing.message).toContain('SVC_FORGE_TOKEN')
  })

  test('of a renamed repository, and says to check the name', async () => {
    shop.github.formerNames.push('acme/store')
    const renamed = shop.repository({ repository: 'acme/store' })
    const error = await fault(renamed)
    expect(error).toMatchObject({ code: 'forge-refused', message: expect.stringContaining('check its name') })
    await expect(renamed.pullRequest(7, never)).rejects.toMatchObject({ code: 'forge-refused', field: 'repository' })
  })

  test('without the time of the forge', async () => {
    shop.github.fail({ on: /graphql/, how: 'no-date', times: Infinity })
    expect(await fault()).toMatchObject({ code: 'forge-unreadable', message: expect.stringContaining('Date') })
  })

  test('without a main branch', async () => {
    shop.github.settings.hasMainBranch = false
    expect(await fault()).toMatchObject({ code: 'forge-unsupported', message: expect.stringContaining('main branch') })
  })

  test('at a stop, without waiting for the forge', async () => {
    const stopped = new AbortController()
    shop.github.fail({ on: /Issues$/, how: 'late', before: () => stopped.abort(new Error('stopped')) })
    await expect(shop.repository().snapshot(stopped.signal)).rejects.toThrow('stopped')
  })
})

test('recovers from one failed request', async () => {
  shop.github.issue()
  shop.github.fail({ on: /Issues$/, how: 502 })
  expect((await snapshot()).issues).toHaveLength(1)
})
