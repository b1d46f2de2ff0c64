// Policies: named tool policies in the orchestrator; their name is their id.
import type { Observed, Reconciler } from '../controller/reconciler.ts'
import { ownActor } from '../platform/actor.ts'
import type { PolicyRecord, PolicySpec } from '../schemas/policy.ts'
import { policyKind } from '../schemas/policy.ts'
import { canonicalPolicy } from '../schemas/tools/policy.ts'
import type { Orchestrator } from '../services/orchestrator/face.ts'
import { orMissing } from './missing.ts'

export function policyReconciler({ policies, audit, changes }: Orchestrator): Reconciler<PolicySpec, PolicyRecord> {
  // The service hands the same record out as long as it has not changed: then its canonical form is the same as well.
  const known = new WeakMap<PolicyRecord, Observed<PolicySpec, PolicyRecord>>()
  const remembered = (record: PolicyRecord) => {
    if (!known.has(record)) known.set(record, observed(record))
    return known.get(record)!
  }
  return {
    definition: policyKind,
    observe: async ({ name }) => {
      const record = await orMissing(policies.get(name))
      return record && observed(record)
    },
    observeAll: async () => (await policies.list()).map(remembered),
    apply: async ({ name, spec, requestId }) => {
      const { policy } = await policies.put(
        name,
        { mode: spec.mode, tools: spec.tools, description: spec.description },
        ownActor('controller', requestId),
      )
      return { liveId: name, spec: observed(policy).spec }
    },
    remove: async ({ name }, requestId) => {
      await orMissing(policies.delete(name, ownActor('controller', requestId)))
    },
    health: () => ({ status: 'Ready', message: 'stored' }),
    interrupts: () => null,
    writer: (liveId, path) => audit.latest('policies', liveId, path),
    changes: (listener) => changes((change) => change.kind === 'policies' && listener(change.id, change.name, 'state')),
  }
}

function observed(record: PolicyRecord): Observed<PolicySpec, PolicyRecord> {
  const { name, mode, description } = record
  return {
    liveId: name,
    live: record,
    spec: { name, mode, tools: canonicalPolicy(record, 'allow_all').tools ?? [], description },
  }
}
