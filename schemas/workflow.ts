// The Workflow kind: a trigger, a prompt template, one agent; and the records of the API.
import Type, { type Static } from 'typebox'
import { commonMembers, type Fault, type KindDefinition, type ManifestContext } from './kind.ts'
import { resolvePath } from './paths.ts'
import type { PolicySpec } from './policy.ts'
import { Secret } from './secret.ts'
import { checkTemplate } from './template.ts'
import { canonicalPolicy, policyFaults, WorkflowToolPolicy } from './tool-policy.ts'
import { canonicalTrigger, ManifestTrigger, TRIGGER_ALIASES, triggerFaults, TriggerBody } from './trigger.ts'

/** At most what every database holds as an integer: 68 years. */
const interval = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Seconds between polls; default 60' })
const TRIGGER_MEMBERS = ['source', 'trigger_config', 'source_config'] as const

export const WorkflowManifest = Type.Object(
  {
    ...commonMembers,
    agent: Type.String({ description: 'Name of the agent that does the work' }),
    source: Type.Optional(ManifestTrigger),
    trigger_config: Type.Optional(ManifestTrigger),
    source_config: Type.Optional(ManifestTrigger),
    prompt_template: Type.Optional(Type.String({ description: 'Prompt with {{placeholders}}' })),
    prompt_template_file: Type.Optional(Type.String({ description: 'File that holds the prompt template' })),
    poll_interval: Type.Optional(interval),
    poll_interval_secs: Type.Optional(interval),
    enabled: Type.Optional(Type.Boolean()),
    tool_policy: Type.Optional(WorkflowToolPolicy),
    policy: Type.Optional(Type.String({ description: 'Name of a Policy, in place of tool_policy' })),
  },
  {
    $id: 'WorkflowManifest',
    title: 'Workflow',
    additionalProperties: false,
    description: 'A trigger, a prompt template and one agent',
  },
)
export type WorkflowManifest = Static<typeof WorkflowManifest>

/** Canonical form. The agent and the source of a chain are names here, ids in the API. */
export interface WorkflowSpec {
  name: string
  agent: string
  trigger: Record<string, unknown> & { type: string; secret?: Secret; source_workflow?: string }
  prompt_template: string
  poll_interval_secs: number
  enabled: boolean
  tool_policy: WorkflowToolPolicy
}

const workflowMembers = {
  name: Type.String({ minLength: 1, maxLength: 256 }),
  agent_id: Type.String({ format: 'uuid' }),
  prompt_template: Type.String(),
  poll_interval_secs: interval,
  enabled: Type.Boolean(),
  tool_policy: WorkflowToolPolicy,
}

/** Body of `POST /workflows`; `source_config` is an alias of `trigger_config`. */
export const WorkflowInput = Type.Object(
  {
    name: workflowMembers.name,
    agent_id: workflowMembers.agent_id,
    trigger_config: Type.Optional(TriggerBody),
    source_config: Type.Optional(TriggerBody),
    prompt_template: workflowMembers.prompt_template,
    poll_interval_secs: Type.Optional(interval),
    enabled: Type.Optional(Type.Boolean()),
    tool_policy: Type.Optional(WorkflowToolPolicy),
  },
  { $id: 'WorkflowInput', additionalProperties: false },
)
export type WorkflowInput = Static<typeof WorkflowInput>

const TriggerPatch = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Trigger members; without `type` they are merged into the present trigger',
})

/** Body of `PATCH` and `PUT /workflows/{id}`. */
export const WorkflowPatch = Type.Object(
  {
    ...Type.Partial(Type.Object(workflowMembers)).properties,
    source: Type.Optional(TriggerPatch),
    trigger_config: Type.Optional(TriggerPatch),
    source_config: Type.Optional(TriggerPatch),
  },
  { $id: 'WorkflowPatch', additionalProperties: false },
)
export type WorkflowPatch = Static<typeof WorkflowPatch>

export const WorkflowRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...workflowMembers,
    trigger_config: Type.Object(
      { type: Type.String() },
      { additionalProperties: true, description: 'The trigger; a webhook secret is shown as ***' },
    ),
    warnings: Type.Array(Type.String()),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Workflow', additionalProperties: false },
)
export type WorkflowRecord = Static<typeof WorkflowRecord>

/** Body of `POST /workflows/{id}/trigger`; empty or absent is valid. */
export const TriggerInput = Type.Object(
  {
    title: Type.Optional(Type.String()),
    body: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { $id: 'TriggerInput', additionalProperties: false },
)
export type TriggerInput = Static<typeof TriggerInput>

export const DISPATCH_STATUSES = ['pending', 'dispatched', 'completed', 'failed', 'skipped'] as const

export const DispatchRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    workflow_id: Type.String({ format: 'uuid' }),
    source_id: Type.String(),
    agent_id: Type.String({ format: 'uuid' }),
    prompt_sent: Type.String(),
    status: Type.Enum([...DISPATCH_STATUSES]),
    trigger_type: Type.String(),
    attempt: Type.Integer(),
    error: Type.Union([Type.String(), Type.Null()]),
    result: Type.Union([Type.String(), Type.Null()]),
    usage: Type.Union([Type.Record(Type.String(), Type.Number()), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
    dispatched_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    completed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { $id: 'Dispatch', additionalProperties: false },
)
export type DispatchRecord = Static<typeof DispatchRecord>

/** The one trigger member a manifest used, or null. */
function triggerMember(manifest: WorkflowManifest): (typeof TRIGGER_MEMBERS)[number] | null {
  return TRIGGER_MEMBERS.find((member) => manifest[member] !== undefined) ?? null
}

function exactlyOne(manifest: WorkflowManifest, members: (keyof WorkflowManifest)[], what: string): Fault[] {
  const used = members.filter((member) => manifest[member] !== undefined)
  const names = members.join(', ')
  if (used.length === 1) return []
  if (used.length === 0)
    return [{ path: [], code: 'missing-member', message: `${what} is missing`, hint: `add one of ${names}` }]
  return used
    .slice(1)
    .map((member) => ({
      path: [member],
      code: 'conflicting-members',
      message: `${what} is given twice: ${used.join(' and ')}`,
      hint: `keep one of ${names}`,
    }))
}

function templateText(manifest: WorkflowManifest, context: ManifestContext): string | null {
  if (manifest.prompt_template !== undefined) return manifest.prompt_template
  return manifest.prompt_template_file === undefined
    ? null
    : context.readText(resolvePath(manifest.prompt_template_file, context))
}

function checkWorkflow(manifest: WorkflowManifest, context: ManifestContext): Fault[] {
  const faults = [
    ...exactlyOne(manifest, [...TRIGGER_MEMBERS], 'the trigger'),
    ...exactlyOne(manifest, ['prompt_template', 'prompt_template_file'], 'the prompt template'),
  ]
  const member = triggerMember(manifest)
  const trigger = member && (manifest[member] as Record<string, any>)
  if (trigger) {
    faults.push(...triggerFaults(trigger, [member]))
    if (trigger.type === 'dispatch_result') faults.push(...chainFaults(trigger, member, manifest.enabled ?? true))
  }
  if (manifest.tool_policy) faults.push(...policyFaults(manifest.tool_policy, ['tool_policy']))
  if (manifest.tool_policy && manifest.policy !== undefined) {
    faults.push({
      path: ['policy'],
      code: 'conflicting-members',
      message: 'tool_policy and policy exclude each other',
      hint: 'keep one: tool_policy inline, or policy with the name of a Policy',
    })
  }
  return [...faults, ...templateFaults(manifest, context, trigger?.type)]
}

/** A chain without a filter would fire on its own dispatches, and so without end. */
function chainFaults(trigger: Record<string, unknown>, member: string, enabled: boolean): Fault[] {
  if (trigger.source_workflow !== undefined && trigger.source_workflow_id != null) {
    return [
      {
        path: [member, 'source_workflow'],
        code: 'conflicting-members',
        message: 'source_workflow and source_workflow_id exclude each other',
        hint: 'keep source_workflow: the controller sets the id',
      },
    ]
  }
  if (trigger.source_workflow !== undefined || trigger.source_workflow_id != null || !enabled) return []
  return [
    {
      path: [member],
      code: 'chain-without-filter',
      message: 'a dispatch_result trigger without a source workflow fires on every dispatch, its own included',
      hint: 'add source_workflow: <name>, or enabled: false until a filter is set',
    },
  ]
}

function templateFaults(manifest: WorkflowManifest, context: ManifestContext, triggerType?: string): Fault[] {
  const member = manifest.prompt_template === undefined ? 'prompt_template_file' : 'prompt_template'
  if (manifest[member] === undefined) return []
  const text = templateText(manifest, context)
  if (text === null)
    return [
      {
        path: [member],
        code: 'file-unreadable',
        message: `template file "${manifest.prompt_template_file}" cannot be read`,
        hint: 'relative paths start at the folder of this file',
      },
    ]
  const report = checkTemplate(text, TRIGGER_ALIASES[triggerType ?? ''] ?? triggerType)
  return [
    ...report.errors.map((issue): Fault => ({
      path: [member],
      code: issue.offset === 0 && text.trim() === '' ? 'template-empty' : 'template-unclosed',
      message: issue.message,
      hint: text.trim() === '' ? 'write what the agent shall do' : 'close it with "}}"',
    })),
    ...(triggerType === undefined ? [] : report.warnings).map((issue): Fault => ({
      path: [member],
      code: 'template-unknown-variable',
      message: issue.message,
      hint: 'metadata of a task may bring it; otherwise check the spelling',
      severity: 'warning',
    })),
  ]
}

export const workflowKind: KindDefinition<WorkflowSpec> = {
  kind: 'workflows',
  title: 'workflow',
  manifestKind: 'Workflow',
  schema: WorkflowManifest,
  secrets: TRIGGER_MEMBERS.map((member) => [member, 'secret']),
  check: checkWorkflow,
  references: (manifest: WorkflowManifest) => {
    const member = triggerMember(manifest)
    const chain = member && (manifest[member] as Record<string, unknown>).source_workflow
    return [
      { kind: 'agents', name: manifest.agent, path: ['agent'] },
      ...(manifest.policy === undefined ? [] : [{ kind: 'policies', name: manifest.policy, path: ['policy'] }]),
      ...(typeof chain === 'string' ? [{ kind: 'workflows', name: chain, path: [member!, 'source_workflow'] }] : []),
    ]
  },
  canonicalise: (manifest: WorkflowManifest, context) => {
    const shared =
      manifest.policy === undefined
        ? undefined
        : (context.resolve('policies', manifest.policy) as PolicySpec | undefined)
    const trigger = canonicalTrigger(
      manifest[triggerMember(manifest)!] as Record<string, unknown>,
    ) as WorkflowSpec['trigger']
    return {
      name: manifest.name,
      agent: manifest.agent,
      trigger: typeof trigger.secret === 'string' ? { ...trigger, secret: new Secret(trigger.secret) } : trigger,
      prompt_template: templateText(manifest, context) ?? '',
      poll_interval_secs: manifest.poll_interval_secs ?? manifest.poll_interval ?? 60,
      enabled: manifest.enabled ?? true,
      tool_policy: canonicalPolicy<WorkflowToolPolicy['mode']>(shared ?? manifest.tool_policy, 'auto'),
    }
  },
  change: () => 'in-place',
  atoms: ['tool_policy'],
  spellings: {
    trigger: [...TRIGGER_MEMBERS],
    poll_interval_secs: ['poll_interval'],
    prompt_template: ['prompt_template_file'],
    tool_policy: ['policy'],
  },
}
