import { createHmac } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { alice, refusal, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'

const machine = new TestMachine({ clock: new TestClock() })
let daemon: TestOrchestrator
let agentId: string
beforeAll(async () => {
  daemon = await machine.open()
  agentId = (await daemon.create()).id
})
afterAll(() => machine.close())

const TEMPLATE =
  '{{title}}|{{body}}|{{url}}|{{labels}}|{{assignee}}|{{action}}|{{issue_number}}|{{pr_number}}|{{forge_event}}'
const make = async (more: Record<string, unknown> = {}) => {
  const body = workflow(agentId, { trigger_config: { type: 'webhook' }, prompt_template: TEMPLATE, ...more })
  return (await daemon.orchestrator.workflows.create(body, alice)).id
}
const history = async (id: string) => (await daemon.orchestrator.workflows.history(id)).items
const send = (id: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${daemon.address}/webhooks/${id}`, { method: 'POST', body, headers })
const prompt = async (id: string) => (await history(id))[0]!.prompt_sent
const signed = (secret: string, body: string | Buffer) => createHmac('sha256', secret).update(body).digest('hex')

const subject = (number: number) => ({
  number,
  title: 'Login fails',
  body: 'Since {{title}} today',
  html_url: `https://forge.example/o/r/${number}`,
  labels: [{ name: 'bug' }, { name: 'auth' }],
  assignee: { login: 'mia' },
})

for (const forge of ['Forge', 'GitHub', 'Gitea', 'Forgejo']) {
  test(`reads the headers of ${forge} for issues and pull requests`, async () => {
    const id = await make()
    const headers = (event: string) => ({ [`X-${forge}-Event`]: event, [`X-${forge}-Delivery`]: `d-${event}` })
    const issue = JSON.stringify({ action: 'opened', issue: subject(7) })
    const response = await send(id, issue, headers('issues'))
    expect([response.status, await response.text()]).toEqual([202, ''])
    const common = 'Login fails|Since {{title}} today|https://forge.example/o/r'
    expect(await prompt(id)).toBe(`${common}/7|bug, auth|mia|opened|7|{{pr_number}}|issues`)
    await send(id, JSON.stringify({ action: 'closed', pull_request: subject(8) }), headers('pull_request'))
    expect(await prompt(id)).toBe(`${common}/8|bug, auth|mia|closed|{{issue_number}}|8|pull_request`)
    const [pull] = await history(id)
    expect(pull!.source_id).toBe(`webhook:d-pull_request:${new Date(daemon.clock.now()).toISOString()}`)
  })
}

test('uses the name of other events as title and keeps the payload', async () => {
  const id = await make({ prompt_template: '{{title}}|{{body}}|{{forge_event}}|{{delivery_id}}' })
  await send(id, '{"ref": "main"}', { 'X-Forge-Event': 'push', 'X-Forge-Delivery': 'd1' })
  expect(await prompt(id)).toBe('Forge event: push|{"ref": "main"}|push|d1')
  await send(id, 'no json', { 'X-Forge-Event': 'issues', 'X-Forge-Delivery': 'd2' })
  expect(await prompt(id)).toBe('Forge event: issues|no json|issues|d2')
  const form = {
    'X-GitHub-Event': 'push',
    'X-GitHub-Delivery': 'd3',
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  await send(id, `payload=${encodeURIComponent('{"ref": "form"}')}`, form)
  expect(await prompt(id)).toBe('Forge event: push|{"ref": "form"}|push|d3')
})

test('reads the title of a plain delivery from title, subject or name', async () => {
  const id = await make({ prompt_template: '{{title}}|{{body}}' })
  for (const [body, title] of [
    ['{"title":"T","name":"N"}', 'T'],
    ['{"title":"","subject":"S"}', 'S'],
    ['{ "name": "N" }', 'N'],
    ['[1]', 'Webhook payload'],
    ['plain text', 'Webhook payload'],
    ['', 'Webhook payload'],
  ] as const) {
    expect((await send(id, body, { 'Content-Type': 'text/plain' })).status).toBe(202)
    expect(await prompt(id)).toBe(`${title}|${body}`)
  }
  const none = await fetch(`${daemon.address}/webhooks/${id}`, { method: 'POST' })
  expect(none.status).toBe(202)
})

test('replaces and counts invalid UTF-8, NUL and lone surrogates, and checks the signature of the raw body', async () => {
  const id = await make({
    trigger_config: { type: 'webhook', secret: 's3cret' },
    prompt_template: '{{title}}|{{body}}|{{replaced}}',
  })
  const sendSigned = (body: Buffer, more: Record<string, string> = {}) =>
    send(id, body, { 'X-Hub-Signature-256': `sha256=${signed('s3cret', body)}`, ...more })
  expect((await sendSigned(Buffer.from([0x61, 0x00, 0xff, 0xfe]))).status).toBe(202)
  expect(await prompt(id)).toBe('Webhook payload|a\uFFFD\uFFFD\uFFFD|3')
  const issue = Buffer.from('{"issue":{"title":"a\\u0000b\\ud83d","body":"\\ud83d\\ude00 ok"}}')
  expect((await sendSigned(issue, { 'X-Forge-Event': 'issues' })).status).toBe(202)
  expect(await prompt(id)).toBe('a\uFFFDb\uFFFD|\u{1F600} ok|2')
  expect((await sendSigned(Buffer.from('{"title":"\uFFFD fine"}'))).status).toBe(202)
  expect(await prompt(id)).toContain('\uFFFD fine|{"title":"\uFFFD fine"}|{{replaced}}')
})

test('unpacks a compressed delivery after the check of its signature', async () => {
  const id = await make({ trigger_config: { type: 'webhook', secret: 's3cret' }, prompt_template: '{{title}}' })
  const sendPacked = async (body: Buffer, encoding: string, key = 's3cret') =>
    (
      await send(id, body, {
        'Content-Encoding': encoding,
        'X-Forge-Event': 'issues',
        'X-Hub-Signature-256': `sha256=${signed(key, body)}`,
      })
    ).status
  const issue = JSON.stringify({ issue: subject(7) })
  for (const [encoding, body] of [
    ['gzip', gzipSync(issue)],
    ['deflate', deflateSync(issue)],
    ['br', brotliCompressSync(issue)],
    ['identity', Buffer.from(issue)],
  ] as const) {
    expect(await sendPacked(body, encoding)).toBe(202)
    expect(await prompt(id)).toBe('Login fails')
  }
  const before = (await history(id)).length
  expect(await sendPacked(gzipSync(issue), 'gzip', 'other')).toBe(401)
  expect(await sendPacked(gzipSync(issue), 'zstd')).toBe(415)
  expect(await sendPacked(gzipSync(issue), 'gzip, gzip')).toBe(415)
  expect(await sendPacked(Buffer.from(issue), 'gzip')).toBe(400)
  expect(await sendPacked(gzipSync(Buffer.alloc(30 * 1024 * 1024)), 'gzip')).toBe(413)
  expect(await history(id)).toHaveLength(before)
})

test('removes a byte order mark before it reads a delivery', async () => {
  const id = await make({ prompt_template: '{{title}}|{{body}}' })
  await send(id, '\uFEFF{"issue":{"title":"T","body":"B"}}', { 'X-Forge-Event': 'issues' })
  expect(await prompt(id)).toBe('T|B')
  await send(id, '\uFEFF{"title":"T"}')
  expect(await prompt(id)).toBe('T|{"title":"T"}')
})

test('makes a task of the ping of a forge', async () => {
  const id = await make({ prompt_template: '{{title}}|{{forge_event}}' })
  await send(id, '{"zen":"Keep it logically awesome."}', { 'X-GitHub-Event': 'ping' })
  expect(await prompt(id)).toBe('Forge event: ping|ping')
})

test('ignores the fields of a payload that is too deep or large', async () => {
  const id = await make({ prompt_template: '{{title}}' })
  const deep = (depth: number) => `{"title":"T","in":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const full = (values: number) => `{"title":"T","in":[${'0,'.repeat(values)}0]}`
  for (const [body, title] of [
    [deep(60), 'T'],
    [deep(100_000), 'Webhook payload'],
    [full(100_000), 'T'],
    [full(2_000_000), 'Webhook payload'],
    ['['.repeat(20_000_000), 'Webhook payload'],
  ] as const) {
    expect((await send(id, body)).status).toBe(202)
    expect(await prompt(id)).toBe(title)
  }
})

test('stores a large task in full and publishes it shortened', async () => {
  const id = await make({ prompt_template: '{{body}}' })
  const long = 'x'.repeat(3_000_000)
  expect((await send(id, long)).status).toBe(202)
  const [dispatch] = await history(id)
  expect(dispatch!.prompt_sent).toBe(long)
  const published = daemon.frames.findLast((frame) => frame.dispatch?.id === dispatch!.id)!
  expect(published.dispatch!.prompt_sent).toContain('the text has 3000000 characters')
  expect(JSON.stringify(published).length).toBeLessThan(70_000)
})

test('refuses an empty webhook secret', async () => {
  const error = await refusal(make({ trigger_config: { type: 'webhook', secret: '' } }))
  expect(error).toMatchObject({ status: 400, message: expect.stringContaining('secret') })
  const id = await make({ trigger_config: { type: 'webhook', secret: 's3cret' } })
  const emptied = daemon.orchestrator.workflows.patch(id, { trigger_config: { secret: '' } }, alice)
  expect(await refusal(emptied)).toMatchObject({ status: 400 })
})

test('makes a separate task of a repeated delivery', async () => {
  const id = await make()
  for (const _time of [1, 2]) await send(id, '{}', { 'X-GitHub-Delivery': 'same' })
  expect(await history(id)).toHaveLength(2)
})

test('accepts only deliveries signed over the raw bytes if a secret exists', async () => {
  const id = await make({ trigger_config: { type: 'webhook', secret: 's3cret' } })
  const body = Buffer.from('{ "title":  "é" }\n')
  const good = signed('s3cret', body)
  const sha1 = `sha1=${createHmac('sha1', 's3cret').update(body).digest('hex')}`
  for (const signature of [`sha256=${good}`, good, good.toUpperCase()])
    expect((await send(id, body, { 'X-Hub-Signature-256': signature })).status).toBe(202)
  for (const headers of [
    {},
    { 'X-Hub-Signature-256': '' },
    { 'X-Hub-Signature-256': 'sha256=' },
    { 'X-Hub-Signature-256': 'sha256=zz' },
    { 'X-Hub-Signature-256': `sha256=${good.slice(0, 62)}` },
    { 'X-Hub-Signature-256': `sha256=${signed('another', body)}` },
    { 'X-Hub-Signature-256': `sha256=${signed('s3cret', JSON.stringify(JSON.parse(body.toString())))}` },
    { 'X-Hub-Signature-256': `sha256=${signed('', body)}` },
    { 'X-Hub-Signature-256': `sha256=${good}, sha256=${good}` },
    { 'X-Hub-Signature': `sha256=${good}` },
    { 'X-Hub-Signature': sha1 },
    { 'X-Hub-Signature-256': sha1 },
  ] as Record<string, string>[]) {
    const response = await send(id, body, headers)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([401, 'signature-wrong'])
  }
  expect(await history(id)).toHaveLength(3)
  await daemon.orchestrator.workflows.patch(id, { trigger_config: { secret: 'new' } }, alice)
  expect((await send(id, body, { 'X-Hub-Signature-256': good })).status).toBe(401)
  expect((await send(id, body, { 'X-Hub-Signature-256': signed('new', body) })).status).toBe(202)
})

test('keeps 64 pending deliveries across a restart and refuses the 65th', async () => {
  const { id: own } = await daemon.create()
  const id = await make({ agent_id: own })
  const all = await Promise.all(Array.from({ length: 70 }, () => send(id, '{}')))
  const statuses = all.map(({ status }) => status)
  expect([statuses.filter((one) => one === 202).length, statuses.filter((one) => one === 503).length]).toEqual([64, 6])
  expect(await all.find(({ status }) => status === 503)!.json()).toMatchObject({ code: 'channel-full' })
  expect(await history(id)).toHaveLength(64)
  await daemon.crash()
  daemon = await machine.open()
  expect((await history(id)).filter(({ status }) => status === 'pending')).toHaveLength(64)
  expect((await send(id, '{}')).status).toBe(503)
  const agent = await daemon.connect(own)
  await agent.prompt(1)
  expect((await send(id, '{}')).status).toBe(202)
  await daemon.orchestrator.workflows.delete(id, alice)
})

test('distinguishes unknown, disabled and non-webhook workflows', async () => {
  const unknown = await send('00000000-0000-4000-8000-000000000000', '{}')
  expect([unknown.status, (await send('nonsense', '{}')).status]).toEqual([404, 400])
  const id = await make({ enabled: false })
  const disabled = await send(id, '{}')
  expect([disabled.status, ((await disabled.json()) as { detail: string }).detail]).toEqual([
    404,
    expect.stringContaining('enable'),
  ])
  const other = await send(await make({ trigger_config: { type: 'manual' } }), '{}')
  expect([other.status, ((await other.json()) as { detail: string }).detail]).toEqual([
    422,
    expect.stringContaining('manual trigger'),
  ])
  expect((await fetch(`${daemon.address}/webhooks/${id}`)).status).toBe(405)
})
