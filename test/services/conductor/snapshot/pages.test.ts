import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { openForgeRepository } from '../../../../services/conductor/snapshot/forge-repository.ts'
import { operationOf } from '../../../forge/faults.ts'
import { never } from './shop.ts'

/** A forge whose list in the query of this name never ends; the others are empty. */
async function endless(name: string) {
  let pages = 0
  const server = createServer(async (request, response) => {
    const isEndless = operationOf((await readJson(request)) as Record<string, unknown>) === name
    const pageInfo = isEndless ? { hasNextPage: true, endCursor: `${++pages}` } : { hasNextPage: false }
    const list = { pageInfo, nodes: [] }
    const facts = {
      nameWithOwner: 'acme/shop',
      isPrivate: false,
      squashMergeAllowed: true,
      defaultBranchRef: { name: 'main' },
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: { repository: { ...facts, list } } }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { repository: 'acme/shop', pipelineBase: null, reviewers: [], token: null, clock: new TestClock() }
  return { repository: openForgeRepository({ ...settings, url }), pages: () => pages }
}

test.each([
  ['Issues', 'open issues'],
  ['PullRequests', 'open pull requests'],
])('reads 200 pages of %s at most, and says what to do', async (name, what) => {
  const { repository, pages } = await endless(name)
  await expect(repository.snapshot(never)).rejects.toMatchObject({
    code: 'forge-unsupported',
    message: `acme/shop has too many ${what}, more than 200 pages: close those that are over`,
  })
  expect(pages()).toBe(200)
})
