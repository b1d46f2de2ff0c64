import {
  byController,
  AmbiguousError,
  type Health,
  type Observed,
  type Reconciler,
  type Step,
  type Verdict,
} from '../controller/reconciler.ts'
import type { AgentRecord, AgentSpec } from '../schemas/agent.ts'
import { agentKind, PROMPTS_FAIL } from '../schemas/agent.ts'
import type { Agents, InspectedAgent, Orchestrator } from '../services/orchestrator/face.ts'
import { declaredMember, movementOf, orMissing, orMoved, refuseGone, seenBy, written } from './service-calls.ts'

interface LiveAgent {
  record: AgentRecord
  work: string | null
  /** Whether it requests approval before every tool is not verified yet. */
  unproved: boolean
  /** Why it could run a forbidden tool; null if it cannot. */
  unguarded: string | null
}

export function agentReconciler({ agents, audit, changes }: Orchestrator): Reconciler<AgentSpec, LiveAgent> {
  const observed = async (inspected: InspectedAgent): Promise<Observed<AgentSpec, LiveAgent>> => {
    const { record, spec, running, awaitsProof: unproved, unguarded, version } = inspected
    const work = record.activity === 'busy' ? await agents.work(record.id) : null
    const isStopped = record.status === 'stopped' && spec.restart === 'always'
    const deviations = isStopped ? [{ path: 'status', desired: 'running', live: 'stopped' }] : []
    return { liveId: record.id, spec, running, version, live: { record, work, unproved, unguarded }, deviations }
  }
  return {
    definition: agentKind,
    observe: async ({ name, liveId }) => {
      const id = liveId ?? (await findByName(agents, name))
      const inspected = id === null ? null : await orMissing(agents.inspect(id))
      return inspected && observed(inspected)
    },
    observeAll: async (_lookup, _signal, missed) => {
      const all = (await agents.inspectAll()).map((inspected) =>
        observed(inspected).catch((error: Error) => {
          if (!missed) throw error
          missed({ liveId: inspected.record.id, name: inspected.record.name }, error)
          return []
        }),
      )
      return (await Promise.all(all)).flat()
    },
    apply: async (step) => {
      const liveId = await converge(agents, step)
      return { liveId, spec: await agents.spec(liveId) }
    },
    remove: async ({ liveId }, requestId) => {
      await orMissing(agents.purge(liveId, byController(requestId)))
    },
    health,
    verdicts: sandboxVerdicts,
    interrupts: ({ work }) => work,
    worksIn: ({ working_dir, worktree, additional_dirs }) => [...(worktree ? [] : [working_dir]), ...additional_dirs],
    writer: (liveId, path) => audit.latest('agents', liveId, path),
    declares: (written, spec) =>
      written === 'status' && spec.restart === 'always' ? written : declaredMember(written, spec),
    changes: (listener, since) => changes((change) => listener(movementOf(change)), { kind: 'agents', since }),
  }
}

/** Throws AmbiguousError if several agents have the name. */
async function findByName(agents: Agents, name: string): Promise<string | null> {
  const namesakes = await agents.list({ name })
  if (namesakes.length > 1)
    throw new AmbiguousError(`${namesakes.length} agents are named "${name}": adoption requires exactly one`)
  return namesakes[0]?.id ?? null
}

async function converge(agents: Agents, step: Step<AgentSpec>): Promise<string> {
  const { action, liveId, spec, requestId } = step
  const by = byController(requestId)
  if (action === 'replace') await orMissing(agents.purge(liveId, by))
  const known = await orMissing(agents.get(liveId))
  if (known) await orMoved(agents.assign(liveId, written(step), by, seenBy(step)))
  else refuseGone(step, 'agent')
  const agent = await startAgent(agents, step, known)
  if (agent.status === 'failed')
    throw new Error(`agent ${spec.name} did not start: ${agent.last_error ?? 'no reason given'}`)
  return agent.id
}

async function startAgent(agents: Agents, step: Step<AgentSpec>, known: AgentRecord | null): Promise<AgentRecord> {
  const by = byController(step.requestId)
  if (!known) return agents.create(step.spec, by, step.liveId)
  return needsNewProcess(step, known) ? agents.restart(step.liveId, by) : known
}

function needsNewProcess({ action, changes }: Step<AgentSpec>, known: AgentRecord): boolean {
  if (action === 'create') return known.status !== 'running'
  return action === 'restart' || (action === 'adopt' && changes.some(({ cost }) => cost === 'restart'))
}

/** A sandbox that a person has switched off needs no report. */
function sandboxVerdicts({ record: { sandbox } }: LiveAgent): Verdict[] {
  if (sandbox === null || sandbox.code === 'sandbox-off') return []
  const isOn = sandbox.state === 'on'
  const status = isOn ? 'True' : sandbox.state === 'unknown' ? 'Unknown' : 'False'
  return [{ type: 'Sandboxed', status, reason: isOn ? 'SandboxRuns' : 'NoSandbox', message: sandbox.summary }]
}

function health({ record, unproved, unguarded }: LiveAgent): Health {
  if (unproved) return { status: 'Progressing', message: 'running, policy not verified yet' }
  if (unguarded) return { status: 'Degraded', message: unguarded }
  if (record.status === 'running' && record.last_error?.startsWith(PROMPTS_FAIL))
    return { status: 'Degraded', message: record.last_error }
  if (record.status === 'running')
    return record.connected || record.config.interactive
      ? { status: 'Ready', message: 'running' }
      : { status: 'Progressing', message: 'running, not connected yet' }
  if (record.status === 'pending') return { status: 'Progressing', message: 'starting' }
  return { status: 'Degraded', message: record.last_error ?? record.status }
}
