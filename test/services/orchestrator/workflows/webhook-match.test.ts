import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

const make = async (match: object | undefined, prompt_template = '{{title}}') => {
  const trigger_config = { type: 'webhook', ...(match ? { match } : {}) }
  const body = workflow(agentId, { trigger_config, prompt_template })
  return (await daemon.orchestrator.workflows.create(body, alice)).id
}
const history = async (id: string) => (await daemon.orchestrator.workflows.history(id)).items
const prompt = async (id: string) => (await history(id))[0]!.prompt_sent

async function send(id: string, event: string | null, body: object | string | Buffer, more: object = {}) {
  const response = await fetch(`${daemon.address}/webhooks/${id}`, {
    method: 'POST',
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    headers: { ...(event === null ? {} : { 'X-GitHub-Event': event }), ...more },
  })
  return { status: response.status, text: await response.text() }
}

/** Sends to a new workflow; returns null if there is a task, else the reason. */
async function deliver(match: object, event: string | null, body: object | string): Promise<string | null> {
  const id = await make(match)
  const { status, text } = await send(id, event, body)
  expect(status).toBe(202)
  const made = (await history(id)).length
  if (text === '') expect(made).toBe(1)
  else expect([made, JSON.parse(text)]).toEqual([0, { matched: false, reason: expect.any(String) }])
  return text === '' ? null : (JSON.parse(text) as { reason: string }).reason
}

const pull = (more: object = {}) => ({
  action: 'labeled',
  label: { name: 'merge-ready' },
  pull_request: {
    number: 8,
    title: 'Add a page',
    draft: false,
    base: { ref: 'main' },
    labels: [{ name: 'bug' }, { name: 'merge-ready' }],
  },
  ...more,
})
const MERGE_READY = { event: 'pull_request', action: 'labeled', label: 'merge-ready' }

describe('a webhook with match', () => {
  test('makes a task of a delivery that fulfils all conditions', async () => {
    expect(await deliver(MERGE_READY, 'pull_request', pull())).toBeNull()
    const whole = { ...MERGE_READY, payload: { 'pull_request.base.ref': 'main', 'pull_request.draft': false } }
    expect(await deliver(whole, 'pull_request', pull())).toBeNull()
    expect(await deliver({ event: ['push', 'pull_request'] }, 'pull_request', pull())).toBeNull()
    expect(await deliver({ payload: { 'pull_request.number': [7, 8] } }, 'pull_request', pull())).toBeNull()
    expect(await deliver({ payload: { 'pull_request.labels.0.name': 'bug' } }, 'pull_request', pull())).toBeNull()
  })

  test.each<[string, object, string | null, object | string, string]>([
    ['another event', MERGE_READY, 'issues', pull(), 'event is "issues", expected "pull_request"'],
    ['no event', { event: ['push', 'ping'] }, null, pull(), 'event is missing, expected "push" or "ping"'],
    [
      'another action',
      MERGE_READY,
      'pull_request',
      pull({ action: 'opened' }),
      'action is "opened", expected "labeled"',
    ],
    [
      'another label that was added',
      MERGE_READY,
      'pull_request',
      pull({ label: { name: 'bug' } }),
      'label is "bug", expected "merge-ready"',
    ],
    [
      'another value',
      { payload: { 'pull_request.base.ref': ['main', 'next'] } },
      'pull_request',
      pull({ pull_request: { base: { ref: 'old' } } }),
      'payload.pull_request.base.ref is "old", expected "main" or "next"',
    ],
    ['a value of another type', { payload: { n: 1 } }, 'push', { n: '1' }, 'payload.n is "1", expected 1'],
    ['an object', { payload: { n: 'x' } }, 'push', { n: {} }, 'payload.n is an object, expected "x"'],
    [
      'an inherited member',
      { payload: { constructor: 'x' } },
      'push',
      {},
      'payload.constructor is missing, expected "x"',
    ],
    ['a body that is not JSON', { action: 'opened' }, 'issues', 'opened', 'action is missing, expected "opened"'],
  ])('makes no task of a delivery with %s and answers the reason', async (_, match, event, body, reason) => {
    expect(await deliver(match, event, body)).toBe(`the delivery does not match the trigger: ${reason}`)
  })

  test('names every condition that does not hold', async () => {
    const reason = await deliver(MERGE_READY, 'push', { ref: 'main' })
    expect(reason).toMatch(/: event is "push", .*; action is missing, .*; label is missing, expected "merge-ready"$/)
  })

  test('compares the labels of an issue or pull request if none was added or removed', async () => {
    const labels = [{ name: 'bug' }, { name: 'auth' }]
    expect(await deliver({ label: 'auth' }, 'issues', { action: 'opened', issue: { labels } })).toBeNull()
    expect(await deliver({ label: 'auth' }, 'pull_request', { pull_request: { labels } })).toBeNull()
    expect(await deliver({ label: 'other' }, 'issues', { issue: { labels } })).toContain('label is "bug" or "auth"')
  })

  test('excludes the ping of a forge', async () => {
    const id = await make({ event: 'issues' })
    expect((await send(id, 'ping', { zen: 'Keep it logically awesome.' })).text).toContain('event is \\"ping\\"')
    expect((await send(id, 'issues', { issue: { title: 'T' } })).text).toBe('')
    expect(await prompt(id)).toBe('T')
  })

  test('reads the payload of a form, behind a byte order mark and compressed', async () => {
    const id = await make({ action: 'opened' })
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const json = JSON.stringify({ action: 'opened' })
    expect((await send(id, 'issues', `payload=${encodeURIComponent(json)}`, form)).text).toBe('')
    expect((await send(id, 'issues', `\uFEFF${json}`)).text).toBe('')
    expect((await send(id, 'issues', gzipSync(json), { 'Content-Encoding': 'gzip' })).text).toBe('')
    expect(await history(id)).toHaveLength(3)
  })

  test('applies a changed match immediately, and none after null', async () => {
    const id = await make({ event: 'push' })
    const change = (match: object | null) =>
      daemon.orchestrator.workflows.patch(id, { trigger_config: { match } }, alice)
    await change({ event: 'issues' })
    expect((await send(id, 'push', {})).text).toContain('expected \\"issues\\"')
    const { trigger_config } = await change(null)
    expect(trigger_config).toEqual({ type: 'webhook' })
    expect((await send(id, 'push', {})).text).toBe('')
  })

  test('checks the signature first', async () => {
    const trigger_config = { type: 'webhook', secret: 's3cret', match: { event: 'push' } }
    const { id } = await daemon.orchestrator.workflows.create(workflow(agentId, { trigger_config }), alice)
    expect((await send(id, 'issues', {})).status).toBe(401)
  })

  test.each<[string, unknown, string]>([
    ['is empty', {}, 'at least 1 field'],
    ['is a text', 'push', 'instead got a string'],
    ['has an unknown field', { evnt: 'push' }, 'did you mean "event"?'],
    ['has an empty list', { event: [] }, 'at least 1 entry'],
    ['has an empty text', { action: '' }, 'text that is not empty'],
    ['has an empty payload', { payload: {} }, 'at least 1 field'],
    ['has an object as value', { payload: { a: {} } }, 'instead got an object'],
    ['has a path without a name', { payload: { 'a..b': 1 } }, '"a..b" is not a path of a payload'],
    ['has an empty path', { payload: { '': 1 } }, '"" is not a path of a payload'],
  ])('is refused if it %s', async (_, match, why) => {
    const error = await refusal(make(match as object))
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining(why) })
  })
})

describe('a template with payload members', () => {
  test('shows them as text, and leaves missing ones unchanged', async () => {
    const template =
      '{{payload.pull_request.base.ref}}|{{ payload.pull_request.number }}|{{payload.pull_request.draft}}|' +
      '{{payload.pull_request.labels.1.name}}|{{payload.pull_request.base}}|{{payload.none.x}}|{{payload.nil}}|'
    const id = await make(undefined, template)
    await send(id, 'pull_request', pull({ nil: null }))
    expect(await prompt(id)).toBe('main|8|false|merge-ready|{"ref":"main"}|{{payload.none.x}}||')
    const other = await make(undefined, '{{payload.ref}}|{{payload.a-b.0}}|{{payload.constructor}}')
    await send(other, 'push', { ref: 'refs/heads/{{title}}', 'a-b': ['x'] })
    expect(await prompt(other)).toBe('refs/heads/{{title}}|x|{{payload.constructor}}')
    await send(other, null, { ref: 'plain' })
    expect(await prompt(other)).toBe('plain|{{payload.a-b.0}}|{{payload.constructor}}')
    await send(other, null, 'no JSON')
    expect(await prompt(other)).toBe('{{payload.ref}}|{{payload.a-b.0}}|{{payload.constructor}}')
  })

  test('replaces NUL and lone surrogates in them', async () => {
    const id = await make(undefined, '{{payload.ref}}')
    await send(id, 'push', '{"ref":"a\\u0000b\\ud83d"}')
    expect(await prompt(id)).toBe('a\uFFFDb\uFFFD')
  })

  test('gets them from pending tasks when it changes', async () => {
    const { id: own } = await daemon.create()
    const trigger_config = { type: 'webhook' }
    const { id, warnings } = await daemon.orchestrator.workflows.create(
      workflow(own, { trigger_config, prompt_template: '{{title}} {{payload.x}}' }),
      alice,
    )
    expect(warnings).toEqual([expect.stringContaining('has no secret')])
    await send(id, 'issues', { x: 1, issue: { title: 'T' }, y: 'later' })
    await daemon.orchestrator.workflows.patch(id, { prompt_template: '{{payload.y}} {{payload.issue.title}}' }, alice)
    expect(await prompt(id)).toBe('later T')
    await daemon.orchestrator.workflows.delete(id, alice)
  })
})
