import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { write } from '../../../platform/database/database.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { Outbox, createOutboxTable, type Channel, type OutboxEntry } from '../../../platform/store/outbox.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'

const DAY = 86_400_000

/** Records deliveries, or throws the configured error. */
class Receiver implements Channel {
  readonly timeoutMs = 10_000
  readonly taken: string[] = []
  readonly tried: string[] = []
  fails: string | null = null
  hold: number | null = null
  hangs = false
  constructor(readonly name: string) {}

  async deliver({ id, payload }: OutboxEntry, signal: AbortSignal): Promise<void> {
    this.tried.push(id)
    if (this.hangs) await new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error('cut'))))
    if (this.fails !== null) throw new Error(this.fails)
    this.taken.push(payload as string)
  }

  holdUntil(_entry: OutboxEntry, now: number): number | null {
    return this.hold !== null && this.hold > now ? this.hold : null
  }
}

onEachDatabase((database) => {
  let clock: TestClock
  let [left, right] = [new Receiver('left'), new Receiver('right')]
  let outbox: Outbox
  const open = (deduplicateMs = 0) =>
    new Outbox(
      { db: database.db, vault: Vault.ephemeral(), clock, log: noLog, ids: randomUUID },
      { prefix: 'post', channels: [left, right], deduplicateMs },
    )

  beforeAll(() => createOutboxTable(database.db, 'post'))
  beforeEach(async () => {
    await database.db('post_outbox').delete()
    clock = new TestClock()
    ;[left, right] = [new Receiver('left'), new Receiver('right')]
    outbox = open()
  })
  afterEach(() => outbox.stop())

  const put = async (payload: string, channels = ['left', 'right']) => {
    const told = { subject: payload, payload, digest: payload }
    await write(database.db, (transaction) => outbox.put(channels, told, transaction))
    outbox.wake()
  }
  const entries = async () => (await outbox.list({}, {}, (entry) => entry)).items
  const statuses = async () => (await entries()).map(({ status }) => status).sort()
  /** Advances time until the condition holds, because the duration of an attempt is not fixed. */
  const inTime = (holds: () => boolean | Promise<boolean>, step = 1000) =>
    eventually(async () => {
      clock.tick(step)
      return holds()
    })

  test('delivers each message once per channel, in order', async () => {
    outbox.start()
    for (const payload of ['a', 'b', 'c']) await put(payload)
    await eventually(async () => (await statuses()).every((status) => status === 'delivered'))
    expect([left.taken, right.taken]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
  })

  test('does not send a message that was rolled back', async () => {
    outbox.start()
    const told = { subject: 'x', payload: 'x', digest: 'x' }
    const undone = write(database.db, async (transaction) => {
      await outbox.put(['left'], told, transaction)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await put('y', ['left'])
    await eventually(() => left.taken.length === 1)
    expect(left.taken).toEqual(['y'])
  })

  test('retries a failing channel with the same id, without delaying others', async () => {
    left.fails = 'is away'
    outbox.start()
    for (const payload of ['a', 'b']) await put(payload)
    await eventually(() => right.taken.length === 2)
    await inTime(() => left.tried.length >= 6)
    expect(new Set(left.tried).size).toBe(2)
    expect((await entries()).filter(({ error }) => error === 'is away')).toHaveLength(2)
    left.fails = null
    await inTime(() => left.taken.length === 2, 60_000)
    expect(left.taken.toSorted()).toEqual(['a', 'b'])
  })

  test('backs off between attempts', async () => {
    left.fails = 'is away'
    outbox.start()
    await put('a', ['left'])
    const waits: number[] = []
    for (let attempts = 1; attempts <= 5; attempts++) {
      const entry = await eventually(async () => {
        const [found] = await entries()
        return found?.attempts === attempts && found
      })
      waits.push(Date.parse(entry.due_at) - clock.now())
      clock.tick(waits.at(-1)!)
      outbox.wake()
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000])
  })

  test('fails after three days, and can be retried', async () => {
    left.fails = 'is away'
    outbox.start()
    await put('a', ['left'])
    await eventually(() => left.tried.length === 1)
    await inTime(async () => (await statuses())[0] === 'failed', DAY)
    left.fails = null
    const [entry] = await entries()
    expect(await outbox.retry(entry!.id)).toMatchObject({ status: 'waiting', ended_at: null })
    await eventually(async () => (await statuses())[0] === 'delivered')
    await expect(outbox.retry(entry!.id)).rejects.toMatchObject({ status: 409 })
    await expect(outbox.retry(randomUUID())).rejects.toMatchObject({ status: 404 })
  })

  test('sends a message that a crashed process was sending', async () => {
    left.hangs = true
    outbox.start()
    await put('a', ['left'])
    await eventually(() => left.tried.length === 1)
    // The first outbox writes nothing more: its row stays claimed, as after a crash.
    const first = outbox
    outbox = open()
    left.hangs = false
    outbox.start()
    await inTime(() => left.taken.length === 1)
    await first.stop()
  })

  test('aborts an attempt on stop without counting it', async () => {
    left.hangs = true
    outbox.start()
    await put('a', ['left'])
    await eventually(() => left.tried.length === 1)
    await outbox.stop()
    expect(await entries()).toMatchObject([{ status: 'waiting', attempts: 0 }])
  })

  test('does not send a held message before its time', async () => {
    left.hold = clock.now() + DAY
    outbox.start()
    await put('a', ['left'])
    await eventually(async () => Date.parse((await entries())[0]!.due_at) === left.hold)
    expect(left.tried).toEqual([])
    await inTime(() => left.taken.length === 1, DAY / 4)
  })

  test('suppresses duplicates within the deduplication time', async () => {
    outbox = open(60_000)
    outbox.start()
    await put('a', ['left'])
    await put('a', ['left'])
    await put('b', ['left'])
    await eventually(async () => (await statuses()).join(' ') === 'delivered delivered suppressed')
    expect(left.taken).toHaveLength(2)
    clock.tick(60_000)
    await put('a', ['left'])
    await eventually(() => left.taken.length === 3)
  })

  test('sends each message once from two daemons', async () => {
    const second = open()
    for (let index = 0; index < 20; index++) await put(`n${index}`, ['left'])
    outbox.start()
    second.start()
    await eventually(async () => (await statuses()).every((status) => status === 'delivered'))
    await second.stop()
    expect(left.taken.length).toBe(20)
    expect(new Set(left.taken).size).toBe(20)
  })
})
