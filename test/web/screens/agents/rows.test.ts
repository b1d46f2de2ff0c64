import { expect, test } from 'vitest'
import type { AgentRecord } from '../../../../schemas/agent/record.ts'
import type { InboxItem } from '../../../../schemas/gateway/inbox.ts'
import { agentCounts, agentRows, matching } from '../../../../web/screens/agents/rows.ts'

const agent = (name: string, more: Partial<AgentRecord> = {}): AgentRecord =>
  ({
    id: name,
    name,
    status: 'running',
    activity: 'idle',
    connected: true,
    last_error: null,
    warnings: [],
    config: { runtime: 'scripted', interactive: false, working_dir: '/srv/shop' },
    ...more,
  }) as unknown as AgentRecord
const request = (name: string) =>
  ({
    kind: 'approval',
    id: `approval/${name}`,
    title: [{ quoted: name, by: null }, { text: ' requests ' }],
  }) as InboxItem

const team = [
  agent('api'),
  agent('broken', { status: 'failed', last_error: 'exit code 3' }),
  agent('away', { connected: false }),
  agent('planner', { activity: 'busy' }),
  agent('builder', { activity: 'busy' }),
  agent('old', {
    status: 'stopped',
    config: { runtime: 'scripted', interactive: false, working_dir: '/srv/old' } as never,
  }),
]
const rows = agentRows(team, [request('builder')])

test('shows requests first, then busy agents, then faults', () => {
  expect(rows.map(({ agent: { name }, section, state }) => [name, section, state])).toEqual([
    ['builder', 'Waiting for you', 'decision'],
    ['planner', 'Busy', 'busy'],
    ['broken', 'Idle, faults first', 'failed'],
    ['away', 'Idle, faults first', 'unknown'],
    ['api', 'Idle, faults first', 'ready'],
    ['old', 'Stopped', 'empty'],
  ])
})

test('counts agents by section', () => {
  expect(agentCounts(rows)).toBe('6: 3 idle, 1 busy, 1 waiting for you, 1 stopped')
  expect(agentCounts([])).toBe('0')
})

test('filters by state, runtime and name', () => {
  const names = (query: string) => matching(rows, query).map(({ agent: { name } }) => name)
  expect(names('is:busy')).toEqual(['builder', 'planner'])
  expect(names('is:failed')).toEqual(['broken'])
  expect(names('runtime:scripted AP')).toEqual(['api'])
  expect(names('runtime:codex')).toEqual([])
  expect(names('/srv/old')).toEqual(['old'])
})

test('assigns no request to one of two agents with the same name', () => {
  const twins = [agent('api'), { ...agent('api'), id: 'other' }]
  expect(agentRows(twins, [request('api')]).map(({ request: found }) => found)).toEqual([null, null])
})

test('expects no connection of an interactive agent', () => {
  const [row] = agentRows([agent('shell', { connected: false, config: { interactive: true } as never })], [])
  expect(row!.state).toBe('ready')
})
