// Every law can be broken: what a real daemon shows holds them all, and each way of being wrong breaks the one it is of.
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

/** The laws that are broken once `change` has made something wrong of what was seen. */
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

test('what a daemon shows that keeps the laws breaks none', () => {
  expect(broken(() => undefined)).toEqual([])
})

const WRONG: Record<string, [law: string, change: (world: World) => void]> = {
  'what a person made is gone': [
    'unowned lives',
    ({ now }) =>
      forget(
        now.live,
        now.live.find(({ name }) => name === 'kept-policy'),
      ),
  ],
  'what a person made is changed': [
    'unowned lives',
    ({ now }) => (now.live.find(({ name }) => name === 'kept-policy')!.members.mode = 'allow_all'),
  ],
  'an agent on record has no session': [
    'on record',
    (world) => delete world.now.panes[agent(world).agent!.mux_session],
  ],
  'a session is of no agent on record': ['on record', ({ now }) => (now.panes['svc-orch-other'] = '1')],
  'a process lives beside its session': ['on record', ({ now }) => now.processes.push({ pid: '1', agentId: 'x' })],
  'an agent is not connected': ['on record', (world) => (agent(world).agent!.connected = false)],
  'an agent is there twice': ['one of each', (world) => world.now.live.push({ ...agent(world), liveId: 'other' })],
  'what nobody made is live': [
    'nothing left over',
    (world) => world.now.live.push({ ...agent(world), name: 'other', liveId: 'other' }),
  ],
  'what was moved is another': [
    'moving keeps it live',
    (world) => {
      world.memory.before = structuredClone(seen)
      const was = world.memory.before.inventory.find(({ id }) => id === 'agents/a')!
      Object.assign(was, { source: 'default', live_id: 'other' })
    },
  ],
  'a process is another for no reason': [
    'started for a reason',
    (world) => (world.now.panes[agent(world).agent!.mux_session] = '1'),
  ],
  'a prompt has no result': [
    'work respected',
    (world) => world.memory.notes.prompts.set(agent(world).liveId, { before: 0, accepted: 1 }),
  ],
  'what is declared is not owned': ['inventory', (world) => forget(world.now.inventory, entry(world, 'policies/p'))],
  'another source owns what is declared': ['inventory', (world) => (entry(world, 'policies/p').source = 'second')],
  'another file declares it': ['inventory', (world) => (entry(world, 'policies/p').file = 'policies/q.yml')],
  'what nobody declares is owned': [
    'inventory',
    (world) => world.now.inventory.push({ ...entry(world, 'policies/p'), id: 'policies/q', name: 'q' }),
  ],
  'something is left to do': [
    'plan empty',
    (world) => steps(world).push({ ...STEP, kind: 'agents', name: 'a', action: 'update' }),
  ],
  'something is left to delete': [
    'plan empty',
    (world) => steps(world).push({ ...STEP, kind: 'agents', name: 'b', action: 'delete' }),
  ],
  'a run never ends': ['runs end', ({ now }) => (now.runs[0]!.status = 'running')],
  'a fault is said where there is none': ['faults said', ({ now }) => (now.sources[0]!.error = 'a fault')],
  'a member is as neither a manifest nor a hand says': [
    'live as desired',
    (world) => (agent(world).members.model = 'other'),
  ],
  'what a hand wrote is gone': ['hand writes kept', (world) => (agent(world).members.max_cost_usd = null)],
  'drift is not on record': ['drift recorded once', ({ now }) => now.drift.splice(0)],
  'drift is on record twice': ['drift recorded once', (world) => world.now.drift.push({ ...record(world) })],
  'drift is in the name of another': ['drift attributed', (world) => (record(world).actor = 'hand-0')],
  'what we did ourselves is drift': ['nothing of ours is drift', (world) => (record(world).actor = 'controller')],
  'drift that ended is open': ['drift closed', (world) => world.now.drift.push({ ...record(world), path: 'model' })],
  'drift of what is not owned is open': [
    'drift closed',
    (world) => world.now.drift.push({ ...record(world), name: 'b' }),
  ],
  'a record is gone': [
    'drift stays on record',
    ({ memory }) => memory.seenDrift.set('x', { id: 'agents/a', path: 'model', actor: 'hand-1' }),
  ],
  'a record says another end': [
    'drift closed as it ended',
    (world) => {
      record(world).resolution = 'healed'
      world.memory.notes.hands.push({ id: 'agents/a', member: 'max_cost_usd', value: null, actor: 'hand-9' })
      world.memory.hands.delete(keyOf('agents/a', 'max_cost_usd'))
    },
  ],
}

const STEP = { reason: '', changes: [], file: null, line: null, column: null, interrupts: null }

test.each(Object.entries(WRONG))('broken where %s', (_, [law, change]) => {
  expect(broken(change)).toContain(law)
})
