// The name of a policy is its id.
import { byController, type Observed, type Reconciler, type Step } from '../controller/reconciler.ts'
import type { PolicyRecord, PolicySpec } from '../schemas/policy.ts'
import { policyKind } from '../schemas/policy.ts'
import { canonical } from '../schemas/members.ts'
import { writtenPolicySandbox } from '../schemas/sandbox/sandbox.ts'
import { policyMembers } from '../schemas/tools/named-policy.ts'
import type { InspectedPolicy, Orchestrator, Policies } from '../services/orchestrator/face.ts'
import { movementOf, orMissing, orMoved, refuseGone, seenBy, written } from './service-calls.ts'

export function policyReconciler({ policies, audit, changes }: Orchestrator): Reconciler<PolicySpec, PolicyRecord> {
  return {
    definition: policyKind,
    observe: async ({ name }) => {
      const policy = await policies.find(name)
      return policy && observed(policy)
    },
    observeAll: async () => (await policies.inspectAll()).map(observed),
    apply: async (step) => {
      await converge(policies, step)
      return { liveId: step.name, spec: specOf(await policies.get(step.name)) }
    },
    remove: async ({ name }, requestId) => {
      await orMissing(policies.delete(name, byController(requestId)))
    },
    health: () => ({ status: 'Ready', message: 'stored' }),
    interrupts: () => null,
    writer: (liveId, path) => audit.latest('policies', liveId, path),
    changes: (listener, since) => changes((change) => listener(movementOf(change)), { kind: 'policies', since }),
  }
}

async function converge(policies: Policies, step: Step<PolicySpec>): Promise<void> {
  const { action, name, spec, requestId } = step
  const by = byController(requestId)
  const known = action === 'replace' ? null : await policies.find(name)
  if (!known) {
    refuseGone(step, 'policy')
    const { name: _, otherwise, sandbox, ...members } = spec
    const optional = { otherwise: otherwise ?? undefined, sandbox: writtenPolicySandbox(sandbox) ?? undefined }
    await policies.put(name, { ...members, ...optional }, by)
    return
  }
  // Does not overwrite a policy created meanwhile.
  const seen = action === 'create' ? { ...step, seen: spec } : step
  const { name: _, ...members } = written(step)
  await orMoved(policies.assign(name, members, by, seenBy(seen)))
}

function observed({ record, version }: InspectedPolicy): Observed<PolicySpec, PolicyRecord> {
  return { liveId: record.name, version, live: record, spec: specOf(record) }
}

function specOf(record: PolicyRecord): PolicySpec {
  return { name: record.name, ...canonical(policyMembers, record) }
}
