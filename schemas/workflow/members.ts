// Workflow fields with the same meaning in manifests and the API.
import * as Type from 'typebox'
import { nullable, required, shaped, withDefault, type SpecOf } from '../members.ts'
import { always, never, type Widens, type Widening } from '../members/widening.ts'
import type { Secret } from '../secret.ts'
import { canonicalPolicy, WorkflowToolPolicy } from '../tools/policy.ts'
import { widensPolicy } from '../tools/policy-width.ts'
import { widensMatch, type WebhookMatch } from './webhook-match.ts'

export const WorkflowName = Type.String({ minLength: 1, maxLength: 256 })

/** Handling of a running dispatch when the daemon restarts. */
export const ON_RESTART = ['adopt', 'retry', 'fail'] as const
export type OnRestart = (typeof ON_RESTART)[number]

/** Maximum database integer: 68 years. */
export const PollInterval = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Seconds between polls; default 60',
})

/** Agent and trigger differ: manifests use names, the API ids. */
export const workflowMembers = {
  prompt_template: required(Type.String({ description: 'Prompt with {{placeholders}}' }), { widens: never }),
  poll_interval_secs: withDefault(PollInterval, 60, { widens: never }),
  enabled: withDefault(Type.Boolean(), true, { widens: never }),
  on_restart: nullable(
    Type.Enum([...ON_RESTART]),
    'Effect of a daemon restart on a running dispatch; default SVC_ON_RESTART',
    { widens: never },
  ),
  tool_policy: shaped(WorkflowToolPolicy, (policy) => canonicalPolicy<WorkflowToolPolicy['mode']>(policy, 'auto'), {
    atom: true,
    keyed: { tools: '.', ask: '.', deny: '.' },
    widens: widensPolicy,
  }),
}

/** Canonical form; agent and source workflow by name, ids in the API. */
export interface WorkflowSpec extends SpecOf<typeof workflowMembers> {
  name: string
  agent: string
  trigger: Record<string, unknown> & { type: string; secret?: Secret; source_workflow?: string }
}

type Trigger = WorkflowSpec['trigger']

const matchOf = ({ match }: Trigger) => match as WebhookMatch | undefined

/** Without a secret, every caller that reaches the port creates tasks; with a wider match, more deliveries do. */
const opensTrigger: Widens = (before: Trigger | undefined, after: Trigger) =>
  before?.type !== after.type ||
  (before.secret !== undefined && after.secret === undefined) ||
  widensMatch(matchOf(before), matchOf(after))

/** Of the fields that are no members of the table. */
export const workflowWidening: Widening = { agent: always, trigger: opensTrigger }
