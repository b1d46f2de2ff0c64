// Manifests name agents and source workflows; the orchestrator uses ids.
import {
  byController,
  DependencyError,
  type Lookup,
  type Observed,
  type Reconciler,
  type Step,
} from '../controller/reconciler.ts'
import { canonicalPolicy } from '../schemas/tools/policy.ts'
import { canonicalTrigger } from '../schemas/trigger.ts'
import type { WorkflowInput, WorkflowPatch, WorkflowSpec } from '../schemas/workflow.ts'
import { workflowKind } from '../schemas/workflow.ts'
import type {
  InspectedWorkflow,
  Orchestrator,
  UnfiredRecord,
  WorkflowMembers,
  Workflows,
} from '../services/orchestrator/face.ts'
import type { Seen } from '../platform/store/write-preconditions.ts'
import { declaredMember, movementOf, orMissing, orMoved, refuseGone, seenBy, written } from './service-calls.ts'

export function workflowReconciler({
  workflows,
  audit,
  changes,
}: Orchestrator): Reconciler<WorkflowSpec, UnfiredRecord> {
  return {
    definition: workflowKind,
    observe: async ({ name, liveId }, lookup) => {
      const workflow = liveId
        ? await orMissing(workflows.inspect(liveId))
        : ((await workflows.inspectAll()).find(({ record }) => record.name === name) ?? null)
      return workflow && observed(workflow, lookup)
    },
    observeAll: async (lookup) => (await workflows.inspectAll()).map((workflow) => observed(workflow, lookup)),
    apply: async (step, lookup) => {
      const { id } = await converge(workflows, step, lookup)
      return { liveId: id, spec: observed(await workflows.inspect(id), lookup).spec }
    },
    remove: async ({ liveId }, requestId) => {
      await orMissing(workflows.delete(liveId, byController(requestId)))
    },
    health: ({ enabled }) => ({ status: 'Ready', message: enabled ? 'enabled' : 'disabled' }),
    interrupts: () => null,
    writer: (liveId, path) => audit.latest('workflows', liveId, SPELT[path.split('.')[0]!] ?? path),
    refersTo: ({ agent, trigger: { source_workflow: chain } }) => [
      { path: 'agent', kind: 'agents', name: agent },
      ...(typeof chain === 'string' ? [{ path: 'trigger', kind: 'workflows', name: chain }] : []),
    ],
    declares: (written, spec) => declaredMember(written, spec, CANONICAL),
    changes: (listener, since) => changes((change) => listener(movementOf(change)), { kind: 'workflows', since }),
  }
}

const SPELT: Record<string, string> = { agent: 'agent_id', trigger: 'trigger_config' }
const CANONICAL = Object.fromEntries(Object.entries(SPELT).map(([member, spelt]) => [spelt, member]))

function observed(workflow: InspectedWorkflow, lookup: Lookup): Observed<WorkflowSpec, UnfiredRecord> {
  const { record, version } = workflow
  return { liveId: record.id, live: record, version, spec: toSpec(workflow, lookup) }
}

async function converge(workflows: Workflows, step: Step<WorkflowSpec>, lookup: Lookup): Promise<UnfiredRecord> {
  const { action, liveId, spec, requestId } = step
  const by = byController(requestId)
  if (action === 'replace') await orMissing(workflows.delete(liveId, by))
  const live = await orMissing(workflows.inspect(liveId))
  if (live) {
    const seen = seenBy(step)
    const patch = toPatch(written(step), lookup)
    // A new trigger restarts a finished workflow.
    if (live.finished && patch.trigger_config) patch.enabled = spec.enabled
    return orMoved(workflows.patch(liveId, patch, by, seen && toSeen(seen, lookup)))
  }
  refuseGone(step, 'workflow')
  return workflows.create(toPatch(spec, lookup) as WorkflowInput, by, liveId)
}

function toSpec({ record, secret, finished }: InspectedWorkflow, lookup: Lookup): WorkflowSpec {
  const { source_workflow_id: sourceId, ...rest } = record.trigger_config as UnfiredRecord['trigger_config'] & {
    source_workflow_id?: string | null
  }
  const trigger = canonicalTrigger(rest) as unknown as WorkflowSpec['trigger']
  const sourceName = typeof sourceId === 'string' ? lookup.nameOf('workflows', sourceId) : null
  if (sourceName) trigger.source_workflow = sourceName
  else if (typeof sourceId === 'string') trigger.source_workflow_id = sourceId
  if (secret) trigger.secret = secret
  else delete trigger.secret
  return {
    name: record.name,
    agent: lookup.nameOf('agents', record.agent_id) ?? record.agent_id,
    trigger,
    prompt_template: record.prompt_template,
    poll_interval_secs: record.poll_interval_secs,
    // A finished workflow disables itself, which is not drift.
    enabled: record.enabled || finished,
    on_restart: record.on_restart,
    tool_policy: canonicalPolicy(record.tool_policy, 'auto'),
  }
}

/** Replaces names by ids. Throws DependencyError if a target does not exist yet. */
function toPatch({ agent, trigger, ...rest }: Partial<WorkflowSpec>, lookup: Lookup): WorkflowPatch {
  const patch: WorkflowPatch = rest
  if (agent !== undefined) patch.agent_id = idIn(lookup, 'agents', agent)
  if (!trigger) return patch
  const { source_workflow: chain, secret, ...members } = trigger
  return {
    ...patch,
    // Written as a whole: a new type replaces the old trigger.
    trigger_config: {
      ...members,
      ...(typeof chain === 'string' ? { source_workflow_id: idIn(lookup, 'workflows', chain) } : {}),
      ...(secret ? { secret: secret.reveal() } : {}),
    },
  }
}

function idIn(lookup: Lookup, kind: 'agents' | 'workflows', name: string): string {
  const id = lookup.liveId(kind, name)
  if (id) return id
  throw new DependencyError(`${kind === 'agents' ? 'agent' : 'source workflow'} "${name}" is not in the inventory yet`)
}

/** An unowned target was seen by its id. */
function toSeen({ version, members }: Seen<WorkflowSpec>, lookup: Lookup): Seen<WorkflowMembers> {
  const { agent, trigger, ...rest } = members
  const seen: Partial<WorkflowMembers> = rest
  if (agent !== undefined) seen.agent_id = lookup.liveId('agents', agent) ?? agent
  if (trigger) {
    const { source_workflow: chain, ...config } = trigger
    const id = typeof chain === 'string' && (lookup.liveId('workflows', chain) ?? chain)
    seen.trigger_config = id ? { ...config, source_workflow_id: id } : config
  }
  return { version, members: seen }
}
