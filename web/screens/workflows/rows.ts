import type { FiringRecord } from '../../../schemas/workflow/firing.ts'
import type { AgentRecord } from '../../../schemas/agent/record.ts'
import type { DispatchRecord, WorkflowRecord } from '../../../schemas/workflow/record.ts'
import type { StateName } from '../../parts/states/states.ts'
import { ageText } from '../../parts/time/durations.ts'

export const SECTIONS = ['Faults', 'Enabled', 'Disabled'] as const
export type Section = (typeof SECTIONS)[number]

export interface WorkflowRow {
  workflow: WorkflowRecord
  section: Section
  state: StateName
  /** The state in one or two words. */
  word: string
  /** Name of the agent; null while agents are read, and if it no longer exists. */
  agent: string | null
}

type Agents = ReadonlyMap<string, Pick<AgentRecord, 'name' | 'status'>>

/** `agents`: by id; null while they are read. */
export function workflowRow(workflow: WorkflowRecord, agents: Agents | null): WorkflowRow {
  const { enabled, last_error, warnings, agent_id } = workflow
  const agent = agents?.get(agent_id)
  const row = (section: Section, state: StateName, word: string): WorkflowRow => ({
    workflow,
    section,
    state,
    word,
    agent: agent?.name ?? null,
  })
  if (!enabled) return row('Disabled', 'suspended', 'disabled')
  if (last_error !== null) return row('Faults', 'failed', 'trigger fails')
  if (agents !== null && agent === undefined) return row('Faults', 'question', 'agent missing')
  if (agent && agent.status !== 'running') return row('Faults', 'pending', `agent ${agent.status}`)
  if (warnings.length > 0) return row('Faults', 'warning', 'warning')
  return row('Enabled', 'ready', 'enabled')
}

/** Rows by section, then by name. */
export function workflowRows(workflows: readonly WorkflowRecord[], agents: Agents | null): WorkflowRow[] {
  return workflows
    .map((workflow) => workflowRow(workflow, agents))
    .sort(
      (a, b) =>
        SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section) || (a.workflow.name < b.workflow.name ? -1 : 1),
    )
}

/** Rows that contain all words of a filter: in the name, agent, trigger type or state. */
export function matchingRows(rows: readonly WorkflowRow[], query: string): readonly WorkflowRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ workflow, word, agent }) => {
    const text = `${workflow.name} ${agent ?? ''} ${workflow.trigger_config.type} ${word}`.toLowerCase()
    return words.every((each) => text.includes(each))
  })
}

/** When triggers fire that no time decides. */
const OCCASIONS: Readonly<Record<string, string>> = {
  agent_lifecycle: 'on event',
  dispatch_result: 'on result',
  manual: 'by hand',
  queue: 'on task',
  webhook: 'on delivery',
}

/** "on task"; empty for a disabled workflow and for a trigger that fires at a time. */
export const occasionText = ({ enabled, trigger_config }: WorkflowRecord): string =>
  enabled ? (OCCASIONS[trigger_config.type] ?? '') : ''

/** Time until a firing: "in 11 h", "due". `ms`: milliseconds until then. */
export const untilText = (ms: number): string => (ms <= 0 ? 'due' : `in ${ageText(ms)}`)

/** "Thu 26 Nov, 02:30" in a time zone, or in that of the browser if it does not know the zone. */
export function firingText(at: number, timeZone?: string): string {
  const format = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  const parts = (zone: string | undefined) =>
    Object.fromEntries(
      new Intl.DateTimeFormat('en-GB', { ...format, ...(zone === undefined ? {} : { timeZone: zone }) })
        .formatToParts(at)
        .map(({ type, value }) => [type, value]),
    )
  const textOf = ({ weekday, day, month, hour, minute }: Record<string, string>) =>
    `${weekday} ${day} ${month}, ${hour}:${minute}`
  try {
    return textOf(parts(timeZone))
  } catch {
    return textOf(parts(undefined))
  }
}

export const DISPATCH_LOOKS: Record<DispatchRecord['status'], { state: StateName; word: string }> = {
  pending: { state: 'pending', word: 'pending' },
  dispatched: { state: 'busy', word: 'running' },
  completed: { state: 'done', word: 'completed' },
  failed: { state: 'failed', word: 'failed' },
  skipped: { state: 'skipped', word: 'skipped' },
}

export const FIRING_LOOKS: Record<FiringRecord['outcome'], { state: StateName; word: string }> = {
  dispatched: { state: 'done', word: 'dispatched' },
  filtered: { state: 'skipped', word: 'filtered' },
  refused: { state: 'failed', word: 'refused' },
  missed: { state: 'warning', word: 'missed' },
  failed: { state: 'failed', word: 'failed' },
}

/** Duration of a dispatch that has ended: "41 s"; else empty. */
export function tookText({ dispatched_at, completed_at }: Pick<DispatchRecord, 'dispatched_at' | 'completed_at'>) {
  if (dispatched_at === null || completed_at === null) return ''
  return ageText(Date.parse(completed_at) - Date.parse(dispatched_at))
}

/** "$0.61"; empty without a cost. */
export function costText({ usage }: Pick<DispatchRecord, 'usage'>): string {
  const cost = usage?.['total_cost_usd'] ?? 0
  return cost > 0 ? `$${cost.toFixed(2)}` : ''
}
