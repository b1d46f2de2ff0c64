// Proves that each law can fail, by manipulating the snapshot of a correct daemon.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plan } from '../../schemas/plan.ts'
import type { Drift } from '../../schemas/resource.ts'
import type { Edit } from './desired.ts'
import { violations } from './laws/index.ts'
import { Situation } from './laws/situation.ts'
import { keyOf, Notes, type Memory } from './memory.ts'
import { Player } from './play.ts'
import { settle } from './seed.ts'
import { liveOf, type Snapshot } from './snapshot.ts'

let player: Player
let seen: Snapshot
beforeAll(async () => {
  player = await Player.create()
  const edits: Edit[] = [
    { edit: 'declare', kind: 'policies', name: 'p', source: 'default', file: 0, members: { mode: 'deny_all' } },
    { edit: 'declare', kind: 'agents', name: 'a', source: 'second', file: 0, members: { model: 'm' } },
    { edit: 'declare', kind: 'workflows', name: 'w', source: 'second', file: 0, members: WORKFLOW },
  ]
  await player.take({ step: 'commit', edits })
  await settle(player)
  await player.take({ step: 'patch', id: 'agents/a', member: 'max_cost_usd', value: 7 })
  const settled = await settle(player)
  expect(settled.broken).toEqual([])
  seen = settled.seen
}, 120_000)
afterAll(() => player.stand.close())

const WORKFLOW = { agent: 'a', prompt_template: 'do it' }

type World = { memory: Memory; now: Snapshot }

function broken(change: (world: World) => void): string[] {
  const memory = { ...player.memory, hands: new Map(player.memory.hands), notes: new Notes(), before: seen }
  const now = structuredClone(seen)
  const world = { memory, now }
  change(world)
  return [...new Set(violations(new Situation(world.memory, world.now)).map(({ law }) => law))]
}

const agent = ({ now }: World) => liveOf(now, 'agents/a')!
const entry = ({ now }: World, id: string) => now.inventory.find((each) => each.id === id)!
const forget = (list: unknown[], one: unknown) => list.splice(list.indexOf(one), 1)
const record = ({ now }: World): Drift => now.drift[0]!
const steps = (world: World): Plan['steps'] => world.now.plans.second.steps

test('finds no violation in the state of a correct daemon', () => {
  expect(broken(() => undefined)).toEqual([])
})

const WRONG: Record<string, [law: string, change: (world: World) => void]> = {
  'a deleted unowned resource': [
    'unowned resources kept',
    ({ now }) =>
      forget(
        now.live,
        now.live.find(({ name }) => name === 'kept-policy'),
      ),
  ],
  'a changed unowned resource': [
    'unowned resources kept',
    ({ now }) => (now.live.find(({ name }) => name === 'kept-policy')!.members.mode = 'allow_all'),
  ],
  'an agent without a session': [
    'processes match records',
    (world) => delete world.now.panes[agent(world).agent!.mux_session],
  ],
  'a session without an agent': ['processes match records', ({ now }) => (now.panes['svc-orch-other'] = '1')],
  'a process outside a session': [
    'processes match records',
    ({ now }) => now.processes.push({ pid: '1', agentId: 'x' }),
  ],
  'a disconnected agent': ['processes match records', (world) => (agent(world).agent!.connected = false)],
  'a duplicate agent': ['no duplicates', (world) => world.now.live.push({ ...agent(world), liveId: 'other' })],
  'a live resource of unknown origin': [
    'no leftovers',
    (world) => world.now.live.push({ ...agent(world), name: 'other', liveId: 'other' }),
  ],
  'a new live id after a move between sources': [
    'moves keep the live id',
    (world) => {
      world.memory.before = structuredClone(seen)
      const was = world.memory.before.inventory.find(({ id }) => id === 'agents/a')!
      Object.assign(was, { source: 'default', live_id: 'other' })
    },
  ],
  'a restart without a reason': [
    'restarts have a reason',
    (world) => (world.now.panes[agent(world).agent!.mux_session] = '1'),
  ],
  'a prompt without a result': [
    'prompts complete',
    (world) => world.memory.notes.prompts.set(agent(world).liveId, { before: 0, accepted: 1 }),
  ],
  'a declared resource that is not owned': [
    'inventory',
    (world) => forget(world.now.inventory, entry(world, 'policies/p')),
  ],
  'a resource that is owned by the wrong source': [
    'inventory',
    (world) => (entry(world, 'policies/p').source = 'second'),
  ],
  'an inventory entry with the wrong file': [
    'inventory',
    (world) => (entry(world, 'policies/p').file = 'policies/q.yml'),
  ],
  'an owned resource that is not declared': [
    'inventory',
    (world) => world.now.inventory.push({ ...entry(world, 'policies/p'), id: 'policies/q', name: 'q' }),
  ],
  'a plan with an update': [
    'plan empty',
    (world) => steps(world).push({ ...STEP, kind: 'agents', name: 'a', action: 'update' }),
  ],
  'a plan with a deletion': [
    'plan empty',
    (world) => steps(world).push({ ...STEP, kind: 'agents', name: 'b', action: 'delete' }),
  ],
  'a run that never ends': ['runs end', ({ now }) => (now.runs[0]!.status = 'running')],
  'a source error without a fault': ['faults reported', ({ now }) => (now.sources[0]!.error = 'a fault')],
  'a value that neither a manifest nor a manual change set': [
    'live as desired',
    (world) => (agent(world).members.model = 'other'),
  ],
  'a lost manual change': ['manual changes kept', (world) => (agent(world).members.max_cost_usd = null)],
  'unrecorded drift': ['drift recorded once', ({ now }) => now.drift.splice(0)],
  'drift that is recorded twice': ['drift recorded once', (world) => world.now.drift.push({ ...record(world) })],
  'drift with the wrong actor': ['drift attributed', (world) => (record(world).actor = 'hand-0')],
  'drift by the controller': ['own changes are not drift', (world) => (record(world).actor = 'controller')],
  'an open drift record without a difference': [
    'drift closed',
    (world) => world.now.drift.push({ ...record(world), path: 'model' }),
  ],
  'open drift of a resource that is not owned': [
    'drift closed',
    (world) => world.now.drift.push({ ...record(world), name: 'b' }),
  ],
  'a deleted drift record': [
    'drift records kept',
    ({ memory }) => memory.seenDrift.set('x', { id: 'agents/a', path: 'model', actor: 'hand-1' }),
  ],
  'a drift record with the wrong resolution': [
    'drift resolution correct',
    (world) => {
      record(world).resolution = 'healed'
      world.memory.notes.hands.push({ id: 'agents/a', member: 'max_cost_usd', value: null, actor: 'hand-9' })
      world.memory.hands.delete(keyOf('agents/a', 'max_cost_usd'))
    },
  ],
}

const STEP = { reason: '', changes: [], file: null, line: null, column: null, interrupts: null }

test.each(Object.entries(WRONG))('detects %s', (_, [law, change]) => {
  expect(broken(change)).toContain(law)
})
