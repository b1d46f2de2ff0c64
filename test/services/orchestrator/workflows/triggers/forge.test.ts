import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../../platform/core/clock.ts'
import { eventually } from '../../../../support/eventually.ts'
import { alice, refusal as refused, TestMachine, type TestOrchestrator, workflow } from '../../harness.ts'
import { ForgeServer, refusal } from './forge-server.ts'

const MINUTE = 60_000
let forge: ForgeServer
let machine: TestMachine
let daemon: TestOrchestrator
let clock: TestClock
let agentId: string
beforeEach(async () => {
  forge = await ForgeServer.start()
  clock = new TestClock()
  machine = new TestMachine({ clock, env: { SVC_FORGE_API_URL: forge.url, SVC_FORGE_TOKEN: 'forge-token-1' } })
  daemon = await machine.open()
  // An agent that does not connect fails after a minute.
  agentId = (await daemon.createConnected()).id
})
afterEach(async () => {
  await machine.close()
  forge.stop()
})

const TEMPLATE = '{{source_id}}|{{title}}|{{body}}|{{url}}|{{labels}}|{{assignee}}'
const flow = (id: string) => daemon.orchestrator.workflows.get(id)
const sources = async (id: string) =>
  (await daemon.orchestrator.workflows.history(id)).items.map(({ source_id }) => source_id).toReversed()
const prompts = async (id: string) =>
  (await daemon.orchestrator.workflows.history(id)).items.map(({ prompt_sent }) => prompt_sent).toReversed()

const polled = (id: string) => eventually(async () => Date.parse((await flow(id)).next_fire_at!) > clock.now())

async function make(members: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Promise<string> {
  const trigger_config = { type: 'forge_issues', owner: 'o', repo: 'r', ...members }
  const body = workflow(agentId, { trigger_config, prompt_template: TEMPLATE, ...more })
  const { id } = await daemon.orchestrator.workflows.create(body, alice)
  await polled(id)
  return id
}

async function pass(id: string, ms = MINUTE): Promise<void> {
  clock.tick(ms)
  await polled(id)
}

const label = (name: string) => ({ id: 1, name, color: 'f29513', default: false })
const asked = () => forge.requests.map(({ query, status }) => [query.get('page') ?? '1', status])

test('polls at once and accepts every issue once, oldest first', async () => {
  forge.addIssue('o/r', { labels: [label('bug'), label('help wanted')], assignee: { login: 'noor', id: 2 } })
  forge.addIssue('o/r', { title: 'No body', body: null })
  const id = await make()
  expect(await prompts(id)).toEqual([
    '1|Login fails 1|Since yesterday.|https://forge.example/o/r/issues/1|bug, help wanted|noor',
    '2|No body||https://forge.example/o/r/issues/2||',
  ])
  await pass(id)
  forge.addIssue('o/r')
  await pass(id)
  expect(await sources(id)).toEqual(['1', '2', '3'])
  // A reopened issue is the same issue.
  forge.item('o/r', 1).state = 'closed'
  await pass(id)
  forge.item('o/r', 1).state = 'open'
  await pass(id)
  await daemon.crash()
  daemon = await machine.open()
  await polled(id)
  expect(await sources(id)).toEqual(['1', '2', '3'])
})

test('accepts an issue when it begins to match, and no pull request', async () => {
  forge.addIssue('o/r', { labels: [label('bug')] })
  forge.addIssue('o/r')
  forge.addPullRequest('o/r', { labels: [label('bug'), label('ready')] })
  forge.addIssue('o/r', { labels: [label('bug'), label('ready')], state: 'closed' })
  const id = await make({ labels: ['bug', 'ready'] })
  expect(await sources(id)).toEqual([])
  forge.item('o/r', 1).labels.push(label('ready'))
  await pass(id)
  expect(await sources(id)).toEqual(['1'])
  const all = await make({ state: 'all' })
  expect(await sources(all)).toEqual(['1', '2', '4'])
})

test('accepts pull requests with their branches, matching all labels', async () => {
  forge.addIssue('o/r', { labels: [label('ready')] })
  forge.addPullRequest('o/r', { labels: [label('Ready'), label('small')], draft: true })
  forge.addPullRequest('o/r', { labels: [label('ready')] })
  const prompt_template = '{{pr_number}} {{head_ref}} {{base_ref}} {{is_draft}}'
  const id = await make({ type: 'forge_pull_requests', labels: ['small', 'ready'] }, { prompt_template })
  expect([await sources(id), await prompts(id)]).toEqual([['2'], ['2 fix-login main true']])
})

test('follows pages and does not request unchanged ones again', async () => {
  for (let n = 0; n < 120; n++) forge.addIssue('o/r')
  const id = await make()
  expect(asked()).toEqual([
    ['1', 200],
    ['2', 200],
    ['3', 200],
  ])
  expect((await sources(id)).map(Number)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1))
  forge.requests.length = 0
  await pass(id)
  expect(asked()).toEqual([
    ['1', 304],
    ['2', 304],
    ['3', 304],
  ])
  forge.requests.length = 0
  await daemon.stop()
  daemon = await machine.open()
  forge.addIssue('o/r')
  await polled(id)
  expect(asked()).toEqual([
    ['1', 304],
    ['2', 304],
    ['3', 200],
  ])
  expect((await sources(id)).at(-1)).toBe('121')
})

test('finds an item on the page after a full one', async () => {
  for (let n = 0; n < 50; n++) forge.addIssue('o/r')
  const id = await make()
  forge.addIssue('o/r')
  await pass(id)
  expect((await sources(id)).slice(-2)).toEqual(['50', '51'])
})

test('finds an item that moved to another page at the next poll', async () => {
  for (let n = 0; n < 60; n++) forge.addIssue('o/r')
  forge.onRequest = (_path, query) => {
    // Number 51 moves to the page that was just read.
    if (query.get('page') === '2') forge.item('o/r', 1).state = 'closed'
  }
  const id = await make()
  expect(await sources(id)).not.toContain('51')
  await pass(id)
  expect((await sources(id)).toSorted((a, b) => Number(a) - Number(b))).toHaveLength(60)
})

test('waits until the forge resets its exhausted rate limit', async () => {
  forge.limit = { remaining: 1, reset: forge.now / 1000 + 600 }
  const id = await make()
  const until = new Date(clock.now() + 600_000).toISOString()
  expect(await flow(id)).toMatchObject({ next_fire_at: until, last_error: null })
  const other = await make({ repo: 'r2' })
  expect((await flow(other)).last_error).toBe(`forge rate limit reached: retrying at ${until}`)
  forge.addIssue('o/r')
  await pass(id, 599_000)
  expect(forge.requests).toHaveLength(1)
  forge.limit.remaining = 5000
  await pass(id, 1000)
  await polled(other)
  expect(await sources(id)).toEqual(['1'])
  expect((await flow(other)).last_error).toBeNull()
})

test.each([
  ['seconds', 429, { 'retry-after': '120' }, 120],
  ['a date', 503, { 'retry-after': new Date(Date.parse('2026-05-01T12:03:00Z')).toUTCString() }, 180],
  ['nonsense', 403, { 'retry-after': 'soon' }, 60],
  ['a century', 429, { 'retry-after': '3153600000' }, 3600],
  ['nothing', 429, {}, 60],
])('applies a Retry-After of %s', async (_what, status, headers, secs) => {
  forge.addIssue('o/r')
  forge.instead.push(refusal(status, 'You have exceeded a secondary rate limit.', headers))
  const id = await make({}, { poll_interval_secs: 5 })
  const until = new Date(clock.now() + secs * 1000).toISOString()
  expect(await flow(id)).toMatchObject({ next_fire_at: until, last_error: expect.stringContaining(until) })
  await pass(id, secs * 1000)
  expect(forge.requests).toHaveLength(2)
  expect(await sources(id)).toEqual(['1'])
  expect((await flow(id)).last_error).toBeNull()
})

test.each([
  [refusal(401, 'Bad credentials'), /answered 401 \(Bad credentials.*set SVC_FORGE_TOKEN/],
  [refusal(404, 'Not Found'), /GET \/api\/v3\/repos\/o\/r\/issues of .* answered 404 .*: check owner and repo/],
  [refusal(500, 'Oops'), /answered 500 \(Oops.*\): retrying/],
  [{ status: 200, body: '{"a":' }, /cannot be read/],
  [{ status: 200, body: '{"message":"hello"}' }, /the list of issues of o\/r has an unexpected format/],
  [{ status: 200, body: '[{"number":"7","title":"x","html_url":"y"}]' }, /0\.number should be/],
  [{ status: 200, body: '[]', headers: { link: '<https://elsewhere.example/x>; rel="next"' } }, /next page outside/],
])('reports an invalid response and accepts nothing: %j', async (answer, error) => {
  forge.addIssue('o/r')
  forge.instead.push(answer)
  const id = await make()
  expect((await flow(id)).last_error).toMatch(error)
  expect(await sources(id)).toEqual([])
  await pass(id)
  expect(await flow(id)).toMatchObject({ last_error: null })
  expect(await sources(id)).toEqual(['1'])
})

test('reports an unreachable forge and retries', async () => {
  forge.stop()
  const id = await make()
  expect((await flow(id)).last_error).toMatch(/does not answer .*check SVC_FORGE_API_URL/)
})

test('sends the token of the environment and never shows it', async () => {
  forge.token = 'forge-token-1'
  forge.addIssue('o/r')
  const id = await make()
  expect(await sources(id)).toEqual(['1'])
  forge.token = 'another'
  await pass(id)
  const record = await flow(id)
  expect(record.last_error).toMatch(/401/)
  expect(JSON.stringify(record)).not.toContain('forge-token-1')
})

test('starts another repository from the beginning and remembers the first', async () => {
  forge.addIssue('o/r')
  forge.addIssue('o/other')
  const id = await make()
  await daemon.orchestrator.workflows.patch(id, { trigger_config: { repo: 'other' } }, alice)
  await eventually(async () => (await sources(id)).length === 2)
  await daemon.orchestrator.workflows.patch(id, { trigger_config: { repo: 'R' } }, alice)
  await daemon.orchestrator.workflows.patch(id, { trigger_config: { repo: 'r' } }, alice)
  await eventually(async () => (await flow(id)).next_fire_at !== null)
  await polled(id)
  expect(await sources(id)).toEqual(['1', '1'])
})

test('refuses names that lead to another path of the forge', async () => {
  for (const members of [{ owner: '..' }, { repo: 'a/b' }, { repo: '' }, { owner: 'a?b' }])
    expect(await refused(make(members))).toMatchObject({ status: 400 })
  expect(forge.requests).toEqual([])
})

test('accepts nothing when stopped during a poll', async () => {
  forge.addIssue('o/r')
  const id = await make({ repo: 'empty' })
  let reached = () => undefined as void
  const midway = new Promise<void>((done) => (reached = done))
  forge.onRequest = () => reached()
  clock.tick(MINUTE)
  await midway
  await daemon.orchestrator.workflows.patch(id, { enabled: false }, alice)
  await eventually(async () => (await flow(id)).next_fire_at === null)
  expect(await flow(id)).toMatchObject({ enabled: false, last_error: null })
})
