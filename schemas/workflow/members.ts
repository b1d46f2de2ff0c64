// What a workflow is made of: the one table of the members that mean the same in a manifest and in the API.
import * as Type from 'typebox'
import { nullable, required, shaped, withDefault, type SpecOf } from '../members.ts'
import type { Secret } from '../secret.ts'
import { canonicalPolicy, WorkflowToolPolicy } from '../tools/policy.ts'

export const WorkflowName = Type.String({ minLength: 1, maxLength: 256 })

/** What becomes of a dispatch that is with an agent when the daemon restarts. */
export const ON_RESTART = ['adopt', 'retry', 'fail'] as const
export type OnRestart = (typeof ON_RESTART)[number]

/** At most what every database holds as an integer: 68 years. */
export const PollInterval = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Seconds between polls; default 60',
})

/** The agent and the trigger are not among them: a manifest names what the API gives the id of. */
export const workflowMembers = {
  prompt_template: required(Type.String({ description: 'Prompt with {{placeholders}}' })),
  poll_interval_secs: withDefault(PollInterval, 60),
  enabled: withDefault(Type.Boolean(), true),
  on_restart: nullable(
    Type.Enum([...ON_RESTART]),
    'What becomes of a dispatch in flight when the daemon restarts; default SVC_ON_RESTART',
  ),
  tool_policy: shaped(WorkflowToolPolicy, (policy) => canonicalPolicy<WorkflowToolPolicy['mode']>(policy, 'auto'), {
    atom: true,
    keyed: { tools: '.' },
  }),
}

/** Canonical form. The agent and the source of a chain are names here, ids in the API. */
export interface WorkflowSpec extends SpecOf<typeof workflowMembers> {
  name: string
  agent: string
  trigger: Record<string, unknown> & { type: string; secret?: Secret; source_workflow?: string }
}
