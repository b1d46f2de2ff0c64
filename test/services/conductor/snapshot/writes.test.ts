import { beforeEach, describe, expect, test } from 'vitest'
import { ForgeFault } from '../../../../platform/forge/forge.ts'
import { isOfSite } from '../../../../services/conductor/snapshot/clone-address.ts'
import type { Failure } from '../../../forge/faults.ts'
import { VIEWER } from '../../../forge/records.ts'
import { never, sent, Shop } from './shop.ts'

let shop: Shop
let pull: number
beforeEach(async () => {
  shop = await Shop.open()
  pull = shop.pull('fix', { labels: ['merge-ready'] })
})

const head = () => shop.origin.git('rev-parse', 'fix')
const fault = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('no fault'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ForgeFault)
      return error as ForgeFault
    },
  )

describe('labels', () => {
  test('are added once, and made if the repository does not have them', async () => {
    const repository = shop.repository()
    expect(await repository.addLabel(pull, 'needs-restack', never)).toBe('done')
    expect(shop.github.labels).toContain('needs-restack')
    expect(await repository.addLabel(pull, 'Needs-Restack', never)).toBe('unchanged')
    expect(shop.github.item(pull).labels).toEqual(['merge-ready', 'needs-restack'])
  })

  test('are removed once', async () => {
    const repository = shop.repository()
    expect(await repository.removeLabel(pull, 'merge-ready', never)).toBe('done')
    expect(await repository.removeLabel(pull, 'merge-ready', never)).toBe('unchanged')
    expect(shop.github.item(pull).labels).toEqual([])
  })

  test('that vanish between read and write are unchanged', async () => {
    shop.github.fail({ on: /^DELETE/, before: () => void shop.github.unlabel(pull, 'merge-ready') })
    expect(await shop.repository().removeLabel(pull, 'merge-ready', never)).toBe('unchanged')
  })
})

test('comments as the account of the token', async () => {
  await shop.repository().comment(pull, 'checks failed', never)
  expect(shop.github.item(pull).comments).toMatchObject([{ by: VIEWER, body: 'checks failed' }])
})

test('changes the base, and reports a base that does not exist', async () => {
  shop.branch('next')
  await shop.repository().retarget(pull, 'next', never)
  expect(shop.github.pull(pull).base).toBe('next')
  expect(await fault(shop.repository().retarget(pull, 'missing', never))).toMatchObject({
    code: 'forge-refused',
    status: 422,
  })
})

describe('a merge', () => {
  const merge = (sha = head()) =>
    shop.repository().merge({ number: pull, sha, title: `Fix the login (#${pull})` }, never)

  test('squashes with the given title', async () => {
    const reply = await merge()
    expect(reply).toEqual({ outcome: 'merged', sha: shop.origin.git('rev-parse', 'main') })
    expect(shop.origin.git('log', '--format=%s', '-1', 'main')).toBe(`Fix the login (#${pull})`)
    expect(shop.origin.git('rev-list', '--parents', '-1', 'main').split(' ')).toHaveLength(2)
    expect(await shop.repository().pullRequest(pull, never)).toBeNull()
  })

  test('does not wait for the interval between writes', async () => {
    const repository = shop.repository({ isPaced: true })
    const stopped = new AbortController()
    await repository.comment(pull, 'first', never)
    const second = repository.comment(pull, 'second', stopped.signal)
    const reply = await repository.merge({ number: pull, sha: head(), title: 'Fix' }, never)
    expect(reply.outcome).toBe('merged')
    expect(sent(shop.github).slice(0, 2)).toEqual([expect.stringMatching(/comments$/), expect.stringMatching(/merge$/)])
    stopped.abort(new Error('stopped'))
    await second.catch(() => undefined)
  })

  test('of a head that moved merges nothing', async () => {
    const judged = head()
    const main = shop.origin.git('rev-parse', 'main')
    shop.github.fail({ on: /merge$/, before: () => void shop.branch('fix', { 'fix.txt': 'more' }, 'fix') })
    expect(await merge(judged)).toMatchObject({ outcome: 'moved', reason: expect.stringContaining('modified') })
    expect(shop.origin.git('rev-parse', 'main')).toBe(main)
  })

  test.each([
    ['a forbidden method', () => void (shop.github.settings.isSquashAllowed = false), /not allowed/],
    [
      'required signatures',
      () => void (shop.github.pull(pull).mergeRefusal = 'Commits must have valid signatures'),
      /signatures/,
    ],
    ['a conflict', () => void shop.origin.commit({ 'fix.txt': 'another' }), /conflicts/],
    ['a closed pull request', () => shop.github.closeItem(pull), /not mergeable/],
  ])('is refused with the reason for %s', async (_what, prepare, reason) => {
    prepare()
    expect(await merge()).toEqual({ outcome: 'refused', reason: expect.stringMatching(reason) })
  })

  test.each([
    ['without effect', 502, false],
    ['without effect', 'down', false],
    ['with an effect that no answer tells', 'lost', true],
    ['without a readable answer', 'nonsense', false],
  ] satisfies [string, Failure, boolean][])(
    'is never repeated after a failure %s: %s',
    async (_what, how, isMerged) => {
      shop.github.fail({ on: /merge$/, how })
      expect((await fault(merge())).code).toMatch(/^forge-(unreachable|unreadable)$/)
      expect(sent(shop.github).filter((each) => each.startsWith('PUT'))).toHaveLength(1)
      expect((await shop.repository().pullRequest(pull, never)) === null).toBe(isMerged)
    },
  )
})

describe('an update of a branch', () => {
  const update = (sha = head()) => shop.repository().updateBranch(pull, sha, never)

  test('merges the base into it', async () => {
    expect(await update()).toBe('unchanged')
    shop.origin.commit({ 'other.txt': 'x' })
    expect(await update()).toBe('done')
    expect(shop.origin.git('merge-base', 'main', 'fix')).toBe(shop.origin.git('rev-parse', 'main'))
  })

  test('of another head changes nothing', async () => {
    shop.origin.commit({ 'other.txt': 'x' })
    const before = head()
    expect(await update('c'.repeat(40))).toBe('unchanged')
    expect(head()).toBe(before)
  })
})

describe('one pull request', () => {
  test('is read again with its current facts', async () => {
    const issue = shop.github.issue()
    shop.github.edit(pull, `fixes #${issue}`)
    const repository = shop.repository()
    await repository.snapshot(never)
    const sha = shop.branch('fix', { 'fix.txt': 'more' }, 'fix')
    shop.github.review(pull, 'APPROVED')
    expect(await repository.pullRequest(pull, never)).toMatchObject({
      head: sha,
      verdicts: ['APPROVED'],
      linkedIssue: issue,
    })
  })

  test('is null if closed, missing or an issue', async () => {
    const repository = shop.repository()
    shop.github.closeItem(pull)
    expect(await repository.pullRequest(pull, never)).toBeNull()
    expect(await repository.pullRequest(999, never)).toBeNull()
    expect(await repository.pullRequest(shop.github.issue(), never)).toBeNull()
  })

  test('of which the forge only says that it may not be read is a fault, and not closed', async () => {
    shop.github.fail({ on: /PullRequest$/, how: 'forbidden' })
    expect(await fault(shop.repository().pullRequest(pull, never))).toMatchObject({ code: 'forge-refused' })
  })

  test('of a repository that cannot be read is a fault', async () => {
    const repository = shop.repository({ repository: 'acme/missing' })
    expect(await fault(repository.pullRequest(pull, never))).toMatchObject({ code: 'forge-refused' })
  })
})

test.each([
  ['https://forge.example/acme/shop.git', 'https://forge.example/api/v3', true],
  ['https://github.com/acme/shop.git', 'https://api.github.com', true],
  ['https://acme.ghe.com/acme/shop.git', 'https://api.acme.ghe.com/', true],
  ['http://forge.example/acme/shop.git', 'https://forge.example/api/v3', false],
  ['https://elsewhere.example/acme/shop.git', 'https://forge.example/api/v3', false],
  ['https://api.github.com.elsewhere.example/acme/shop.git', 'https://api.github.com', false],
  ['https://mia:x@forge.example/acme/shop.git', 'https://forge.example/api/v3', false],
  ['ssh://git@forge.example/acme/shop.git', 'https://forge.example/api/v3', false],
  ['file:///acme/shop.git', 'https://forge.example/api/v3', false],
  ['nonsense', 'https://forge.example/api/v3', false],
])('takes the clone address %s of %s: %s', (url, api, isTaken) => {
  expect(isOfSite(url, api)).toBe(isTaken)
})

test('gives no clone address of another site', async () => {
  expect(await shop.repository().cloneUrl(never)).toBeNull()
})
