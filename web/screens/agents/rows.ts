import type { AgentRecord } from '../../../schemas/agent/record.ts'
import type { InboxItem } from '../../../schemas/gateway/inbox.ts'
import type { StateName } from '../../parts/states/states.ts'

export const SECTIONS = ['Waiting for you', 'Busy', 'Idle, faults first', 'Stopped'] as const
export type Section = (typeof SECTIONS)[number]

export interface AgentRow {
  agent: AgentRecord
  section: Section
  state: StateName
  /** What it does, in words of svc. */
  doing: string
  /** The request that waits for a person. */
  request: InboxItem | null
}

/** Inbox items of pending requests by the name of their agent, the earliest deadline first. */
function requestsByName(items: readonly InboxItem[]): Map<string, InboxItem> {
  const found = new Map<string, InboxItem>()
  for (const item of items) {
    const [name] = item.title
    if (item.kind === 'approval' && name && 'quoted' in name && !found.has(name.quoted)) found.set(name.quoted, item)
  }
  return found
}

function rowOf(agent: AgentRecord, request: InboxItem | null): AgentRow {
  const { status, activity, connected, last_error, warnings } = agent
  const row = (section: Section, state: StateName, doing: string): AgentRow => ({
    agent,
    section,
    state,
    doing,
    request,
  })
  if (status === 'failed') return row('Idle, faults first', 'failed', last_error ?? 'failed')
  if (status === 'stopped') return row('Stopped', 'empty', 'stopped')
  if (request !== null) return row('Waiting for you', 'decision', 'requests approval')
  if (status === 'pending') return row('Busy', 'pending', 'starting')
  if (activity === 'busy') return row('Busy', 'busy', 'busy')
  if (!connected && !agent.config.interactive) return row('Idle, faults first', 'unknown', 'not connected')
  if (last_error !== null) return row('Idle, faults first', 'warning', last_error)
  if (warnings.length > 0) return row('Idle, faults first', 'warning', warnings[0]!)
  return row('Idle, faults first', 'ready', 'idle')
}

const URGENCY: readonly StateName[] = ['failed', 'unknown', 'warning', 'decision', 'busy', 'pending', 'ready', 'empty']

/** One word for the header of an agent. */
export const agentWord = ({ agent: { status, activity, connected, config } }: Pick<AgentRow, 'agent'>): string =>
  status !== 'running' ? status : connected || config.interactive ? activity : 'not connected'

/** Rows by section, faults first, then by name. */
export function agentRows(agents: readonly AgentRecord[], items: readonly InboxItem[]): AgentRow[] {
  const requests = requestsByName(items)
  const times = new Map<string, number>()
  for (const { name } of agents) times.set(name, (times.get(name) ?? 0) + 1)
  // Names are not unique, and an item has no other word for its agent.
  const requestOf = ({ name }: AgentRecord) => (times.get(name) === 1 ? (requests.get(name) ?? null) : null)
  return agents
    .map((agent) => rowOf(agent, requestOf(agent)))
    .sort(
      (a, b) =>
        SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section) ||
        URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state) ||
        (a.agent.name < b.agent.name ? -1 : 1),
    )
}

/** Filters by terms that must all hold: words of the name and the directory, `is:STATE`, `runtime:NAME`. */
export function matching(rows: readonly AgentRow[], query: string): readonly AgentRow[] {
  const terms = query.trim().toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ agent, state }) =>
    terms.every((term) => {
      const [, prefix, value] = /^(is|runtime):(.*)$/.exec(term) ?? []
      if (prefix === 'is') return [state as string, agent.status, agent.activity].includes(value!)
      if (prefix === 'runtime') return agent.config.runtime === value
      return `${agent.name} ${agent.config.working_dir}`.toLowerCase().includes(term)
    }),
  )
}

/** "12: 9 idle, 2 busy, 1 waiting for you" */
export function agentCounts(rows: readonly AgentRow[]): string {
  const of = (section: Section) => rows.filter((row) => row.section === section).length
  const parts = [
    [of('Idle, faults first'), 'idle'],
    [of('Busy'), 'busy'],
    [of('Waiting for you'), 'waiting for you'],
    [of('Stopped'), 'stopped'],
  ] as const
  const words = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return words.length === 0 ? '0' : `${rows.length}: ${words.join(', ')}`
}
