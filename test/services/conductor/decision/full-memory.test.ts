// A record in memory that has no room for all reports.
import { describe, expect, test } from 'vitest'
import type { DecisionInput, Reported } from '../../../../services/conductor/decision/contract.ts'
import { ago, commit, DAY, HOUR, inputOf, issue, label, pullRequest, TIME } from '../snapshots.ts'
import { decide, drive, linesOf } from './driver.ts'

/** Characters of a memory. */
const LONGEST = 65_536
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const sizeOf = (reported: Reported) => JSON.stringify(Object.fromEntries(reported!)).length

/** Runs the same input until nothing is posted; returns the posts of each run. */
function runsOf(given: Parameters<typeof inputOf>[0]) {
  let reported: Reported = new Map()
  const runs: ReturnType<typeof drive>[] = []
  while (runs.length === 0 || runs.at(-1)!.acts.some(({ action }) => action === 'post')) {
    const run = drive(inputOf(given, { reported }))
    runs.push(run)
    reported = run.reported
    expect(sizeOf(reported)).toBeLessThan(LONGEST)
    expect(runs.length).toBeLessThan(10)
  }
  return runs
}

describe('3,000 stale pull requests', () => {
  const pullRequests = range(3000).map((number) =>
    pullRequest({ number, labels: [], verdicts: [], activeAt: ago(4 * DAY) }),
  )

  test('are reported once each, as many as the record has room for', () => {
    const runs = runsOf({ pullRequests })
    const items = runs.flatMap(({ acts }) =>
      acts.flatMap(({ about, items: numbers = [] }) => (about === 'stale' ? numbers : [])),
    )
    expect(new Set(items).size).toBe(items.length)
    expect(items.length).toBeGreaterThan(1000)
    const { reported, health, problems } = runs.at(-1)!
    expect(reported!.size).toBe(items.length)
    expect({ health, problems }).toMatchObject({ health: 'degraded', problems: [{ code: 'memory-unavailable' }] })
  })

  test('leave room for a gate, and for the head of another pull request', () => {
    const { reported } = runsOf({ pullRequests }).at(-1)!
    const gated = pullRequest({ number: 5001, labels: ['merge-ready', 'human-gate'] })
    const bare = pullRequest({ number: 5000, checks: [] })
    const run = drive(inputOf({ pullRequests: [...pullRequests, bare, gated] }, { reported }))
    expect(linesOf(run)).toEqual(['6 post #5001 gate'])
    expect(run.reported).toEqual(
      new Map([...reported!, [`seen #5000 @${commit(5000)}`, TIME], [`gate #5001 @${commit(5001)}`, TIME]]),
    )
    expect(sizeOf(run.reported)).toBeLessThan(LONGEST)
  })

  test('are reported on when others are closed', () => {
    const { reported } = runsOf({ pullRequests }).at(-1)!
    const left = pullRequests.slice(100)
    const dropped = decide(inputOf({ pullRequests: left }, { reported })).reported
    const run = drive(inputOf({ pullRequests: left }, { reported: dropped }))
    expect(run.acts[0]?.items?.length).toBeGreaterThan(80)
  })
})

describe('a record with little room', () => {
  const dispatched = range(2000).map((number) => issue({ number, labels: [label('agent', ago(7 * HOUR))] }))

  test('reports no dispatch twice', () => {
    const runs = runsOf({ issues: dispatched })
    const keys = runs.flatMap(({ acts }) => acts.flatMap(({ key = [] }) => key))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.length).toBeLessThan(2000)
  })

  /** As left by a record that is as long as it may be. */
  const full: Reported = new Map(range(1600).map((number) => [`review-needed #${number}`, ago(HOUR)]))
  const open = range(1600).map((number) => pullRequest({ number, verdicts: [] }))
  const input = (given: Parameters<typeof pullRequest>[0]): DecisionInput =>
    inputOf({ pullRequests: [...open, pullRequest({ number: 5000, ...given })] }, { reported: full })

  test('keeps what it has', () => {
    expect(decide(input({ labels: [], verdicts: [] })).reported).toEqual(full)
  })

  test('posts no report that it could not remember', () => {
    const run = drive(input({ verdicts: [] }))
    expect(linesOf(run)).toEqual([])
    expect(run.problems).toMatchObject([{ code: 'memory-unavailable' }])
  })

  test('does not stop at a gate, which would stop every run', () => {
    const run = drive(input({ labels: ['merge-ready', 'human-gate'] }))
    expect(linesOf(run)).toEqual([])
    expect(run).toMatchObject({ status: 'done', stopped: null })
  })

  test('counts no head without checks as seen, so none is merged', () => {
    const run = drive(input({ checks: [], headAt: ago(DAY) }))
    expect(linesOf(run).filter((line) => line.includes('merge'))).toEqual([])
    expect(run.reported).toEqual(full)
  })

  test('repeats a nudge, which takes no more room', () => {
    const labels = [label('review-agent', ago(3 * HOUR))]
    const reported = new Map([...full, ['nudge #5000', ago(2 * HOUR)]])
    const nudged = pullRequest({ number: 5000, labels, verdicts: [], reviews: [] })
    const run = drive(inputOf({ pullRequests: [...open, nudged] }, { reported }))
    expect(linesOf(run)).toContain('4 post #5000 nudge')
  })
})
