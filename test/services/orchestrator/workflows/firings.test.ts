import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { FiringRecord } from '../../../../schemas/workflow/firing.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'

const SECRET = 's3cret-of-the-hook'
const MINUTE = 60_000
const DAY = 86_400_000

onEachDatabase((database) => {
  const clock = new TestClock()
  let machine: TestMachine
  let daemon: TestOrchestrator
  let agentId: string
  beforeAll(async () => {
    machine = new TestMachine({ clock, url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())
  beforeEach(async () => {
    // An agent that does not connect fails with time.
    clock.tick(2 * MINUTE)
    agentId = (await daemon.create()).id
  })

  const make = async (trigger: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    (await daemon.orchestrator.workflows.create(workflow(agentId, { trigger_config: trigger, ...more }), alice)).id
  const hook = (more: Record<string, unknown> = {}) => make({ type: 'webhook', secret: SECRET, ...more })
  const send = (id: string, body: string, { event = 'push', key = SECRET, headers = {} } = {}) =>
    fetch(`${daemon.address}/webhooks/${id}`, {
      method: 'POST',
      body,
      headers: {
        'X-Hub-Signature-256': createHmac('sha256', key).update(body).digest('hex'),
        'X-GitHub-Event': event,
        'X-GitHub-Delivery': `d-${event}`,
        ...headers,
      },
    })
  const firings = async (id: string, query = '') => {
    const response = await fetch(`${daemon.address}/workflows/${id}/firings${query}`)
    expect(response.status).toBe(200)
    return (await response.json()) as FiringRecord[]
  }
  const rows = async (id: string) =>
    Number((await daemon.db('orchestrator_firing_log').where({ workflow_id: id }).count({ n: '*' }).first())!.n)

  test('records an accepted delivery with its dispatch, event and size, but not its body', async () => {
    const id = await hook()
    expect((await send(id, '{"title":"hidden"}')).status).toBe(202)
    const [dispatch] = (await daemon.orchestrator.workflows.history(id)).items
    const at = new Date(clock.now()).toISOString()
    const found = await firings(id)
    expect(found).toEqual([
      {
        id: expect.any(String),
        workflow_id: id,
        trigger_type: 'webhook',
        outcome: 'dispatched',
        dispatch_id: dispatch!.id,
        source_id: dispatch!.source_id,
        code: null,
        reason: null,
        count: 1,
        delivery: { id: 'd-push', event: 'push', bytes: 18, status: 202 },
        created_at: at,
        last_at: at,
      },
    ])
    expect(JSON.stringify(found)).not.toMatch(/hidden|s3cret|[0-9a-f]{64}/)
  })

  test('records why a delivery created no task', async () => {
    const id = await hook({ match: { event: 'issues' } })
    const other = await make({ type: 'cron', expression: '0 2 * * *' })
    const disabled = await make({ type: 'webhook', secret: SECRET }, { enabled: false })
    expect((await send(id, '{}')).status).toBe(202)
    expect((await send(id, '{}', { event: 'issues', key: 'wrong' })).status).toBe(401)
    expect((await send(id, '{}', { event: 'issues', headers: { 'Content-Encoding': 'zstd' } })).status).toBe(415)
    expect(await tooLarge(id)).toBe(413)
    expect((await send(other, '{}')).status).toBe(422)
    expect((await send(disabled, '{}')).status).toBe(404)
    const seen = (await firings(id)).map(({ outcome, code, delivery }) => [outcome, code, delivery!.status])
    expect(seen).toEqual([
      ['refused', 'payload-too-large', 413],
      ['refused', 'unsupported-media-type', 415],
      ['refused', 'signature-wrong', 401],
      ['filtered', null, 202],
    ])
    const [large, , , filtered] = await firings(id)
    expect(large!.delivery).toEqual({ id: null, event: null, bytes: null, status: 413 })
    expect(filtered!.reason).toBe('the delivery does not match the trigger: event is "push", expected "issues"')
    expect(await firings(other)).toMatchObject([
      { outcome: 'refused', trigger_type: 'cron', delivery: { status: 422 } },
    ])
    expect(await firings(disabled)).toMatchObject([{ reason: expect.stringContaining('enable the workflow') }])
    expect((await firings(id, '?outcome=filtered')).map(({ id }) => id)).toEqual([filtered!.id])
  })

  /** Announces a body above the limit, which the daemon refuses unread. */
  const tooLarge = (id: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': 30 * 1024 * 1024 }
      const sent = request(`${daemon.address}/webhooks/${id}`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode!)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.flushHeaders()
    })

  test('counts refused deliveries of a minute in one record', async () => {
    const id = await hook()
    for (let nth = 0; nth < 30; nth++) await send(id, '{}', { key: 'wrong', event: `event-${nth}` })
    const [flood, ...none] = await firings(id)
    expect([flood!.count, flood!.delivery!.event, none]).toEqual([30, 'event-29', []])
    clock.tick(MINUTE)
    await send(id, '{}', { key: 'wrong' })
    expect((await firings(id)).map(({ count }) => count)).toEqual([1, 30])
    expect(await rows(id)).toBe(2)
  })

  test('distinguishes at most 20 reasons per minute', async () => {
    const id = await hook({ match: { event: 'issues' } })
    for (let nth = 0; nth < 30; nth++) await send(id, '{}', { event: `event-${nth}` })
    const found = await firings(id)
    expect(found).toHaveLength(21)
    expect(found[0]).toMatchObject({ count: 10, reason: expect.stringContaining('more than 20 different reasons') })
  })

  test('drops deliveries for unknown workflows', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect((await send(unknown, '{}')).status).toBe(404)
    expect((await send('%00', '{}')).status).toBe(400)
    expect((await fetch(`${daemon.address}/workflows/${unknown}/firings`)).status).toBe(404)
    expect(await rows(unknown)).toBe(0)
  })

  test('shortens the event that a sender names', async () => {
    const id = await hook()
    await send(id, '{}', { event: 'e'.repeat(5000), key: 'wrong' })
    expect((await firings(id))[0]!.delivery!.event).toBe('e'.repeat(100))
  })

  test('records runs by hand, tasks of a queue, and a refusal with its code', async () => {
    const { id: own, agent } = await daemon.createConnected()
    const id = await make({ type: 'queue', queue_name: 'fired' }, { agent_id: own })
    const task = await daemon.orchestrator.queues.push('fired', { title: 'T' }, alice)
    await agent.prompt(1)
    daemon.tick(1)
    const busy = await refusal(daemon.orchestrator.workflows.trigger(id, {}, alice))
    expect(busy).toMatchObject({ code: 'agent-busy' })
    agent.result()
    daemon.tick(1)
    await eventually(async () => (await daemon.orchestrator.agents.get(own)).activity === 'idle')
    const byHand = await daemon.orchestrator.workflows.trigger(id, {}, alice)
    const [run, refused, fired] = await firings(id)
    expect(run).toMatchObject({
      outcome: 'dispatched',
      trigger_type: 'manual',
      dispatch_id: byHand.id,
      delivery: null,
    })
    expect(refused).toMatchObject({ outcome: 'refused', trigger_type: 'manual', code: 'agent-busy', dispatch_id: null })
    expect(fired).toMatchObject({ outcome: 'dispatched', trigger_type: 'queue', source_id: `queue:fired:${task.id}:0` })
  })

  test('records a missed time of a schedule once', async () => {
    const id = await make({ type: 'cron', expression: '0 2 * * *', timezone: 'UTC' })
    await eventually(async () => (await daemon.orchestrator.workflows.get(id)).next_fire_at !== null)
    const reopen = async () => {
      await daemon.stop()
      daemon = await machine.open()
      await eventually(async () => (await daemon.orchestrator.workflows.get(id)).next_fire_at !== null)
    }
    await daemon.stop()
    clock.tick(2 * DAY)
    daemon = await machine.open()
    await eventually(async () => (await firings(id)).length === 1)
    await reopen()
    const [missed, ...none] = await firings(id)
    expect(none).toEqual([])
    expect(missed).toMatchObject({ outcome: 'missed', trigger_type: 'cron', count: 1, dispatch_id: null })
    expect(missed!.created_at).toMatch(/T02:00:00.000Z$/)
    expect(Date.parse(missed!.created_at)).toBeLessThan(clock.now())
  })

  test('records a failure of a trigger', async () => {
    const id = await make({ type: 'forge_issues', owner: 'o', repo: 'r' })
    await eventually(async () => (await firings(id)).length > 0)
    const { last_error } = await daemon.orchestrator.workflows.get(id)
    expect(await firings(id)).toMatchObject([{ outcome: 'failed', trigger_type: 'forge_issues', reason: last_error }])
    await daemon.orchestrator.workflows.delete(id, alice)
  })

  test('pages by cursor, newest first', async () => {
    const id = await hook()
    for (const event of ['a', 'b', 'c']) await send(id, '{}', { event })
    const page = async (query: string) =>
      (await (await fetch(`${daemon.address}/workflows/${id}/firings?limit=2&${query}`)).json()) as any
    const events = ({ items }: { items: FiringRecord[] }) => items.map(({ delivery }) => delivery!.event)
    const first = await page('after=')
    const second = await page(`after=${first.next}`)
    expect([events(first), events(second), second.next]).toEqual([['c', 'b'], ['a'], null])
    expect(events(await page(`before=${second.previous}`))).toEqual(['c', 'b'])
  })

  test('keeps 500 records of each outcome for 30 days', async () => {
    const id = await hook()
    await send(id, '{}')
    await send(id, '{}', { key: 'wrong' })
    await firings(id)
    const log = () => daemon.db('orchestrator_firing_log').where({ workflow_id: id })
    const [{ seq: _, ...row }] = await log().where({ outcome: 'refused' })
    const copies = Array.from({ length: 520 }, () => ({ ...row, id: crypto.randomUUID() }))
    for (let at = 0; at < copies.length; at += 40)
      await daemon.db('orchestrator_firing_log').insert(copies.slice(at, at + 40))
    const counts = async () => {
      const found: { outcome: string; n: number | string }[] = await log()
        .groupBy('outcome')
        .select('outcome')
        .count({ n: '*' })
      return Object.fromEntries(found.map(({ outcome, n }) => [outcome, Number(n)]))
    }
    const hourly = (condition: () => Promise<boolean>) =>
      eventually(() => {
        daemon.tick(60 * MINUTE)
        return condition()
      })
    await hourly(async () => (await counts()).refused === 500)
    expect(await counts()).toEqual({ dispatched: 1, refused: 500 })
    clock.tick(31 * DAY)
    await hourly(async () => (await rows(id)) === 0)
  })

  test('deletes the records of a deleted workflow', async () => {
    const id = await hook()
    await send(id, '{}')
    await send(id, '{}', { key: 'wrong' })
    expect(await firings(id)).toHaveLength(2)
    await send(id, '{}', { key: 'wrong' })
    await daemon.orchestrator.workflows.delete(id, alice)
    await daemon.orchestrator.workflows.firings(await hook(), {}, {})
    expect(await rows(id)).toBe(0)
  })

  test('answers a delivery while refusals cannot be recorded', async () => {
    const id = await hook()
    const refuse = ({ sql }: { sql: string }) => {
      if (/^insert into .orchestrator_firing_log/.test(sql)) throw new Error('disk gone')
    }
    daemon.db.on('query', refuse)
    expect((await send(id, '{}', { key: 'wrong' })).status).toBe(401)
    expect(await firings(id)).toEqual([])
    daemon.db.off('query', refuse)
    expect((await send(id, '{}', { key: 'wrong' })).status).toBe(401)
    expect((await firings(id)).map(({ count }) => count)).toEqual([1])
  })
})
