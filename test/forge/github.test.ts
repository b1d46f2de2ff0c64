import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Shop, TOKEN } from '../services/conductor/snapshot/shop.ts'

let shop: Shop
beforeEach(async () => {
  shop = await Shop.open()
})

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${shop.github.url}${path}`, { headers: { authorization: `Bearer ${TOKEN}`, ...headers } })

async function query(text: string) {
  const url = shop.github.url.replace('/v3', '/graphql')
  const headers = { authorization: `Bearer ${TOKEN}` }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: text }) })
  return response.json()
}

describe('the fake GitHub', () => {
  test('answers conditional requests and pages', async () => {
    for (let n = 0; n < 3; n++) shop.github.issue()
    const first = await ask('/repos/acme/shop/issues?per_page=2')
    expect(first.headers.get('link')).toContain('page=2')
    const etag = first.headers.get('etag')!
    expect((await ask('/repos/acme/shop/issues?per_page=2', { 'if-none-match': etag })).status).toBe(304)
    shop.github.label(3, 'agent')
    expect((await ask('/repos/acme/shop/issues?per_page=2', { 'if-none-match': etag })).status).toBe(200)
  })

  test('refuses fields that the published schema does not have', async () => {
    expect(await query('{ repository(owner: "acme", name: "shop") { nonsense } }')).toMatchObject({
      errors: [{ extensions: { code: 'undefinedField' } }],
    })
    expect(
      await query('{ repository(owner: "acme", name: "shop") { issues(first: 500) { totalCount } } }'),
    ).toMatchObject({ errors: [{ type: 'EXCESSIVE_PAGINATION' }] })
  })

  test('closes a pull request whose base is deleted, and keeps its head', async () => {
    shop.branch('below')
    shop.branch('above', undefined, 'below')
    const pull = shop.github.pullRequest({ branch: 'above', base: 'below' })
    shop.origin.git('branch', '-D', 'below')
    shop.github.sync()
    expect(shop.github.pull(pull).state).toBe('CLOSED')
    expect(shop.origin.git('rev-parse', `refs/pull/${pull}/head`)).toBe(shop.origin.git('rev-parse', 'above'))
  })

  test('sends a signed webhook for a label of a pull request', async () => {
    const received: { headers: Record<string, unknown>; body: string }[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        received.push({ headers: request.headers, body })
        response.writeHead(202).end()
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    shop.github.deliverTo({ url: `http://127.0.0.1:${port}/webhooks/1`, secret: 'webhook-secret' })
    const pull = shop.pull('fix')
    shop.github.label(pull, 'merge-ready')
    expect(await Promise.all(shop.github.webhooks.deliveries)).toEqual([202])
    const [{ headers, body }] = received as [(typeof received)[number]]
    const signature = createHmac('sha256', 'webhook-secret').update(body).digest('hex')
    expect(headers).toMatchObject({ 'x-github-event': 'pull_request', 'x-hub-signature-256': `sha256=${signature}` })
    expect(JSON.parse(body)).toMatchObject({
      action: 'labeled',
      label: { name: 'merge-ready' },
      pull_request: { number: pull, head: { ref: 'fix' } },
    })
  })
})
