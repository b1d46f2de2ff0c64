import { expect, test } from 'vitest'
import { agentKind } from '../../schemas/agent.ts'
import type { ManifestContext } from '../../schemas/kind.ts'
import { roomKind } from '../../schemas/room.ts'

const context = (rooms: Record<string, unknown> = {}): ManifestContext => ({
  directory: '/',
  project: '/',
  home: '/home/mira',
  defaultSandbox: 'auto',
  pathFault: () => null,
  worktreeBase: () => null,
  directoryFault: () => null,
  readText: () => ({ fault: 'unreadable' }),
  resolve: () => undefined,
  lookUp: (kind, name) => (kind === 'rooms' ? rooms[name] : undefined),
  placeOf: () => null,
})

test('sorts participants and fills in defaults', () => {
  const short = { name: 'lobby', participants: [{ identifier: 'mira', role: 'admin' }, { identifier: 'ben' }] }
  expect(roomKind.canonicalise(short, context())).toEqual({
    name: 'lobby',
    topic: null,
    description: null,
    type: 'group',
    participants: [
      { identifier: 'ben', kind: 'human', role: 'member', display_name: 'ben' },
      { identifier: 'mira', kind: 'human', role: 'admin', display_name: 'mira' },
    ],
  })
})

test('rejects a participant listed twice, with both positions and roles', () => {
  const participants = [{ identifier: 'ben' }, { identifier: 'mira' }, { identifier: 'ben', role: 'observer' }]
  expect(roomKind.check({ name: 'lobby', participants }, context())).toMatchObject([
    {
      path: ['participants', 2, 'identifier'],
      message: expect.stringMatching(/participants\[0\] as member.*observer/),
    },
  ])
})

test('rejects more than two participants in a direct room', () => {
  const participants = ['a', 'b', 'c'].map((identifier) => ({ identifier }))
  expect(roomKind.check({ name: 'pair', type: 'direct', participants }, context())).toHaveLength(1)
  expect(roomKind.check({ name: 'pair', type: 'direct', participants: participants.slice(1) }, context())).toEqual([])
})

test('rejects different roles of an agent in two manifests', () => {
  const room = { name: 'lobby', participants: [{ identifier: 'worker', kind: 'agent', role: 'observer' }] }
  const rooms = { lobby: roomKind.canonicalise(room, context()) }
  const agent = (membership: unknown) => ({ name: 'worker', working_dir: '/', rooms: [membership] })
  expect(agentKind.check(agent('lobby'), context(rooms))).toMatchObject([
    {
      path: ['rooms', 0],
      message: 'agent "worker" is member of room "lobby" here, and observer at participants[worker] of rooms/lobby',
    },
  ])
  expect(agentKind.check(agent({ name: 'lobby', role: 'observer' }), context(rooms))).toEqual([])
  expect(agentKind.check({ ...agent('lobby'), name: 'other' }, context(rooms))).toEqual([])
})
