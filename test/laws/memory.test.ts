import { expect, test } from 'vitest'
import { Desired, type Edit } from './desired.ts'
import { goneName } from './snapshot.ts'
import { manualChangesAreKept } from './laws/drift.ts'
import { resolutionsAreCorrect } from './laws/records.ts'
import { Situation } from './laws/situation.ts'
import { keyOf, noteChange, Notes, type Memory } from './memory.ts'
import type { Snapshot } from './snapshot.ts'

const agent = (name: string, model: string): Edit => ({
  edit: 'declare',
  kind: 'agents',
  name,
  source: 'default',
  file: 0,
  members: { model },
})

function memoryOf(...edits: Edit[]): Memory {
  const memory: Memory = {
    desired: new Desired(),
    hands: new Map(),
    handMade: new Map(),
    left: new Map(),
    names: new Map(),
    seenDrift: new Map(),
    notes: new Notes(),
    before: null,
  }
  memory.desired.commit(edits)
  return memory
}

const commit = (memory: Memory, ...edits: Edit[]) => noteChange(memory, () => memory.desired.commit(edits))

test('notes the fields of a resource that is removed and declared again', () => {
  const memory = memoryOf(agent('a1', 'm1'))
  commit(memory, { edit: 'remove', id: 'agents/a1' })
  commit(memory, agent('a1', 'm2'))
  expect([...memory.notes.moved]).toEqual([keyOf('agents/a1', 'model')])
})

test('notes the fields of a resource that was kept after its removal and is declared again', () => {
  const memory = memoryOf(agent('a1', 'm1'))
  commit(memory, { edit: 'remove', id: 'agents/a1' })
  memory.notes = new Notes()
  commit(memory, agent('a1', 'm2'))
  expect([...memory.notes.moved]).toEqual([keyOf('agents/a1', 'model')])
})

test('notes no field of a resource that is declared again without a change', () => {
  const memory = memoryOf(agent('a1', 'm1'))
  commit(memory, { edit: 'remove', id: 'agents/a1' })
  commit(memory, agent('a1', 'm1'))
  expect([...memory.notes.moved]).toEqual([])
})

test.each([
  ['a2', []],
  [goneName('a2'), []],
  ['a1', ['manual changes kept']],
  [goneName('a1'), ['manual changes kept']],
])('with a manual change to agent a2, live agent %s breaks %j', (live, laws) => {
  const memory = memoryOf(agent('a1', 'm1'), {
    edit: 'declare',
    kind: 'workflows',
    name: 'w1',
    source: 'default',
    file: 0,
    members: { agent: 'a1', prompt_template: 'do it' },
  })
  const hand = { id: 'workflows/w1' as const, member: 'agent', value: 'a2', actor: 'hand-1' }
  memory.hands.set(keyOf(hand.id, hand.member), hand)
  const running = { status: 'running', connected: true, activity: 'idle', mux_session: 's' } as const
  const now = {
    live: [
      { kind: 'agents', name: 'a1', liveId: 'i1', members: {}, agent: running },
      { kind: 'workflows', name: 'w1', liveId: 'i2', members: { agent: live }, agent: null },
    ],
    inventory: [
      { id: 'agents/a1', kind: 'agents', name: 'a1', live_id: 'i1' },
      { id: 'workflows/w1', kind: 'workflows', name: 'w1', live_id: 'i2' },
    ],
  } as unknown as Snapshot
  expect(manualChangesAreKept(new Situation(memory, now)).map(({ law }) => law)).toEqual(laws)
})

test.each([
  ['status', 'resolved', []],
  ['status', 'pruned', []],
  ['status', 'healed', ['drift resolution correct']],
  ['model', 'resolved', ['drift resolution correct']],
])('drift of %s that ends as %s, in a removed agent, breaks %j', (path, resolution, laws) => {
  const memory = memoryOf(agent('a1', 'm1'))
  const record = { kind: 'agents', name: 'a1', path, first_seen: 't1', actor: 'hand-1', resolution: null }
  memory.before = { drift: [record] } as unknown as Snapshot
  commit(memory, { edit: 'remove', id: 'agents/a1' })
  const now = { drift: [{ ...record, resolution }] } as unknown as Snapshot
  expect(resolutionsAreCorrect(new Situation(memory, now)).map(({ law }) => law)).toEqual(laws)
})
