// Workflows: rows of the orchestrator; agents and chain sources are names in a manifest and ids there.
import { DependencyError, type Lookup, type Observed, type Reconciler } from '../controller/reconciler.ts'
import { ownActor } from '../platform/actor.ts'
import type { Secret } from '../schemas/secret.ts'
import { canonicalPolicy } from '../schemas/tools/policy.ts'
import { canonicalTrigger } from '../schemas/trigger.ts'
import type { WorkflowInput, WorkflowRecord, WorkflowSpec } from '../schemas/workflow.ts'
import { workflowKind } from '../schemas/workflow.ts'
import type { Orchestrator } from '../services/orchestrator/face.ts'
import { orMissing } from './missing.ts'

export function workflowReconciler({
  workflows,
  audit,
  changes,
}: Orchestrator): Reconciler<WorkflowSpec, WorkflowRecord> {
  const observed = async (record: WorkflowRecord, lookup: Lookup): Promise<Observed<WorkflowSpec, WorkflowRecord>> => {
    const secret = 'secret' in record.trigger_config ? await workflows.secret(record.id) : null
    return { liveId: record.id, live: record, spec: toSpec(record, secret, lookup) }
  }
  // The service hands the same record out as long as it has not changed; the names in its canonical form may have.
  const known = new WeakMap<WorkflowRecord, Observed<WorkflowSpec, WorkflowRecord>>()
  const remembered = (record: WorkflowRecord, lookup: Lookup) => {
    const before = known.get(record)
    return before && sameNames(before.spec, record, lookup) ? before : null
  }
  const observeAll = async (lookup: Lookup) => {
    const all: Observed<WorkflowSpec, WorkflowRecord>[] = []
    for (const record of await workflows.list()) {
      const now = remembered(record, lookup) ?? (await observed(record, lookup))
      known.set(record, now)
      all.push(now)
    }
    return all
  }
  return {
    definition: workflowKind,
    observe: async ({ name, liveId }, lookup) => {
      const record = liveId
        ? await orMissing(workflows.get(liveId))
        : ((await workflows.list()).find((workflow) => workflow.name === name) ?? null)
      return record && observed(record, lookup)
    },
    observeAll,
    apply: async ({ liveId, spec, requestId }, lookup) => {
      const by = ownActor('controller', requestId)
      const input = toInput(spec, lookup)
      const known = await orMissing(workflows.get(liveId))
      const record = known ? await workflows.patch(liveId, input, by) : await workflows.create(input, by, liveId)
      return { liveId: record.id, spec: (await observed(record, lookup)).spec }
    },
    remove: async ({ liveId }, requestId) => {
      await orMissing(workflows.delete(liveId, ownActor('controller', requestId)))
    },
    health: (record) => ({ status: 'Ready', message: record.enabled ? 'enabled' : 'disabled' }),
    interrupts: () => null,
    writer: (liveId, path) => audit.latest('workflows', liveId, SPELT[path.split('.')[0]!] ?? path),
    changes: (listener) =>
      changes((change) => change.kind === 'workflows' && listener(change.id, change.name, 'state')),
  }
}

/** Members of a spec that the record spells otherwise. */
const SPELT: Record<string, string> = { agent: 'agent_id', trigger: 'trigger_config' }

function toSpec(record: WorkflowRecord, secret: Secret | null, lookup: Lookup): WorkflowSpec {
  const { source_workflow_id: sourceId, ...rest } = record.trigger_config as WorkflowRecord['trigger_config'] & {
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
    enabled: record.enabled,
    on_restart: record.on_restart,
    tool_policy: canonicalPolicy(record.tool_policy, 'auto'),
  }
}

/** True when the ids of a record still have the names they had. */
function sameNames(spec: WorkflowSpec, record: WorkflowRecord, lookup: Lookup): boolean {
  const { source_workflow_id: sourceId } = record.trigger_config as { source_workflow_id?: unknown }
  const chain = typeof sourceId === 'string' ? (lookup.nameOf('workflows', sourceId) ?? undefined) : undefined
  return (
    spec.agent === (lookup.nameOf('agents', record.agent_id) ?? record.agent_id) &&
    spec.trigger.source_workflow === chain
  )
}

function toInput(spec: WorkflowSpec, lookup: Lookup): WorkflowInput {
  const agentId = lookup.liveId('agents', spec.agent)
  if (!agentId) throw new DependencyError(`workflow ${spec.name}: agent "${spec.agent}" is not in the inventory yet`)
  const { source_workflow: chain, secret, ...trigger } = spec.trigger
  const sourceId = typeof chain === 'string' ? lookup.liveId('workflows', chain) : null
  if (typeof chain === 'string' && !sourceId)
    throw new DependencyError(`workflow ${spec.name}: source workflow "${chain}" is not in the inventory yet`)
  return {
    name: spec.name,
    agent_id: agentId,
    trigger_config: {
      ...trigger,
      ...(sourceId ? { source_workflow_id: sourceId } : {}),
      ...(secret ? { secret: secret.reveal() } : {}),
    },
    prompt_template: spec.prompt_template,
    poll_interval_secs: spec.poll_interval_secs,
    enabled: spec.enabled,
    on_restart: spec.on_restart,
    tool_policy: spec.tool_policy,
  }
}
