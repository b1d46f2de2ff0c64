import { expect, test } from 'vitest'
import type { WorkflowRecord } from '../../../../schemas/workflow/record.ts'
import {
  costText,
  firingText,
  matchingRows,
  occasionText,
  tookText,
  untilText,
  workflowRow,
  workflowRows,
} from '../../../../web/screens/workflows/rows.ts'
import { triggerFacts } from '../../../../web/screens/workflows/trigger-facts.ts'

const workflow = (more: object = {}) =>
  ({
    id: 'w1',
    name: 'nightly-deps',
    agent_id: 'a1',
    enabled: true,
    trigger_config: { type: 'manual' },
    poll_interval_secs: 60,
    warnings: [],
    last_error: null,
    ...more,
  }) as unknown as WorkflowRecord
const agents = new Map([
  ['a1', { name: 'builder', status: 'running' as const }],
  ['a2', { name: 'idler', status: 'stopped' as const }],
])

test('names the fault of a workflow before its rest', () => {
  const wordOf = (more: object) => {
    const { section, state, word } = workflowRow(workflow(more), agents)
    return [section, state, word]
  }
  expect(wordOf({})).toEqual(['Enabled', 'ready', 'enabled'])
  expect(wordOf({ enabled: false, last_error: 'x' })).toEqual(['Disabled', 'suspended', 'disabled'])
  expect(wordOf({ last_error: 'the forge answers 403' })).toEqual(['Faults', 'failed', 'trigger fails'])
  expect(wordOf({ agent_id: 'gone' })).toEqual(['Faults', 'question', 'agent missing'])
  expect(wordOf({ agent_id: 'a2' })).toEqual(['Faults', 'pending', 'agent stopped'])
  expect(wordOf({ warnings: ['unknown variable'] })).toEqual(['Faults', 'warning', 'warning'])
})

test('reports no missing agent while agents are read', () => {
  expect(workflowRow(workflow(), null)).toMatchObject({ section: 'Enabled', agent: null })
})

test('sorts by section, then by name', () => {
  const rows = workflowRows(
    [
      workflow({ name: 'b' }),
      workflow({ name: 'off', enabled: false }),
      workflow({ name: 'a' }),
      workflow({ name: 'z', last_error: 'x' }),
    ],
    agents,
  )
  expect(rows.map((row) => row.workflow.name)).toEqual(['z', 'a', 'b', 'off'])
})

test('filters by words of name, agent, trigger and state', () => {
  const rows = workflowRows([workflow(), workflow({ name: 'off', enabled: false })], agents)
  const found = (query: string) => matchingRows(rows, query).map((row) => row.workflow.name)
  expect([found('BUILDER nightly'), found('disabled'), found(''), found('nothing')]).toEqual([
    ['nightly-deps'],
    ['off'],
    ['nightly-deps', 'off'],
    [],
  ])
})

test('says on what occasion a trigger without a time fires', () => {
  const of = (type: string, enabled = true) => occasionText(workflow({ trigger_config: { type }, enabled }))
  expect([of('queue'), of('manual'), of('cron'), of('manual', false)]).toEqual(['on task', 'by hand', '', ''])
})

test('prints times of firings', () => {
  expect([untilText(11 * 3_600_000), untilText(0), untilText(-5)]).toEqual(['in 11 h', 'due', 'due'])
  const at = Date.parse('2026-11-26T01:30:00Z')
  expect(firingText(at, 'Europe/Vienna')).toBe('Thu 26 Nov, 02:30')
  expect(firingText(at, 'No/Where')).toBe(firingText(at))
})

test('prints duration and cost of a dispatch', () => {
  const at = (ms: number) => new Date(ms).toISOString()
  expect(tookText({ dispatched_at: at(0), completed_at: at(41_000) })).toBe('41 s')
  expect(tookText({ dispatched_at: null, completed_at: at(5) })).toBe('')
  expect([costText({ usage: { total_cost_usd: 0.613 } }), costText({ usage: null }), costText({ usage: {} })]).toEqual([
    '$0.61',
    '',
    '',
  ])
})

test('puts the fields of a trigger into words', () => {
  const facts = (trigger_config: object) => triggerFacts(workflow({ trigger_config }))
  expect(facts({ type: 'cron', expression: '30 2 * * *', timezone: 'UTC', catch_up: 'last' })).toEqual([
    ['cron', '30 2 * * *'],
    ['zone', 'UTC'],
    ['missed', 'the latest missed firing runs late'],
  ])
  expect(facts({ type: 'webhook' })).toEqual([['secret', 'not set']])
  expect(facts({ type: 'webhook', secret: '***' })).toEqual([['secret', 'set']])
  expect(facts({ type: 'queue', queue_name: 'mail', poll_interval_secs: 5 })).toEqual([['polls', 'every 5 s']])
  expect(facts({ type: 'forge_issues', owner: 'acme', labels: ['bug', 'ci'] })).toEqual([
    ['owner', 'acme'],
    ['labels', 'bug\nci'],
    ['polls', 'every 60 s'],
  ])
  expect(facts({ type: 'later', some_field: { a: 1 } })).toEqual([['some field', 'a: 1']])
})
