import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AgentRecord } from '../../../../schemas/agent.ts'
import type { Room } from '../../../../schemas/communicate/room.ts'
import { eventually } from '../../../support/eventually.ts'
import { BridgeStand } from './fixture.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 })

let stand: BridgeStand
beforeEach(async () => {
  stand = await BridgeStand.create()
  await stand.start('communicate')
  await stand.start('orchestrator')
})
afterEach(() => stand.close())

const roomsOf = async ({ id }: AgentRecord) =>
  (await stand.ask<AgentRecord>('orchestrator', `GET /agents/${id}`)).config.rooms

test('prompts only the mentioned agent, and no agent for a notice', async () => {
  await stand.room('team', ['mira', 'ben'])
  const [ann, bob, cyd] = [
    await stand.agent('ann', ['team']),
    await stand.agent('bob', ['team']),
    await stand.agent('cyd', ['team']),
  ]
  await stand.joined('team', ann, bob, cyd)
  await stand.post('team', 'mira', 'Nobody is meant, bob')
  await stand.post('team', 'mira', 'Write to ops@bob, run `@bob`, see http://example.org/@bob; \\@bob')
  const asked = await stand.post('team', 'ben', 'What do you say, @bob?')
  const [answer] = await eventually(async () =>
    (await stand.answers('team')).length > 0 ? stand.answers('team') : null,
  )
  expect(answer).toMatchObject({
    sender_id: bob.id,
    sender_name: 'bob',
    sender_kind: 'agent',
    reply_to: asked.id,
    content: expect.stringContaining('[Room: team] ben (human): What do you say, @bob?'),
    metadata: { source: 'agent_response', hops: 1 },
  })
  await stand.settled()
  const said = { sender_id: 'mira', content: '@all listen', metadata: { source: 'notice' } }
  await stand.ask('communicate', 'POST /rooms/team/messages', said)
  const last = await stand.post('team', 'mira', '@cyd and you?')
  await eventually(async () => (await stand.answers('team')).some(({ reply_to }) => reply_to === last.id))
  await stand.settled()
  // The scripted agent repeats the prompt and so mentions itself.
  expect((await stand.answers('team')).map(({ sender_name }) => sender_name)).toEqual(['bob', 'cyd'])
})

test('shows the agents that a message would wake', async () => {
  await stand.room('team', ['mira'])
  const [ann, bob] = [
    await stand.agent('ann', ['team']),
    await stand.agent('bob', [{ name: 'team', respond: 'always' }]),
  ]
  await stand.joined('team', ann, bob)
  const wakes = async (body: object, room = 'team') =>
    (await stand.ask('orchestrator', `POST /rooms/${room}/wakes`, body)).agents.map(({ name }: AgentRecord) => name)
  expect(await wakes({ content: 'hello' })).toEqual(['bob'])
  expect((await wakes({ content: '@ann and `@bob`' })).sort()).toEqual(['ann', 'bob'])
  expect(await wakes({ content: '@all', sender_id: bob.id })).toEqual(['ann'])
  await expect(wakes({ content: 'x' }, 'nowhere')).rejects.toThrow('404')
  await stand.settled()
  expect(await stand.messages('team')).toEqual([])
})

test('prompts a lone agent, or one with respond: always, for every message', async () => {
  await stand.room('office', ['mira'])
  const ann = await stand.agent('ann', ['office'])
  await stand.joined('office', ann)
  await stand.post('office', 'mira', 'Hello')
  await eventually(async () => (await stand.answers('office')).length === 1)
  const bob = await stand.agent('bob', [{ name: 'office', respond: 'always' }])
  await stand.joined('office', bob)
  const second = await stand.post('office', 'mira', 'And now?')
  await eventually(async () => (await stand.answers('office')).some(({ reply_to }) => reply_to === second.id))
  await stand.settled()
  const answers = (await stand.answers('office')).filter(({ reply_to }) => reply_to === second.id)
  expect(answers.map(({ sender_name }) => sender_name)).toEqual(['bob'])
})

test('does not deliver messages older than the retained history again', async () => {
  await stand.room('office', ['mira'])
  const ann = await stand.agent('ann', ['office'])
  await stand.joined('office', ann)
  const first = await stand.post('office', 'mira', 'Hello')
  await eventually(async () => (await stand.answers('office')).length === 1)
  await stand.settled()
  const old = '2020-01-01T00:00:00.000Z'
  await stand.roomsDb('communicate_participants').update({ joined_at: old })
  await stand.roomsDb('communicate_messages').where({ id: first.id }).update({ created_at: old })
  await stand.db('orchestrator_room_prompts').delete()
  await stand.db('orchestrator_room_cursors').delete()
  const second = await stand.post('office', 'mira', 'And now?')
  await eventually(async () => (await stand.answers('office')).some(({ reply_to }) => reply_to === second.id))
  await stand.settled()
  expect((await stand.answers('office')).map(({ reply_to }) => reply_to)).toEqual([first.id, second.id])
})

test('deletes the read position together with the room', async () => {
  await stand.room('office', ['mira'])
  await stand.room('attic', ['mira'])
  const ann = await stand.agent('ann', ['office', 'attic'])
  await stand.joined('office', ann)
  await stand.joined('attic', ann)
  for (const room of ['office', 'attic']) await stand.post(room, 'mira', 'Hello')
  const read = () => stand.db('orchestrator_room_cursors')
  await eventually(async () => (await read()).length === 2)
  await stand.ask('communicate', 'DELETE /rooms/attic')
  await eventually(async () => (await read()).length === 1)
})

test('stops two agents answering each other after four hops, with a notice', async () => {
  await stand.room('loop', ['mira'])
  const [ann, bob] = [
    await stand.agent('ann', [{ name: 'loop', respond: 'always' }]),
    await stand.agent('bob', [{ name: 'loop', respond: 'always' }]),
  ]
  await stand.joined('loop', ann, bob)
  await stand.ask('communicate', 'PATCH /rooms/loop', { topic: 'Ping' })
  await stand.post('loop', 'mira', 'Go')
  const notices = async () => (await stand.messages('loop')).filter(({ metadata }) => metadata.source === 'notice')
  await eventually(async () => (await notices()).length === 2, 30_000)
  await stand.settled()
  const hops = (await stand.answers('loop')).map(
    ({ sender_name, metadata }) => `${sender_name} ${String(metadata.hops)}`,
  )
  expect(hops.sort()).toEqual(['ann', 'bob'].flatMap((name) => [1, 2, 3, 4].map((hop) => `${name} ${hop}`)))
  expect((await notices())[0]!.content).toContain('stopped after 4 hops')
})

test.each([
  ['in another room', {}],
  ['as an answer to nothing', { source: 'agent_response', hops: 1 }],
] as [string, Record<string, unknown>][])(
  'prompts no agent when one at the hop limit speaks %s',
  async (_how, metadata) => {
    await stand.room('here', ['mira'])
    await stand.room('there', ['mira'])
    const [ann, bob] = [
      await stand.agent('ann', ['here', 'there']),
      await stand.agent('bob', [{ name: 'there', respond: 'always' }]),
    ]
    await stand.joined('here', ann)
    await stand.joined('there', ann, bob)
    const { id: room_id } = await stand.ask<Room>('communicate', 'GET /rooms/here')
    await stand.db('orchestrator_room_prompts').insert({
      id: randomUUID(),
      agent_id: ann.id,
      sender_id: ann.id,
      room_id,
      message_id: randomUUID(),
      kind: 'reply',
      hops: 4,
      status: 'waiting',
      created_at: new Date().toISOString(),
    })
    const said = { sender_id: ann.id, content: 'And you, bob?', metadata }
    await stand.ask('communicate', 'POST /rooms/there/messages', said)
    const notice = await eventually(async () =>
      (await stand.messages('there')).find(({ metadata: { source } }) => source !== metadata.source && source),
    )
    expect(notice).toMatchObject({ content: expect.stringContaining('stopped after 4 hops') })
    expect(await stand.db('orchestrator_prompts').where({ agent_id: bob.id, kind: 'message' })).toEqual([])
  },
)

test('delivers messages to a busy agent in order and once, across restarts', async () => {
  await stand.room('queue', ['mira'])
  const ann = await stand.agent('ann', ['queue'])
  await stand.joined('queue', ann)
  for (let at = 0; at < 10; at++) await stand.post('queue', 'mira', `m${at}`)
  await stand.stop('orchestrator')
  for (let at = 10; at < 250; at++) await stand.post('queue', 'mira', `m${at}`)
  await stand.stop('communicate')
  await stand.start('orchestrator')
  await stand.start('communicate')
  for (let at = 250; at < 260; at++) await stand.post('queue', 'mira', `m${at}`)
  const given = async () =>
    (await stand.db('orchestrator_prompts').where({ agent_id: ann.id }).orderBy('seq').pluck('content')) as string[]
  await eventually(async () => (await given()).length >= 260, 40_000)
  const wanted = Array.from({ length: 260 }, (_each, at) => `[Room: queue] mira (human): m${at}`)
  expect(await given()).toEqual(wanted)
})

test('joins rooms that become available after the agent starts', async () => {
  await stand.stop('communicate')
  const ann = await stand.agent('ann', ['late'])
  await stand.start('communicate')
  await stand.room('late', ['mira'])
  await stand.joined('late', ann)
  await stand.post('late', 'mira', 'Hello')
  await eventually(async () => (await stand.answers('late')).length === 1)
})

test('applies config roles to rooms and room changes to the config', async () => {
  await stand.room('ruled', ['mira'])
  await stand.room('other', ['mira'])
  const ann = await stand.agent('ann', [{ name: 'ruled', role: 'observer' }])
  await stand.joined('ruled', ann)
  const role = async () => (await stand.participants('ruled')).find(({ identifier }) => identifier === ann.id)?.role
  expect(await role()).toBe('observer')
  await stand.ask('orchestrator', `PATCH /agents/${ann.id}`, { config: { rooms: [{ name: 'ruled', role: 'admin' }] } })
  await eventually(async () => (await role()) === 'admin')
  await stand.ask('communicate', `PATCH /rooms/ruled/participants/${ann.id}`, { role: 'member' })
  await eventually(async () => (await roomsOf(ann))[0]?.role === 'member')
  await stand.ask('communicate', 'POST /rooms/other/participants', { identifier: ann.id, kind: 'agent' })
  await eventually(async () => (await roomsOf(ann)).length === 2)
  await stand.ask('communicate', `DELETE /rooms/ruled/participants/${ann.id}`)
  await eventually(async () => (await roomsOf(ann)).map(({ name }) => name).join() === 'other')
  const rows = await stand.db('orchestrator_audit').where({ resource_id: ann.id }).orderBy('seq')
  expect(rows.filter(({ actor }) => actor === 'operator').map(({ field }) => field)).toContain('rooms[ruled]')
  await stand.ask('orchestrator', `DELETE /agents/${ann.id}?purge=true`)
  await eventually(async () => (await stand.participants('other')).length === 1)
})
