import * as Type from 'typebox'
import { QueueName } from './queue.ts'
import { closedObject, orNull } from './shapes.ts'
import { WebhookMatch } from './workflow/webhook-match.ts'

const ForgeName = Type.String({
  pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$',
  description: 'Name on the forge: letters, digits, -, _ and .',
})
const forge = {
  owner: ForgeName,
  repo: ForgeName,
  labels: Type.Optional(Type.Array(Type.String())),
  state: Type.Optional(Type.Enum(['open', 'closed', 'all'])),
}
const is = <T extends string>(type: T) => ({ type: Type.Literal(type) })

export const TRIGGERS = {
  forge_issues: closedObject({
    ...is('forge_issues'),
    ...forge,
    again: Type.Optional(
      Type.Boolean({ description: 'Accept an issue again after it left the list and returned; default false' }),
    ),
  }),
  forge_pull_requests: closedObject({ ...is('forge_pull_requests'), ...forge }),
  webhook: closedObject({
    ...is('webhook'),
    secret: Type.Optional(orNull(Type.String({ minLength: 1 }))),
    match: Type.Optional(orNull(WebhookMatch)),
  }),
  queue: closedObject({
    ...is('queue'),
    queue_name: QueueName,
    poll_interval_secs: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds between polls of an empty queue; default 5' }),
    ),
    visibility_timeout_secs: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds that a claimed task stays hidden; default 300' }),
    ),
  }),
  agent_lifecycle: closedObject({
    ...is('agent_lifecycle'),
    event: Type.Enum(['session_start', 'session_end', 'context_clear']),
  }),
  dispatch_result: closedObject({
    ...is('dispatch_result'),
    source_workflow_id: Type.Optional(orNull(Type.String({ format: 'uuid' }))),
    status: Type.Optional(orNull(Type.Enum(['pending', 'dispatched', 'completed', 'failed', 'skipped']))),
  }),
  manual: closedObject({ ...is('manual') }),
  cron: closedObject({
    ...is('cron'),
    expression: Type.String({
      description: 'Five fields (minute hour day month weekday), or six with seconds first',
    }),
    timezone: Type.Optional(Type.String({ description: 'IANA time zone; default UTC' })),
    catch_up: Type.Optional(Type.Enum(['none', 'last'])),
  }),
  delay: closedObject({
    ...is('delay'),
    run_at: Type.Optional(Type.String({ format: 'date-time' })),
    delay_secs: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
} as const

export type TriggerType = keyof typeof TRIGGERS

/** Variables that a trigger adds to the standard ones. */
export const TRIGGER_VARIABLES: Record<TriggerType, readonly string[]> = {
  agent_lifecycle: ['event_type', 'agent_id', 'timestamp'],
  cron: ['fire_time', 'cron_expression'],
  delay: ['run_at', 'workflow_id'],
  dispatch_result: ['source_workflow_id', 'dispatch_id', 'status', 'timestamp', 'original_source_id'],
  forge_issues: [],
  forge_pull_requests: ['head_ref', 'base_ref', 'is_draft', 'pr_number'],
  manual: [],
  queue: ['queue_name', 'queue_task_id', 'queue_priority'],
  webhook: ['delivery_id', 'timestamp', 'forge_event', 'action', 'issue_number', 'pr_number'],
}

export const TRIGGER_TYPES = Object.keys(TRIGGERS) as TriggerType[]

/** GitHub names of forge triggers. */
export const TRIGGER_ALIASES: Record<string, TriggerType> = {
  github_issues: 'forge_issues',
  github_pull_requests: 'forge_pull_requests',
}

/** Manifests name the source workflow; the controller resolves the id. */
const manifestChain = closedObject({
  ...TRIGGERS.dispatch_result.properties,
  source_workflow: Type.Optional(Type.String()),
})

const aliased = (alias: string, of: TriggerType) =>
  closedObject({ ...TRIGGERS[of].properties, type: Type.Literal(alias) })
const aliases = Object.entries(TRIGGER_ALIASES).map(([alias, of]) => aliased(alias, of))

type AnyTrigger = Record<string, unknown> & { type: string }

const byType = (branches: Type.TSchema[]) =>
  Type.Unsafe<AnyTrigger>({
    type: 'object',
    discriminator: { propertyName: 'type' },
    oneOf: branches,
    description: 'Trigger that creates tasks, by type',
  })

export const TriggerBody = byType([...Object.values(TRIGGERS), ...aliases])
export type Trigger = Type.Static<(typeof TRIGGERS)[TriggerType]>

export const ManifestTrigger = byType([...Object.values({ ...TRIGGERS, dispatch_result: manifestChain }), ...aliases])

/** Resolves aliases, applies defaults and drops null fields and `again: false`. */
export function canonicalTrigger(trigger: Record<string, unknown>): Trigger {
  const type = TRIGGER_ALIASES[String(trigger.type)] ?? String(trigger.type)
  const { type: _, again, ...rest } = trigger
  // Stored triggers without `again` stay equal to their manifests.
  const repeats = again === undefined || again === false ? {} : { again }
  return { type, ...DEFAULTS[type], ...dropNull({ ...rest, ...repeats }) } as Trigger
}

/** True for a webhook that accepts unsigned deliveries, if the daemon does. */
export const isOpenWebhook = ({ type, secret }: Readonly<Record<string, unknown>>): boolean =>
  type === 'webhook' && (secret === undefined || secret === null)

export const OPEN_WEBHOOK =
  'has no secret: every caller can create tasks, and with SVC_AUTH=on deliveries are refused unless SVC_OPEN_WEBHOOKS=on'

const DEFAULTS: Record<string, Record<string, unknown>> = {
  forge_issues: { labels: [], state: 'open' },
  forge_pull_requests: { labels: [], state: 'open' },
  queue: { poll_interval_secs: 5, visibility_timeout_secs: 300 },
  cron: { timezone: 'UTC', catch_up: 'none' },
}

function dropNull(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
