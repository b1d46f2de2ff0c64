import { expect, test } from 'vitest'
import { never, Shop } from './shop.ts'

test('reads 1,000 issues and 300 pull requests with at most 20 requests', async () => {
  const shop = await Shop.open()
  const { github } = shop
  for (let n = 0; n < 1000; n++) github.issue({ labels: ['triaged', 'agent'] })
  shop.branch('feature')
  for (let n = 0; n < 300; n++) {
    const pull = github.pullRequest({ branch: 'feature', labels: ['merge-ready'], mergeable: 'MERGEABLE' })
    github.review(pull, 'APPROVED')
    if (n === 0) github.check(pull, { name: 'build' })
  }
  const { snapshot, cost, requests } = await shop.repository().reading(never)
  expect([snapshot.issues.length, snapshot.pullRequests.length]).toEqual([1000, 300])
  expect(requests).toBe(github.requests.length)
  expect(requests).toBeLessThanOrEqual(20)
  console.log(`snapshot: ${requests} requests, ${cost.points} points of GraphQL's limit`)
  expect(cost.remaining).toBeGreaterThan(0)
})
