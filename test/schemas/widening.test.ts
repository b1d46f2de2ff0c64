import { describe, expect, test } from 'vitest'
import { agentKind, canonicalAgent } from '../../schemas/agent.ts'
import { commonMembers, type KindDefinition } from '../../schemas/kind.ts'
import { kinds } from '../../schemas/kinds.ts'
import { widenedMembers } from '../../schemas/members/widening.ts'
import { policyKind } from '../../schemas/policy.ts'
import { roomKind } from '../../schemas/room.ts'
import { workflowKind } from '../../schemas/workflow.ts'
import { sameSpec } from '../../controller/planning/masking.ts'

/** Canonical names of the fields that a manifest may have. */
function membersOf({ schema, spellings = {} }: KindDefinition<any>): string[] {
  const canonicalName = (written: string) =>
    Object.keys(spellings).find((name) => spellings[name]?.includes(written)) ?? written
  const written = Object.keys((schema as { properties: object }).properties)
  return [...new Set(written.filter((name) => !Object.hasOwn(commonMembers, name)).map(canonicalName))].sort()
}

test.each(kinds.map((kind) => [kind.kind, kind] as const))('every member of %s declares what widens it', (_, kind) => {
  expect(Object.keys(kind.widens ?? {}).sort()).toEqual(membersOf(kind))
})

const widened = (kind: KindDefinition<any>, before: object | null, after: object) =>
  widenedMembers(before as Record<string, unknown> | null, after as Record<string, unknown>, {
    widens: kind.widens,
    isSame: sameSpec,
  })

const agent = (members: object = {}) =>
  canonicalAgent(
    { name: 'a', working_dir: '/work', tool_policy: { mode: 'allow_list', tools: ['Read'] }, ...members },
    { restart: 'always' },
  )
const list = (...tools: string[]) => ({ mode: 'allow_list', tools })

describe('an agent', () => {
  test.each<[string, object, object]>([
    ['working_dir', {}, { working_dir: '/' }],
    ['user', { user: 'builder' }, {}],
    ['user', {}, { user: 'root' }],
    ['interactive', {}, { interactive: true }],
    ['runtime', {}, { runtime: 'command', command: undefined }],
    ['command', { command: ['a'] }, { command: ['b'] }],
    ['env', { env: { A: '1' } }, { env: { A: '2' } }],
    ['env', { env: { A: '1' } }, {}],
    ['additional_dirs', {}, { additional_dirs: ['/srv'] }],
    ['rooms', {}, { rooms: ['lobby'] }],
    ['rooms', { rooms: ['lobby'] }, { rooms: [{ name: 'lobby', role: 'admin' }] }],
    ['may', { may: ['apply'] }, { may: ['apply', 'approve'] }],
    ['max_cost_usd', { max_cost_usd: 5 }, { max_cost_usd: 6 }],
    ['max_cost_usd', { max_cost_usd: 5 }, {}],
    ['tool_policy', {}, { tool_policy: list('Read', 'Bash') }],
    ['tool_policy', {}, { tool_policy: { mode: 'allow_all' } }],
    ['tool_policy', { tool_policy: { mode: 'require_approval' } }, {}],
    [
      'tool_policy',
      { tool_policy: { mode: 'deny_list', tools: ['Bash', 'Write'] } },
      { tool_policy: { mode: 'deny_list', tools: ['Bash'] } },
    ],
  ])('widens with %s', (member, before, after) => {
    expect(widened(agentKind, agent(before), agent(after))).toEqual([member])
  })

  test.each<[string, object, object]>([
    ['the same', {}, {}],
    ['words', {}, { prompt: 'x', system_prompt: 'y', model: 'z', shell: 'bash', restart: 'never', worktree: true }],
    ['fewer directories', { additional_dirs: ['/srv'] }, {}],
    ['fewer guards', { may: ['apply', 'approve'] }, { may: ['apply'] }],
    ['a lower role', { rooms: [{ name: 'lobby', role: 'member' }] }, { rooms: [{ name: 'lobby', role: 'observer' }] }],
    ['a limit', {}, { max_cost_usd: 1, auto_clear_threshold: 1000 }],
    ['fewer tools', { tool_policy: list('Read', 'Bash') }, { tool_policy: list('Bash(git log *)') }],
    ['a policy that asks', { tool_policy: { mode: 'allow_all' } }, { tool_policy: { mode: 'require_approval' } }],
    ['a program again', { interactive: true }, {}],
  ])('does not widen with %s', (_, before, after) => {
    expect(widened(agentKind, agent(before), agent(after))).toEqual([])
  })

  test('widens when it is created', () => {
    expect(widened(agentKind, null, agent({ may: ['apply'] }))).toEqual([
      'working_dir',
      'tool_policy',
      'runtime',
      'may',
    ])
  })
})

test('a policy widens as a whole, whichever field changes', () => {
  const policy = (mode: string, ...tools: string[]) => ({ name: 'p', mode, tools, description: null })
  expect(widened(policyKind, policy('deny_list', 'Read'), policy('allow_list', 'Read'))).toEqual(['mode'])
  expect(widened(policyKind, policy('allow_list', 'Read'), policy('allow_list', 'Bash', 'Read'))).toEqual(['tools'])
  expect(widened(policyKind, policy('allow_list', 'Bash', 'Read'), policy('allow_list', 'Read'))).toEqual([])
  expect(widened(policyKind, policy('allow_all'), policy('deny_all'))).toEqual([])
  expect(widened(policyKind, null, policy('deny_all'))).toEqual([])
  expect(widened(policyKind, null, policy('allow_all'))).toEqual(['mode'])
})

test('a room widens with a participant, its kind, or a higher role', () => {
  const room = (...participants: object[]) => ({
    name: 'r',
    topic: null,
    description: null,
    type: 'group',
    participants,
  })
  const mia = { identifier: 'mia', kind: 'human', role: 'member', display_name: 'mia' }
  expect(widened(roomKind, room(mia), room({ ...mia, role: 'admin' }))).toEqual(['participants'])
  expect(widened(roomKind, room(mia), room({ ...mia, kind: 'agent' }))).toEqual(['participants'])
  expect(widened(roomKind, room(), room(mia))).toEqual(['participants'])
  expect(widened(roomKind, room(mia), room({ ...mia, role: 'observer', display_name: 'Mia' }))).toEqual([])
  expect(widened(roomKind, room(mia), room())).toEqual([])
})

test('a workflow widens with another agent, policy or trigger, and without its secret', () => {
  const workflow = (members: object = {}) => ({
    name: 'w',
    agent: 'a',
    trigger: { type: 'webhook', secret: '***1' },
    prompt_template: 'x',
    poll_interval_secs: 60,
    enabled: true,
    on_restart: null,
    tool_policy: { mode: 'auto' },
    ...members,
  })
  const after = (members: object) => widened(workflowKind, workflow(), workflow(members))
  expect(after({ agent: 'b' })).toEqual(['agent'])
  expect(after({ trigger: { type: 'webhook' } })).toEqual(['trigger'])
  expect(after({ trigger: { type: 'manual' } })).toEqual(['trigger'])
  expect(after({ trigger: { type: 'webhook', secret: '***2' } })).toEqual([])
  expect(after({ tool_policy: { mode: 'allow_list', tools: ['Read'] } })).toEqual(['tool_policy'])
  expect(after({ tool_policy: { mode: 'deny_all' }, prompt_template: 'y', enabled: false })).toEqual([])
})

describe('the match of a webhook', () => {
  const widens = (before: object | undefined, after: object | undefined) => {
    const spec = (match: object | undefined) => ({ trigger: { type: 'webhook', ...(match ? { match } : {}) } })
    return widened(workflowKind, spec(before), spec(after)).length === 1
  }
  const main = { event: 'push', payload: { ref: 'main' } }

  test.each<[string, object, object | undefined]>([
    ['is removed', main, undefined],
    ['loses a condition', main, { event: 'push' }],
    ['accepts another value', main, { event: ['push', 'ping'], payload: { ref: 'main' } }],
    ['compares another member', main, { event: 'push', payload: { other: 'main' } }],
    ['accepts a value of another type', { payload: { n: 1 } }, { payload: { n: '1' } }],
  ])('widens if it %s', (_, before, after) => {
    expect(widens(before, after)).toBe(true)
  })

  test.each<[string, object | undefined, object]>([
    ['is added', undefined, main],
    ['gets a condition', { event: 'push' }, main],
    ['accepts fewer values', { event: ['push', 'ping'] }, { event: 'push' }],
    ['is written as a list', { event: 'push' }, { event: ['push'] }],
  ])('does not widen if it %s', (_, before, after) => {
    expect(widens(before, after)).toBe(false)
  })
})

test('a field that declares nothing widens with every change', () => {
  expect(widenedMembers({ a: 1 }, { a: 2, name: 'x' }, { isSame: sameSpec })).toEqual(['a'])
})
