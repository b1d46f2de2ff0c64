import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { BridgeStand } from './fixture.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 })

let stand: BridgeStand
beforeEach(async () => {
  stand = await BridgeStand.create()
  await stand.start('communicate')
  await stand.start('orchestrator', { SVC_LIMIT_WAITING_MESSAGES: '3' })
})
afterEach(() => stand.close())

test('forwards no more messages of an agent than may wait, and reports it to the room once', async () => {
  await stand.room('team', ['mira'])
  const [ann, bob] = [await stand.agent('ann', ['team']), await stand.agent('bob', ['team'])]
  await stand.joined('team', ann, bob)
  await stand.ask('orchestrator', `POST /agents/${bob.id}/message`, { content: 'SLOW 600000' })
  const waiting = () => stand.db('orchestrator_prompts').where({ agent_id: bob.id, status: 'queued' }).pluck('content')
  for (let at = 1; at <= 6; at++) await stand.post('team', ann.id, `@bob, ${at}`)
  await stand.post('team', 'mira', '@bob, are you there?')
  await eventually(async () => (await waiting()).length === 4)
  expect(await waiting()).toEqual([
    '[Room: team] ann (agent): @bob, 1',
    '[Room: team] ann (agent): @bob, 2',
    '[Room: team] ann (agent): @bob, 3',
    '[Room: team] mira (human): @bob, are you there?',
  ])
  const notices = async () => (await stand.messages('team')).filter(({ metadata }) => metadata.source === 'notice')
  await eventually(async () => (await notices()).length > 0)
  expect(await stand.db('orchestrator_room_prompts').where({ kind: 'notice' })).toHaveLength(1)
  expect(await notices()).toMatchObject([
    {
      sender_id: ann.id,
      content: expect.stringMatching(
        /^not forwarded to bob: agent:ann has reached its limit of 3 waiting messages \(SVC_LIMIT_WAITING_MESSAGES\): wait/,
      ),
    },
  ])
})
