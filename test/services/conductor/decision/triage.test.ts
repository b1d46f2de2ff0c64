import { describe, expect, test } from 'vitest'
import { inputOf, issue, pullRequest } from '../snapshots.ts'
import { drive, dryLines, linesOf, replyTo } from './driver.ts'

const unlabelled = (count: number) =>
  Array.from({ length: count }, (_, index) => issue({ number: index + 1, labels: [] }))

describe('step 2', () => {
  test('labels issues without labels, lowest number first', () => {
    const issues = [issue({ number: 3, labels: [] }), issue({ number: 2 }), issue({ number: 1, labels: [] })]
    expect(dryLines(inputOf({ issues }))).toEqual(['2 add-label #1 needs-triage', '2 add-label #3 needs-triage'])
  })

  test('leaves pull requests without labels unchanged', () => {
    expect(dryLines(inputOf({ pullRequests: [pullRequest({ labels: [], verdicts: [] })] }))).toEqual([])
  })

  test('changes three issues without a lock', () => {
    expect(dryLines(inputOf({ issues: unlabelled(3) })).filter((line) => line.includes('lock'))).toEqual([])
  })

  test('changes four issues under a lock', () => {
    const run = drive(inputOf({ issues: unlabelled(4) }))
    expect(linesOf(run).map((line) => line.split(' #')[0])).toEqual([
      '2 lock',
      ...Array.from({ length: 4 }, () => '2 add-label'),
      '2 unlock',
    ])
    expect(run.acts[0]).toMatchObject({ room: 'engineering', text: '[LOCK] acme/shop: 4 issues, step 2' })
    expect(run.acts[5]?.text).toMatch(/^\[UNLOCK\] acme\/shop/)
  })

  test.each([
    ['another participant holds the lock', 'held', 'ok'],
    ['the room is missing', 'missing', 'degraded'],
    ['the room refuses the lock', 'refused', 'degraded'],
    ['the lock fails', 'error', 'degraded'],
  ] as const)('is left out if %s', (_, code, health) => {
    const issues = [...unlabelled(4), issue({ number: 9, labels: ['triaged'] })]
    const run = drive(inputOf({ issues }), replyTo('2 lock', { outcome: 'failed', code }))
    expect(linesOf(run)).toEqual(['2 lock', '3 add-label #9 agent'])
    expect(run.health).toBe(health)
  })

  test('unlocks after failed changes', () => {
    const run = drive(inputOf({ issues: unlabelled(4) }), (request) =>
      'act' in request && request.act.action === 'add-label' ? { outcome: 'failed', code: 'error' } : undefined,
    )
    expect(linesOf(run).at(-1)).toBe('2 unlock')
    expect(run.counts.needs_triage).toBe(0)
    expect(run.health).toBe('degraded')
  })
})

describe('step 3', () => {
  test('dispatches triaged issues without an agent', () => {
    expect(dryLines(inputOf({ issues: [issue({ labels: ['triaged'] })] }))).toEqual(['3 add-label #1 agent'])
  })

  test('ignores needs-triage beside triaged', () => {
    const issues = [issue({ labels: ['triaged', 'needs-triage'] })]
    expect(dryLines(inputOf({ issues }))).toEqual(['3 add-label #1 agent'])
  })

  test.each([
    'agent',
    'plan-agent',
    'docs-agent',
    'enrich-agent',
    'test-agent',
    'refactor-agent',
    'research-agent',
    'security-agent',
  ])('leaves a triaged issue with %s unchanged', (label) => {
    const issues = [issue({ labels: ['triaged', { name: label, since: Date.parse('2026-03-02T11:00:00Z') }] })]
    expect(dryLines(inputOf({ issues }))).toEqual([])
  })

  test('holds large issues without a plan', () => {
    const large = issue({ number: 1, labels: ['triaged', 'complexity:large'] })
    const planned = issue({ number: 2, labels: ['triaged', 'complexity:large', 'plan'] })
    expect(dryLines(inputOf({ issues: [large, planned] }))).toEqual(['3 add-label #2 agent'])
  })

  test('changes four issues under a lock', () => {
    const issues = [1, 2, 3, 4].map((number) => issue({ number, labels: ['triaged'] }))
    const lines = dryLines(inputOf({ issues }))
    expect([lines[0], lines.at(-1)]).toEqual(['3 lock', '3 unlock'])
  })
})
