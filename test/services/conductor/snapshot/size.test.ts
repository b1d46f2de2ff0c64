import { expect, test } from 'vitest'
import { VIEWER } from '../../../forge/records.ts'
import { never, Shop } from './shop.ts'

test('reads 1,000 issues and 300 pull requests, all with failed checks, with 20 requests', async () => {
  const shop = await Shop.open()
  const { github } = shop
  const issues = Array.from({ length: 1000 }, () => github.issue({ labels: ['triaged', 'agent'] }))
  const first = shop.pull('feature', { labels: ['merge-ready'], mergeable: 'MERGEABLE' })
  const { head } = github.pull(first)
  for (const name of ['build', 'lint', 'test']) github.check(first, { name, conclusion: 'FAILURE' })
  for (const by of ['ada', 'noor', 'lin']) github.review(first, 'APPROVED', { by })
  github.comment(first, `<!-- svc:conductor checks-failed ${head} -->`, { by: VIEWER })
  for (let n = 0; n < 300; n++) {
    const number = first + n
    github.items.set(number, { ...github.pull(first), number, closes: issues.slice(3 * n, 3 * n + 3) })
  }
  const { snapshot, cost, requests } = await shop.repository().reading(never)
  expect([snapshot.issues.length, snapshot.pullRequests.length]).toEqual([1000, 300])
  for (const { checks, verdicts, references, reportedHeads } of snapshot.pullRequests)
    expect([checks?.length, verdicts?.length, references?.length, reportedHeads]).toEqual([3, 3, 3, [head]])
  expect(requests).toBe(github.requests.length)
  console.log(`snapshot: ${requests} requests, ${cost.points} points of GraphQL's limit`)
  expect({ requests, points: cost.points }).toEqual({ requests: 20, points: 64 })
  expect(cost.remaining).toBeGreaterThan(0)
})
