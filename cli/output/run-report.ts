import type { Run, RunStep } from '../../schemas/run.ts'
import { formatDuration } from './duration.ts'
import { fitted, paint, visible } from './print.ts'

type Shown = readonly [mark: string, words: string, colour?: 'green' | 'red' | 'yellow']

const SHOWN: Record<RunStep['status'], Shown> = {
  intended: ['·', '…'],
  done: ['✓', 'done', 'green'],
  failed: ['✗', 'FAILED', 'red'],
  deferred: ['◷', 'waits until it is idle', 'yellow'],
  blocked: ['◷', 'waits for its dependencies', 'yellow'],
}

/** `✓ agents/planner create done (0.4 s)` */
export function stepLine(step: RunStep): string {
  const [mark, words, colour] = SHOWN[step.status]
  const took =
    step.ended_at && step.started_at
      ? ` (${formatDuration(Date.parse(step.ended_at) - Date.parse(step.started_at))})`
      : ''
  return `${colour ? paint()[colour](mark) : mark} ${step.kind}/${step.name}  ${step.action} ${words}${step.error ? `: ${visible(step.error)}` : ''}${took}`
}

/** Calls `line` once per step and reportable status. */
export function stepPrinter(line: (text: string) => void): (step: RunStep) => void {
  const told = new Map<string, string>()
  return (step) => {
    const key = `${step.kind}/${step.name} ${step.action}`
    if (step.status === 'intended' || told.get(key) === step.status) return
    told.set(key, step.status)
    line(stepLine(step))
  }
}

export function runSummary(run: Run): string {
  const count = (status: RunStep['status']) => run.steps.filter((step) => step.status === status).length
  const parts = [
    [count('done'), 'done'],
    [count('failed'), 'failed'],
    [count('deferred'), 'waiting until idle'],
    [count('blocked'), 'waiting for dependencies'],
    [run.summary.unchanged, 'unchanged'],
  ].filter(([number]) => Number(number) > 0)
  const took = run.ended_at ? ` in ${formatDuration(Date.parse(run.ended_at) - Date.parse(run.started_at))}` : ''
  const what =
    run.steps.length === 0
      ? `no changes${run.summary.unchanged > 0 ? `, ${run.summary.unchanged} as desired` : ''}`
      : parts.map((part) => part.join(' ')).join(', ')
  return `Run ${run.id.slice(0, 8)} ${run.status}${took}: ${what}${run.error ? fitted(`\n  ${visible(run.error)}`) : ''}`
}
