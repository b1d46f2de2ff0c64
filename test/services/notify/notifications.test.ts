import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Notification } from '../../../schemas/notify/notification.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { median } from '../../bench/report.ts'
import { eventually } from '../../support/eventually.ts'
import { ephemeral, input, startNotify, type NotifyStand } from './stand.ts'

const FIVE_MINUTES = 300_000
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const UNKNOWN = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'

onEachDatabase((database) => {
  let stand: NotifyStand
  beforeAll(async () => void (stand = await startNotify(database.url)))
  afterAll(() => stand.close())
  beforeEach(() => stand.db('notify_notifications').delete())

  const make = async (more: object = {}): Promise<Notification> => {
    const { status, body } = await stand.ask('POST /notifications', { ...input, ...more })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const put = (id: string, body: object) => stand.ask(`PUT /notifications/${id}`, body)
  const titles = async (path: string) => (await stand.ask<Notification[]>(`GET ${path}`)).body.map(({ title }) => title)

  test('creates a pending notification with the documented fields', async () => {
    const made = await make()
    const at = '2030-01-01T12:00:00.000Z'
    const rest = { owner: null, status: 'Pending', response: null, created_at: at, updated_at: at }
    expect(made).toEqual({ id: expect.stringMatching(ID), ...input, ...rest })
    expect((await stand.ask(`GET /notifications/${made.id}`)).body).toEqual(made)
  })

  test.each([
    ['System'],
    [{ AgentHook: { agent_id: 'planner', hook_type: 'PreToolUse' } }],
    [{ AskService: { request_id: UNKNOWN } }],
    [{ MonitorService: { alert_type: 'disk:/' } }],
  ])('stores and returns source %j', async (source) => {
    expect((await make({ source })).source).toEqual(source)
  })

  test.each(['Low', 'Normal', 'High', 'Critical'])('accepts priority %s', async (priority) => {
    expect((await make({ priority })).priority).toBe(priority)
  })

  test('returns the expiry in UTC whatever the input time zone', async () => {
    const made = await make({ lifetime: { Ephemeral: { expires_at: '2030-01-01T15:00:00+02:00' } } })
    expect(made.lifetime).toEqual({ Ephemeral: { expires_at: '2030-01-01T13:00:00.000Z' } })
  })

  test.each([
    ['a priority in lower case', { priority: 'normal' }, 'priority'],
    ['an initial status', { status: 'Viewed' }, 'status'],
    ['a source in lower case', { source: 'system' }, 'source'],
    ['an unknown source', { source: { Nobody: {} } }, 'source'],
    ['a source without hook type', { source: { AgentHook: { agent_id: 'a' } } }, 'source'],
    ['an invalid request id', { source: { AskService: { request_id: 'x' } } }, 'source'],
    ['a lifetime in lower case', { lifetime: 'persistent' }, 'lifetime'],
    ['an expiry that is not a time', { lifetime: { Ephemeral: { expires_at: 'soon' } } }, 'lifetime'],
    ['an expiry in the past', { lifetime: { Ephemeral: { expires_at: '2029-12-31T00:00:00Z' } } }, 'lifetime'],
    [
      'an expiry in a leap second that did not exist',
      { lifetime: { Ephemeral: { expires_at: '2030-06-30T23:59:60Z' } } },
      'lifetime',
    ],
    ['no title', { title: undefined }, 'title'],
    ['requires_response as a string', { requires_response: 'yes' }, 'requires_response'],
  ])('rejects %s and names the field', async (_what, wrong, member) => {
    const { status, body } = await stand.ask('POST /notifications', { ...input, ...wrong })
    expect([status, body.title]).toEqual([400, 'Invalid Input'])
    expect(JSON.stringify(body.errors)).toContain(member)
    expect((await stand.ask('GET /notifications')).body).toEqual([])
  })

  describe('update', () => {
    test.each(['Pending', 'Viewed', 'Dismissed', 'Responded', 'Expired'])('sets status %s', async (status) => {
      const { id } = await make()
      stand.clock.tick(1000)
      const { status: code, body } = await put(id, { status })
      expect([code, body.status, Date.parse(body.updated_at)]).toEqual([200, status, stand.clock.now()])
    })

    test('stores an answer and sets status Responded', async () => {
      const { id } = await make({ requires_response: true })
      expect((await put(id, { response: 'yes' })).body).toMatchObject({ status: 'Responded', response: 'yes' })
      expect((await put(id, { status: 'Dismissed', response: 'no' })).body).toMatchObject({
        status: 'Dismissed',
        response: 'no',
      })
    })

    test('rejects an answer that was not requested', async () => {
      const { id } = await make()
      const { status, body } = await put(id, { response: 'yes' })
      expect([status, body.detail]).toEqual([400, expect.stringContaining('does not request one')])
      expect((await stand.ask(`GET /notifications/${id}`)).body).toMatchObject({ status: 'Pending', response: null })
    })

    test('returns 409 for an answer after expiry, before and after cleanup', async () => {
      const { id } = await make({ requires_response: true, lifetime: ephemeral(stand.clock, 1000) })
      stand.clock.tick(1000)
      expect(await put(id, { response: 'yes' })).toMatchObject({ status: 409, body: { title: 'Conflict' } })
      stand.clock.tick(FIVE_MINUTES)
      await eventually(async () => (await stand.ask(`GET /notifications/${id}`)).body.status === 'Expired')
      expect((await put(id, { response: 'yes' })).status).toBe(409)
    })

    test('returns 400 for a lower-case status, 404 for an unknown id', async () => {
      const { id } = await make()
      expect((await put(id, { status: 'viewed' })).status).toBe(400)
      expect((await put(UNKNOWN, { status: 'Viewed' })).status).toBe(404)
    })

    test('changes nothing without fields', async () => {
      const made = await make()
      expect((await put(made.id, {})).body).toEqual(made)
    })
  })

  describe('list of notifications', () => {
    beforeEach(async () => {
      for (const [title, priority] of [
        ['first', 'Normal'],
        ['urgent', 'Critical'],
        ['minor', 'Low'],
        ['second', 'Normal'],
        ['seen', 'High'],
        ['over', 'Critical'],
        ['done', 'Normal'],
      ] as const) {
        const lifetime = title === 'over' ? ephemeral(stand.clock, 1) : 'Persistent'
        const { id } = await make({ title, priority, lifetime })
        if (title === 'seen') await put(id, { status: 'Viewed' })
        if (title === 'done') await put(id, { status: 'Dismissed' })
      }
      stand.clock.tick(1)
    })

    test('sorts by newest, actionable notifications by urgency first', async () => {
      expect(await titles('/notifications')).toEqual(['done', 'over', 'seen', 'second', 'minor', 'urgent', 'first'])
      expect(await titles('/notifications?status=Viewed')).toEqual(['seen'])
      expect(await titles('/notifications/actionable')).toEqual(['urgent', 'seen', 'second', 'first', 'minor'])
      expect(await titles('/notifications/history')).toEqual(['done'])
    })

    test('returns pages with the total', async () => {
      const { body } = await stand.ask('GET /notifications/actionable?limit=2&offset=1')
      expect(body).toMatchObject({ total: 5, limit: 2, offset: 1 })
      expect(body.items.map(({ title }: Notification) => title)).toEqual(['seen', 'second'])
    })

    test('counts by status', async () => {
      expect((await stand.ask('GET /notifications/count')).body).toEqual({
        total: 7,
        by_status: { Pending: 5, Viewed: 1, Dismissed: 1, Responded: 0, Expired: 0 },
      })
    })

    test('rejects an unknown status', async () => {
      expect((await stand.ask('GET /notifications?status=pending')).status).toBe(400)
    })
  })

  test('deletes a notification', async () => {
    const { id } = await make()
    expect(await stand.ask(`DELETE /notifications/${id}`)).toEqual({ status: 204, body: null })
    expect((await stand.ask(`DELETE /notifications/${id}`)).status).toBe(404)
    expect((await stand.ask(`GET /notifications/${id}`)).status).toBe(404)
  })

  /**
   * Advances the clock by five minutes, repeatedly, because a tick during a cleanup starts no second one. Waits between
   * for longer than a cleanup: the next one may end the condition.
   */
  const cleanedUntil = (condition: () => Promise<boolean>) =>
    eventually(() => {
      stand.clock.tick(FIVE_MINUTES)
      return eventually(condition, 5000)
    })

  test('marks expired notifications, deletes them five minutes later, keeps the rest', async () => {
    const { id } = await make({ lifetime: ephemeral(stand.clock, 1000) })
    const later = await make({ lifetime: ephemeral(stand.clock, 100 * FIVE_MINUTES) })
    const stays = await make()
    const statusOf = async (each: string) => (await stand.ask(`GET /notifications/${each}`)).body.status as string
    await cleanedUntil(async () => (await statusOf(id)) === 'Expired')
    expect(await titles('/notifications/history')).toHaveLength(1)
    await cleanedUntil(async () => (await stand.ask(`GET /notifications/${id}`)).status === 404)
    expect([await statusOf(later.id), await statusOf(stays.id)]).toEqual(['Pending', 'Pending'])
  })

  test('expires more notifications than fit in one cleanup batch', async () => {
    for (let index = 0; index < 230; index++) await make({ lifetime: ephemeral(stand.clock, 1000) })
    await cleanedUntil(async () => (await stand.ask('GET /notifications/count')).body.by_status.Expired === 230)
  })

  test('delays a query during cleanup by one batch at most', async () => {
    const at = new Date(stand.clock.now()).toISOString()
    const rows = Array.from({ length: 400 }, (_each, index) => ({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      source: '"System"',
      lifetime: '"Persistent"',
      title: 'Over',
      message: 'x',
      priority: 'Low',
      requires_response: false,
      status: 'Expired',
      created_at: at,
      updated_at: at,
      urgency: 0,
      open: 0,
    }))
    for (let from = 0; from < rows.length; from += 50)
      await stand.db('notify_notifications').insert(rows.slice(from, from + 50))
    let pieces = 0
    /** For each query issued during a batch, the number of batches before its result. */
    const waited: number[] = []
    const questions: Promise<void>[] = []
    const heard = ({ sql }: { sql: string }) => {
      if (!/^delete from .notify_notifications/i.test(sql)) return
      const before = ++pieces
      questions.push(stand.db.select(stand.db.raw('1')).then(() => void waited.push(pieces - before)))
    }
    stand.db.on('query', heard)
    await eventually(async () => {
      stand.clock.tick(FIVE_MINUTES)
      const { body } = await stand.ask('GET /notifications/count')
      return body.by_status.Expired === 0
    })
    stand.db.off('query', heard)
    await Promise.all(questions)
    expect(pieces).toBeGreaterThanOrEqual(8)
    // On PostgreSQL the query has a separate connection, which a busy machine may delay.
    const typical = database.url.startsWith('postgres') ? median(waited) : Math.max(...waited)
    expect(typical).toBeLessThanOrEqual(1)
  })

  test('streams every new and changed notification', async () => {
    const socket = new WebSocket(`${stand.host.urls.notify!.replace('http', 'ws')}/stream`)
    const streamed: Notification[] = []
    socket.on('message', (data: Buffer) => streamed.push(JSON.parse(data.toString()) as Notification))
    await once(socket, 'open')
    const made = await make({ lifetime: ephemeral(stand.clock, 1000) })
    await eventually(() => streamed.length === 1)
    const { body: viewed } = await put(made.id, { status: 'Viewed' })
    await eventually(() => streamed.length === 2)
    stand.clock.tick(FIVE_MINUTES)
    await eventually(() => streamed.length === 3)
    expect(streamed.map(({ status }) => status)).toEqual(['Pending', 'Viewed', 'Expired'])
    expect(streamed.slice(0, 2)).toEqual([made, viewed])
    socket.terminate()
  })
})

// Uses a fresh clock, so that no cleanup is running.
onEachDatabase((database) => {
  test('expires no notification before the cleanup after five minutes', async () => {
    const stand = await startNotify(database.url)
    const { body } = await stand.ask('POST /notifications', { ...input, lifetime: ephemeral(stand.clock, 1000) })
    const status = async () => (await stand.ask(`GET /notifications/${body.id}`)).body.status
    stand.clock.tick(FIVE_MINUTES - 1)
    expect(await status()).toBe('Pending')
    stand.clock.tick(1)
    await eventually(async () => (await status()) === 'Expired')
    await stand.close()
  })
})
