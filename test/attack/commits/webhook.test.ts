// A false webhook delivery only causes a rate-limited check of the source.
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Source } from '../../../schemas/source.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { request } from '../../support/http.ts'
import { servedOverHttp, type Served } from '../../platform/git/http-origin.ts'
import { Origin } from '../../platform/git/origin.ts'

const SECRET = 'planted-hook-secret'
const MOST_BYTES = 25 * 1024 * 1024
const policy = (name: string, tool = 'Read') => `name: ${name}\nmode: allow_list\ntools: [${tool}]\n`

let stand: DaemonStand
let origin: Origin
let served: Served
let deliveries = 0
const closing: (() => void)[] = []
beforeAll(async () => {
  origin = new Origin((close) => closing.push(close))
  origin.commit({ 'team/policies/a.yml': policy('a'), 'evil/policies/evil.yml': policy('evil', 'Bash') })
  origin.git('branch', 'evil')
  served = await servedOverHttp(origin)
  stand = await DaemonStand.create({ env: { HOOK: SECRET } })
  const git = `{ url: ${served.url}, ref: { branch: main }, path: team, poll_secs: 86400, webhook_secret_variable: HOOK }`
  const config = join(stand.home, 'config.yaml')
  writeFileSync(config, `sources:\n  - name: team\n    git: ${git}\n`)
  await stand.start(['bin/svc', 'serve', '--manifests', stand.manifests, '--config', config])
  await eventually(async () => (await source()).applied_revision === head(), 30_000)
}, 60_000)
afterAll(async () => {
  await stand.close()
  served.close()
  for (const close of closing) close()
  counted('webhook of a source: deliveries', deliveries)
})

const source = () => request<Source>('GET', `${stand.controller}/sources/team`)
const head = () => origin.git('rev-parse', 'main')
const countChecks = () => served.requests.filter((path) => path.includes('info/refs')).length
const names = async () =>
  (await request<{ name: string }[]>('GET', `${stand.orchestrator}/policies`)).map(({ name }) => name).sort()

async function deliver(body: string | Buffer, signature = signed(body)): Promise<{ status: number; text: string }> {
  deliveries++
  const headers = { 'content-type': 'application/json', ...(signature ? { 'x-hub-signature-256': signature } : {}) }
  const answer = await fetch(`${stand.controller}/sources/team/webhook`, { method: 'POST', headers, body })
  return { status: answer.status, text: await answer.text() }
}

const signed = (body: string | Buffer, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const push = (ref: string, after: string, more: object = {}) => JSON.stringify({ ref, before: head(), after, ...more })

test('checks the source but applies nothing for an unknown commit', async () => {
  const before = head()
  const evil = origin.git('rev-parse', 'evil')
  const lies = [
    push('refs/heads/none', 'f'.repeat(40)),
    push('refs/heads/main', 'f'.repeat(40)),
    push('refs/heads/main', evil, { forced: true }),
    push('refs/heads/evil', evil, { repository: { clone_url: 'http://127.0.0.1:1/evil.git', default_branch: 'evil' } }),
    push('refs/heads/main', '0'.repeat(40), { deleted: true }),
    push('--upload-pack=touch /tmp/x', '$(false)'),
    'no JSON at all',
    '',
  ]
  const checks = countChecks()
  for (const lie of lies) expect((await deliver(lie)).status).toBe(202)
  await eventually(() => countChecks() > checks)
  const commit = origin.commit({ 'team/policies/b.yml': policy('b') })
  expect((await deliver(push('refs/heads/main', commit))).status).toBe(202)
  const now = await eventually(async () => {
    const each = await source()
    return each.applied_revision === commit && each
  })
  expect(now).toMatchObject({ revision: commit, attempted_revision: commit, error: null })
  expect([await names(), before === commit]).toEqual([['a', 'b'], false])
})

test('checks at most once in three seconds on repeated deliveries', async () => {
  const body = push('refs/heads/main', head())
  const signature = signed(body)
  const checks = countChecks()
  for (let time = 0; time < 200; time++) expect((await deliver(body, signature)).status).toBe(202)
  const commit = origin.commit({ 'team/policies/c.yml': policy('c') })
  await deliver(body, signature)
  await eventually(async () => (await source()).applied_revision === commit)
  // A check with a fetch lists references twice.
  expect(countChecks() - checks).toBeLessThan(20)
})

test('refuses deliveries with a wrong or missing signature', async () => {
  const checks = countChecks()
  const body = push('refs/heads/main', head())
  const sha1 = `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`
  const guessed = [signed(body, 'a guess'), signed(body, ''), signed(`${body} `), sha1]
  for (const wrong of ['', ...guessed, 'sha256=', signed(body).slice(0, -2), `${signed(body)}, ${signed(body)}`]) {
    const { status, text } = await deliver(body, wrong)
    expect([status, JSON.parse(text).code]).toEqual([401, 'signature-wrong'])
    expect(text).not.toContain('planted')
  }
  expect(countChecks()).toBe(checks)
})

test('accepts a signed body of 25 MiB and refuses a larger one', { timeout: 60_000 }, async () => {
  const full = Buffer.alloc(MOST_BYTES, ' ')
  expect((await deliver(full)).status).toBe(202)
  expect((await deliver(full, signed(full, 'a guess'))).status).toBe(401)
  const larger = await deliver(Buffer.alloc(MOST_BYTES + 1, ' ')).catch((error: Error) => ({ status: 413, error }))
  expect(larger.status).toBe(413)
  expect((await source()).error).toBe(null)
})
