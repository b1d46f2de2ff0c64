// Live state as the reconcilers read it.
import type { AgentRecord, AgentSpec } from '../agent.ts'
import type { PolicyRecord, PolicySpec } from '../policy.ts'
import type { Secret } from '../secret.ts'
import type { WorkflowRecord } from '../workflow.ts'

/** For the reconciler, never for output. */
export interface InspectedAgent {
  record: AgentRecord
  /** Not redacted. */
  spec: AgentSpec
  /** The spec of the running process, if it differs in fields that need a restart. */
  running: AgentSpec | null
  /** Connected, but it is not known yet whether the policy can be enforced. */
  awaitsProof: boolean
  /** Why the policy is not enforced: the program could run a tool without asking. */
  unguarded: string | null
  /** Counts writes of the row. */
  version: number
}

export type UnfiredRecord = Omit<WorkflowRecord, 'next_fire_at' | 'last_fired_at' | 'last_error'>

/** For the reconciler, never for output. */
export interface InspectedWorkflow {
  record: UnfiredRecord
  /** Not redacted. */
  secret: Secret | null
  /** The trigger has yielded its last task. */
  finished: boolean
  version: number
}

export interface InspectedPolicy {
  record: PolicyRecord
  version: number
}

export type PolicyMembers = Omit<PolicySpec, 'name'>

/** For the reconciler, never for output. */
export interface WorkflowMembers extends Pick<
  WorkflowRecord,
  'name' | 'agent_id' | 'prompt_template' | 'poll_interval_secs' | 'enabled' | 'on_restart' | 'tool_policy'
> {
  /** Canonical, not redacted. */
  trigger_config: Record<string, unknown>
}
