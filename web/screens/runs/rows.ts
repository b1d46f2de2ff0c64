import type { Run, RunStep } from '../../../schemas/run.ts'
import type { StateName } from '../../parts/states/states.ts'
import { dayText } from '../../parts/time/dates.ts'

const RUN_STATES: Record<Run['status'], StateName> = {
  running: 'busy',
  succeeded: 'done',
  failed: 'failed',
  waiting: 'pending',
  interrupted: 'unknown',
}

export const STEP_STATES: Record<RunStep['status'], StateName> = {
  intended: 'busy',
  done: 'done',
  failed: 'failed',
  deferred: 'pending',
  blocked: 'pending',
}

const DONE: Record<RunStep['action'], string> = {
  create: 'created',
  update: 'updated',
  restart: 'restarted',
  replace: 'replaced',
  adopt: 'adopted',
  delete: 'deleted',
}

const RESULTS: Record<Exclude<RunStep['status'], 'done'>, string> = {
  intended: 'running',
  failed: 'failed',
  deferred: 'waits for idle',
  blocked: 'waits for a dependency',
}

/** "updated", "restart: waits for idle" */
export const resultText = ({ action, status }: Pick<RunStep, 'action' | 'status'>): string =>
  status === 'done' ? DONE[action] : `${action}: ${RESULTS[status]}`

/** A run that succeeded with an error held something back, such as deletions above the budget. */
export const runState = ({ status, error }: Pick<Run, 'status' | 'error'>): StateName =>
  status === 'succeeded' && error !== null ? 'held' : RUN_STATES[status]

export interface RunDay {
  title: string
  runs: readonly Run[]
}

export const newestFirst = (runs: readonly Run[]): Run[] =>
  runs.toSorted((a, b) => (a.started_at > b.started_at ? -1 : 1))

/** Runs by the day of their start. `runs`: newest first. */
export function runDays(runs: readonly Run[], now: number): RunDay[] {
  const days = new Map<string, Run[]>()
  for (const run of runs) {
    const title = dayText(Date.parse(run.started_at), now)
    const day = days.get(title)
    if (day) day.push(run)
    else days.set(title, [run])
  }
  return [...days].map(([title, some]) => ({ title, runs: some }))
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** "3 of 4 steps done, 1 waiting", or the number of steps of a finished run. */
export function stepsText({ steps, status }: Pick<Run, 'steps' | 'status'>): string {
  if (steps.length === 0) return status === 'running' ? 'planning' : 'no change'
  const count = (...wanted: RunStep['status'][]) => steps.filter((step) => wanted.includes(step.status)).length
  if (count('done') === steps.length) return counted(steps.length, 'step')
  const others = [
    [count('deferred', 'blocked'), 'waiting'],
    [count('failed'), 'failed'],
    [count('intended'), 'running'],
  ] as const
  const parts = others.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`)
  return [`${count('done')} of ${counted(steps.length, 'step')} done`, ...parts].join(', ')
}

/** Milliseconds that a run or step took; null before its end. */
export function tookMs({
  started_at,
  ended_at,
}: {
  started_at: string | null
  ended_at: string | null
}): number | null {
  return started_at === null || ended_at === null ? null : Math.max(Date.parse(ended_at) - Date.parse(started_at), 0)
}

/** "31 ms", "6.1 s", "2 min" */
export function tookText(ms: number | null): string {
  if (ms === null) return ''
  if (ms < 1000) return `${ms} ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min`
}

/** Runs that contain all words of a filter: in the source, author, revision, status or a resource. */
export function matchingRuns(runs: readonly Run[], query: string): readonly Run[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return runs
  return runs.filter(({ source, actor, revision, status, steps }) => {
    const resources = steps.map(({ kind, name }) => `${kind}/${name}`)
    const text = [source, actor, revision ?? '', status, ...resources].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
