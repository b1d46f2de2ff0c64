// The state of a daemon, read from outside.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { AgentUsage } from '../../schemas/agent/usage.ts'
import type { Plan } from '../../schemas/plan.ts'
import type { PolicyRecord } from '../../schemas/policy.ts'
import type { Drift, Resource } from '../../schemas/resource.ts'
import type { Run } from '../../schemas/run.ts'
import type { Source } from '../../schemas/source.ts'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import type { DaemonStand } from '../support/daemon.ts'
import { SOURCES, type Id, type Kind, type Members, type SourceName } from './desired.ts'

const run = promisify(execFile)

export interface Live {
  kind: Kind
  name: string
  liveId: string
  members: Members
  /** Null for other kinds. */
  agent: Pick<AgentRecord, 'status' | 'connected' | 'activity' | 'mux_session'> | null
}

export interface Snapshot {
  live: Live[]
  inventory: Resource[]
  /** Newest first, including resolved records. */
  drift: Drift[]
  plans: Record<SourceName, Plan>
  sources: Source[]
  runs: Run[]
  /** Process id by session. */
  panes: Record<string, string>
  /** Agent processes, inside or outside a pane. */
  processes: { pid: string; agentId: string }[]
  /** Completed turns by agent. */
  turns: Record<string, number>
  /** Depth of the workqueue. */
  depth: number
}

export const liveOf = ({ live, inventory }: Snapshot, id: Id): Live | undefined => {
  const owned = inventory.find((entry) => entry.id === id)
  return owned && live.find(({ kind, liveId }) => kind === owned.kind && liveId === owned.live_id)
}

/** Counts turns only of `prompted` agents. `known`: names by live id, to which this snapshot adds. */
export async function takeSnapshot(
  stand: DaemonStand,
  prompted: Iterable<string>,
  known: Map<string, string>,
): Promise<Snapshot> {
  const { controller, orchestrator } = stand
  const [agents, workflows, policies] = await Promise.all([
    stand.agents(),
    stand.get<WorkflowRecord[]>(`${orchestrator}/workflows`),
    stand.get<PolicyRecord[]>(`${orchestrator}/policies`),
  ])
  const inventory = await stand.get<Resource[]>(`${controller}/resources`)
  const turns = await Promise.all([...prompted].map(async (id) => [id, await turnsOf(stand, id)] as const))
  const named = namesOf(inventory, [...agents, ...workflows], known)
  return {
    live: [
      ...agents.map(liveAgent),
      ...workflows.map((record) => liveWorkflow(record, named)),
      ...policies.map(livePolicy),
    ],
    inventory,
    drift: await allDrift(stand),
    plans: { default: await plan(stand, 'default'), second: await plan(stand, 'second') },
    sources: await stand.get<Source[]>(`${controller}/sources`),
    runs: await stand.get<Run[]>(`${controller}/runs`),
    panes: await stand.panes(),
    processes: await processesOf(stand),
    turns: Object.fromEntries(turns),
    depth: await depthOf(stand),
  }
}

async function plan(stand: DaemonStand, source: SourceName): Promise<Plan> {
  const { status, body } = await stand.ask<Plan>('POST', `${stand.controller}/plan`, { source, keep_drift: true })
  if (status !== 200)
    throw new Error(`plan of source ${source}: expected status 200, got ${status}: ${JSON.stringify(body)}`)
  return body
}

async function allDrift(stand: DaemonStand): Promise<Drift[]> {
  const all: Drift[] = []
  for (;;) {
    const url = `${stand.controller}/drift?limit=200&offset=${all.length}`
    const { items, total } = await stand.get<{ items: Drift[]; total: number }>(url)
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

/** Returns 0 if the agent no longer exists. */
export async function turnsOf(stand: DaemonStand, id: string): Promise<number> {
  const { status, body } = await stand.ask<AgentUsage>('GET', `${stand.orchestrator}/agents/${id}/usage`)
  return status === 200 ? body.cumulative.result_count : 0
}

export async function depthOf(stand: DaemonStand): Promise<number> {
  const text = await (await fetch(`${stand.controller}/metrics`)).text()
  return Number(/^controller_workqueue_depth(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1] ?? 0)
}

/** What remains of a reference to a deleted resource. */
export const goneName = (name: unknown): string => `${String(name)} (gone)`

/** Prefers the name in the inventory to the live name. */
function namesOf(
  inventory: readonly Resource[],
  records: readonly { id: string; name: string }[],
  known: Map<string, string>,
) {
  const names = new Map(records.map(({ id, name }) => [id, name]))
  for (const { live_id: liveId, name } of inventory) if (liveId) names.set(liveId, name)
  for (const [id, name] of names) known.set(id, name)
  return (id: string) => names.get(id) ?? (known.has(id) ? goneName(known.get(id)) : id)
}

function liveAgent(record: AgentRecord): Live {
  const { status, connected, activity, mux_session } = record
  const { model, system_prompt, max_cost_usd, auto_clear_threshold, tool_policy } = record.config
  const members = { model, system_prompt, max_cost_usd, auto_clear_threshold, tool_policy: tool_policy.mode }
  const agent = { status, connected, activity, mux_session }
  return { kind: 'agents', name: record.name, liveId: record.id, members, agent }
}

function liveWorkflow(record: WorkflowRecord, named: (id: string) => string): Live {
  const { prompt_template, enabled, poll_interval_secs, tool_policy, agent_id, trigger_config } = record
  const { source_workflow_id: chain } = trigger_config as { source_workflow_id?: string | null }
  const members = {
    prompt_template,
    enabled,
    poll_interval_secs,
    tool_policy: tool_policy.mode,
    agent: named(agent_id),
    after: chain ? named(chain) : null,
  }
  return { kind: 'workflows', name: record.name, liveId: record.id, members, agent: null }
}

function livePolicy({ name, mode, description }: PolicyRecord): Live {
  return { kind: 'policies', name, liveId: name, members: { mode, description }, agent: null }
}

/** Excludes tmux, whose arguments may contain a launch file. */
async function processesOf({ dataDir }: DaemonStand): Promise<Snapshot['processes']> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, agentId] =
      new RegExp(`^\\s*(\\d+) (?!tmux ).*--launch ${dataDir}/launch/([0-9a-f-]{36})`).exec(line) ?? []
    return pid && agentId ? [{ pid, agentId }] : []
  })
}

export const planOf = (snapshot: Snapshot) => SOURCES.map((source) => ({ source, plan: snapshot.plans[source] }))
