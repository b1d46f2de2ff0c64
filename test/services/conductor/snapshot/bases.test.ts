import { beforeEach, expect, test } from 'vitest'
import { Shop, never } from './shop.ts'

let shop: Shop

beforeEach(async () => {
  shop = await Shop.open()
})

const merged = async () => (await shop.repository().snapshot(never)).merged

async function merge(number: number): Promise<void> {
  const { github } = shop
  const { status } = await fetch(`${github.url}/repos/acme/shop/pulls/${number}/merge`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${github.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ merge_method: 'squash' }),
  })
  expect(status).toBe(200)
}

test('a merged pull request has the head of its base branch now', async () => {
  await merge(shop.pull('a'))
  const head = shop.branch('main', { 'later.txt': 'x' }, 'main')
  expect(await merged()).toMatchObject([{ branch: 'a', base: 'main', baseHead: head }])
})

test('a merged pull request has no head of a base branch that is gone', async () => {
  shop.pull('a')
  await merge(shop.pull('b', { base: 'a' }))
  shop.origin.git('branch', '--delete', '--force', 'a')
  expect(await merged()).toMatchObject([{ branch: 'b', base: 'a', baseHead: null }])
})
