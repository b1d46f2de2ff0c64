// A daemon is killed while it writes: clients of the live socket resume without gap, duplicate or disorder.
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { Message } from '../../../../schemas/communicate/message.ts'
import { DaemonStand } from '../../../support/daemon.ts'
import { databaseOn, DATABASES } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { ask } from '../../../support/http.ts'
import { ResumingClient } from './live-client.ts'

const MESSAGES = 1000
const WRITERS = 4
const PATIENCE_MS = 120_000
const OPERATOR = { 'x-svc-actor': 'operator' }

const cleanups: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function startOn(kind: (typeof DATABASES)[number]): Promise<DaemonStand> {
  const { url, remove } = await databaseOn(kind)
  const stand = await DaemonStand.create({
    env: { SVC_DATABASE_URL: url, SVC_COMMUNICATE_SENDS_PER_SEC: '10000' },
  })
  cleanups.push(remove, () => stand.close())
  await stand.start()
  return stand
}

test.each(DATABASES)(
  'delivers each change once and in order over a kill, on %s',
  async (kind) => {
    const stand = await startOn(kind)
    const rooms = () => `${stand.urls.communicate!}/rooms`
    const { body: room } = await ask('POST', rooms(), { name: 'team', created_by: 'mira' }, OPERATOR)
    const topic = `room/${room.id as string}`
    const client = new ResumingClient(stand.urls.gateway!, topic)
    cleanups.push(() => client.stop())
    await client.start()
    let said = 0
    const say = async (content: string) => {
      const body = { sender_id: 'mira', content, message_id: randomUUID() }
      await eventually(
        async () => (await ask('POST', `${rooms()}/team/messages`, body, OPERATOR)).status === 201,
        PATIENCE_MS,
      )
      said++
    }
    const writer = async (number: number) => {
      for (let at = number; at < MESSAGES; at += WRITERS) await say(`m${at}`)
    }
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)))
    await eventually(() => said > MESSAGES / 2, PATIENCE_MS)
    await stand.stopBy('SIGKILL')
    await stand.start()
    await writing
    const stored: Message[] = (await ask('GET', `${rooms()}/team/messages`, undefined, OPERATOR)).body
    expect(stored).toHaveLength(MESSAGES)
    const last = `messages/${stored.at(-1)!.id}`
    await eventually(() => client.items.some(({ id }) => id === last), PATIENCE_MS)
    const sent = client.items.filter(({ id }) => id.startsWith('messages/'))
    expect(sent.map(({ item }) => (item as Message).content)).toEqual(stored.map(({ content }) => content))
    const numbers = client.items.map(({ seq }) => Number(seq!.split(':')[1]))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
    expect([client.gone, client.resumed]).toEqual([0, 1])
  },
  300_000,
)
