import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { services } from '../../daemon/services.ts'
import { asActor } from '../../platform/core/actor.ts'
import { roomReconciler } from '../../reconcilers/room.ts'
import { communicate } from '../../services/communicate/service.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startServices, type ServiceStand } from '../support/services.ts'
import { reconcilerContract, stepOf } from './contract.ts'

const mira = { actor: 'mira', requestId: 'r-9', endpoint: 'POST /rooms/{id}/participants' }
const operator = { names: ['operator'], isTrusted: true, isCertain: false, isAgent: false, isViewer: false }
const PLANNER = randomUUID()

const person = (identifier: string, role: 'member' | 'admin' | 'observer' = 'member') => ({
  identifier,
  kind: 'human' as const,
  role,
  display_name: identifier,
})
const specOf = (name: string) => ({
  name,
  topic: 'Hello',
  description: null,
  type: 'group' as const,
  participants: [person('ben'), person('mira', 'admin')],
})

onEachDatabase((database) => {
  let stand: ServiceStand
  afterAll(() => stand.close())
  const rooms = () => stand.host.find(communicate)!
  const lookup = {
    liveId: () => null,
    nameOf: (kind: string, id: string) => (kind === 'agents' && id === PLANNER ? 'planner' : null),
  }
  const asMira = <T>(work: () => Promise<T>) => asActor({ ...mira }, work)

  reconcilerContract(async () => {
    const served = services({ sources: [] }).filter(({ name }) => name === 'communicate')
    stand = await startServices(served, { url: database.url })
    return {
      reconciler: roomReconciler(rooms()),
      lookup,
      spec: specOf,
      changed: (spec) => ({ spec: { ...spec, topic: 'Changed' }, path: 'topic' }),
      byHand: async (liveId) => {
        await asMira(() => rooms().participants.remove(operator, liveId, 'ben'))
        return { path: 'participants[ben]', actor: 'mira' }
      },
      foreign: async (name) => void (await asMira(() => rooms().rooms.create(operator, { name, created_by: 'zoe' }))),
    }
  })

  const { signal } = new AbortController()
  const observe = async (liveId: string) =>
    (await roomReconciler(rooms()).observe({ name: '', liveId }, lookup, signal))!.spec

  test('ignores participants that declare the room themselves', async () => {
    const liveId = randomUUID()
    const spec = specOf('joined')
    await roomReconciler(rooms()).apply(stepOf('create', liveId, spec), lookup, signal)
    const stranger = randomUUID()
    for (const identifier of [PLANNER, stranger])
      await rooms().participants.add(operator, liveId, { identifier, kind: 'agent' })
    const identifiers = (await observe(liveId)).participants.map(({ identifier }) => identifier).sort()
    expect(identifiers).toEqual(['ben', 'mira', stranger].sort())
    const fewer = { ...spec, participants: [person('mira', 'admin')] }
    await roomReconciler(rooms()).apply(stepOf('update', liveId, fewer), lookup, signal)
    const left = (await rooms().participants.list(liveId, {})).items.map(({ identifier }) => identifier)
    expect(left.sort()).toEqual(['mira', PLANNER].sort())
  })

  test('publishes a changed role with path and actor', async () => {
    const liveId = randomUUID()
    await roomReconciler(rooms()).apply(stepOf('create', liveId, specOf('roles')), lookup, signal)
    await asMira(() => rooms().participants.setRole(operator, liveId, 'ben', 'observer'))
    expect((await observe(liveId)).participants).toContainEqual(person('ben', 'observer'))
    expect(await rooms().declared.writer(liveId, 'participants[ben].role')).toMatchObject({ actor: 'mira' })
  })

  test('removes participants before making a room direct, in one write', async () => {
    const liveId = randomUUID()
    const three = { ...specOf('to-direct'), participants: [person('ben'), person('kim'), person('mira', 'admin')] }
    await roomReconciler(rooms()).apply(stepOf('create', liveId, three), lookup, signal)
    const two = { ...specOf('to-direct'), type: 'direct' as const }
    await roomReconciler(rooms()).apply(stepOf('update', liveId, two), lookup, signal)
    expect(await observe(liveId)).toEqual(two)
  })

  test('does not change with messages', async () => {
    const liveId = randomUUID()
    await roomReconciler(rooms()).apply(stepOf('create', liveId, specOf('talkative')), lookup, signal)
    const { version } = await rooms().declared.inspect(liveId)
    await rooms().post(operator, liveId, { sender_id: 'ben', content: 'Hello' })
    expect((await rooms().declared.inspect(liveId)).version).toBe(version)
  })
})
