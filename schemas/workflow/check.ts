// Errors of workflows beyond their schema.
import { eitherPolicy, oneFault, resolvePath, type Fault, type ManifestContext, type ReadText } from '../kind.ts'
import { closedFault } from '../validation/closed-file.ts'
import { lfsPointerFault } from '../validation/lfs-pointer.ts'
import type { PolicySandbox } from '../sandbox/sandbox.ts'
import type { ToolPolicy } from '../tools/policy.ts'
import { policyFaults } from '../tools/policy-faults.ts'
import { policyWarnings } from '../tools/policy-warnings.ts'
import { widening } from '../tools/policy-width.ts'
import { isOpenWebhook, OPEN_WEBHOOK, TRIGGER_ALIASES } from '../trigger.ts'
import { triggerFaults } from './trigger-faults.ts'
import { TRIGGER_MEMBERS, type WorkflowInput, type WorkflowManifest, type WorkflowPatch } from './input.ts'
import { checkTemplate } from './template.ts'

type TriggerMember = (typeof TRIGGER_MEMBERS)[number]

export function checkWorkflowInput(input: WorkflowInput): Fault[] {
  const given: Partial<Record<TriggerMember, unknown>> = input
  const member = triggerMember(given)
  const trigger = member && (given[member] as Record<string, any>)
  return [
    ...(member ? [] : [noTrigger]),
    ...oneTrigger(input),
    ...(trigger ? triggerFaults(trigger, [member]) : []),
    ...(input.tool_policy ? policyFaults(input.tool_policy, ['tool_policy']) : []),
    ...textFaults(input.prompt_template, 'prompt_template', trigger?.type).filter(isError),
  ]
}

/** Errors of a patch that do not depend on the workflow. */
export function checkWorkflowPatch(patch: WorkflowPatch): Fault[] {
  return [
    ...oneTrigger(patch),
    ...(patch.tool_policy ? policyFaults(patch.tool_policy, ['tool_policy']) : []),
    ...(patch.prompt_template === undefined
      ? []
      : textFaults(patch.prompt_template, 'prompt_template').filter(isError)),
  ]
}

const isError = (fault: Fault): boolean => fault.severity !== 'warning'

const noTrigger: Fault = {
  path: ['trigger_config'],
  code: 'missing-member',
  message: 'is missing',
  hint: 'set a trigger, such as {"type": "manual"}',
}

/** Only one trigger alias may be used; a schema error would be hard to read. */
function oneTrigger(input: Partial<Record<TriggerMember, unknown>>): Fault[] {
  const [first, ...more] = ['trigger_config', 'source', 'source_config'].filter(
    (member) => input[member as TriggerMember] !== undefined,
  )
  return more.map((member) => ({
    path: [member],
    code: 'conflicting-members',
    message: `is an alias of ${first}`,
    hint: 'keep one',
  }))
}

export function triggerMember(written: Partial<Record<TriggerMember, unknown>>): TriggerMember | null {
  return TRIGGER_MEMBERS.find((member) => written[member] !== undefined) ?? null
}

function exactlyOne(manifest: WorkflowManifest, members: (keyof WorkflowManifest)[], what: string): Fault[] {
  const used = members.filter((member) => manifest[member] !== undefined)
  const names = members.join(', ')
  if (used.length === 1) return []
  if (used.length === 0)
    return [{ path: [], members, code: 'missing-member', message: `${what} is missing`, hint: `add one of ${names}` }]
  return used.slice(1).map((member) => ({
    path: [member],
    code: 'conflicting-members',
    message: `${what} is given twice: ${used.join(' and ')}`,
    hint: `keep one of ${names}`,
  }))
}

/** Template text or why it is unreadable; null if none is given. */
function readTemplate(manifest: WorkflowManifest, context: ManifestContext): ReadText | null {
  if (manifest.prompt_template !== undefined) return { text: manifest.prompt_template }
  return manifest.prompt_template_file === undefined
    ? null
    : context.readText(resolvePath(manifest.prompt_template_file, context))
}

/** Null if it cannot be read. */
export function templateText(manifest: WorkflowManifest, context: ManifestContext): string | null {
  const read = readTemplate(manifest, context)
  return read !== null && 'text' in read ? read.text : null
}

export function checkWorkflowManifest(manifest: WorkflowManifest, context: ManifestContext): Fault[] {
  const faults = [
    ...exactlyOne(manifest, [...TRIGGER_MEMBERS], 'the trigger'),
    ...exactlyOne(manifest, ['prompt_template', 'prompt_template_file'], 'the prompt template'),
  ]
  const member = triggerMember(manifest)
  const trigger = member && (manifest[member] as Record<string, any>)
  if (trigger) {
    faults.push(...triggerFaults(trigger, [member]), ...secretFaults(trigger, member))
    if (trigger.type === 'dispatch_result') faults.push(...chainFaults(trigger, member, manifest.enabled ?? true))
  }
  faults.push(...agentFaults(manifest, context))
  const { tool_policy: own } = manifest
  if (own) faults.push(...policyFaults(own, ['tool_policy']), ...policyWarnings(own, ['tool_policy']))
  faults.push(...wideningFaults(manifest, context), ...sandboxWarning(manifest, context))
  return [...faults, ...eitherPolicy(manifest), ...templateFaults(manifest, context, trigger?.type)]
}

/** Checks only agents whose spec is known. */
function agentFaults({ agent: name }: WorkflowManifest, context: ManifestContext): Fault[] {
  const agent = typeof name === 'string' ? context.lookUp('agents', name) : undefined
  if (!(agent as { interactive?: boolean } | undefined)?.interactive) return []
  return oneFault(
    ['agent'],
    'agent-interactive',
    `agent "${name}" is interactive and cannot receive the prompts of a workflow`,
    'use another agent, or remove interactive from its manifest',
  )
}

function secretFaults(trigger: Record<string, unknown>, member: string): Fault[] {
  if (!isOpenWebhook(trigger)) return []
  const hint = 'add secret: ${VARIABLE} to the trigger'
  return [{ path: [member], code: 'secret-missing', message: `${member} ${OPEN_WEBHOOK}`, hint, severity: 'warning' }]
}

/** The process of the agent already runs. */
function sandboxWarning({ agent, policy }: WorkflowManifest, context: ManifestContext): Fault[] {
  const named =
    policy === undefined ? undefined : (context.lookUp('policies', policy) as { sandbox?: PolicySandbox } | undefined)
  if (!named?.sandbox) return []
  return [
    {
      path: ['policy'],
      code: 'sandbox-of-workflow',
      message: `policy "${policy}" has a sandbox, which does not apply to a workflow`,
      hint: `set sandbox in the manifest of agent "${agent}", or in its policy`,
      severity: 'warning',
    },
  ]
}

/** A caller that can only create tasks gets what the workflow's policy allows. */
function wideningFaults({ agent, policy, tool_policy }: WorkflowManifest, context: ManifestContext): Fault[] {
  const member = policy === undefined ? 'tool_policy' : 'policy'
  const own = policy === undefined ? tool_policy : (context.lookUp('policies', policy) as ToolPolicy | undefined)
  const of = own && typeof agent === 'string' ? (context.lookUp('agents', agent) as { tool_policy: ToolPolicy }) : null
  const more = own && of ? widening(own, of.tool_policy) : null
  if (more === null) return []
  const place = context.placeOf('agents', agent, 'tool_policy')
  return [
    {
      path: [member],
      code: 'policy-wider',
      message: `${member} allows ${more}, which the policy of agent "${agent}"${place ? ` (${place})` : ''} does not`,
      hint: 'narrow it, or omit it to use the policy of the agent',
      severity: 'warning',
    },
  ]
}

/** Without a filter a chain would fire on its own dispatches, endlessly. */
function chainFaults(trigger: Record<string, unknown>, member: string, enabled: boolean): Fault[] {
  if (trigger.source_workflow !== undefined && trigger.source_workflow_id != null) {
    return oneFault(
      [member, 'source_workflow'],
      'conflicting-members',
      'source_workflow and source_workflow_id are mutually exclusive',
      'keep source_workflow: the controller sets the id',
    )
  }
  if (trigger.source_workflow !== undefined || trigger.source_workflow_id != null || !enabled) return []
  return oneFault(
    [member],
    'chain-without-filter',
    'a dispatch_result trigger without a source workflow fires on every dispatch, including its own',
    'add source_workflow: <name>, or enabled: false until a filter is set',
  )
}

function templateFaults(manifest: WorkflowManifest, context: ManifestContext, triggerType?: string): Fault[] {
  const member = manifest.prompt_template === undefined ? 'prompt_template_file' : 'prompt_template'
  if (manifest[member] === undefined) return []
  const read = readTemplate(manifest, context)
  if (read === null) return []
  if ('text' in read) return textFaults(read.text, member, triggerType)
  return [{ path: [member], ...unreadFault(read.fault, `template file "${manifest.prompt_template_file}"`) }]
}

function unreadFault(fault: Extract<ReadText, { fault: unknown }>['fault'], file: string): Omit<Fault, 'path'> {
  switch (fault) {
    case 'outside':
      return {
        code: 'file-outside',
        message: `${file} is outside the folder of the source`,
        hint: 'move it below that folder; absolute paths, links and .. must not lead outside',
      }
    case 'not-sent':
      return {
        code: 'file-not-sent',
        message: `${file} was not sent with the manifests`,
        hint: 'send it in "texts"; svc and agent send files that are in the folder itself',
      }
    case 'closed':
      return closedFault(file)
    case 'lfs-pointer':
      return lfsPointerFault(file)
    case 'unreadable':
      return {
        code: 'file-unreadable',
        message: `${file} cannot be read`,
        hint: 'relative paths start at the folder of this file',
      }
  }
}

/** Unknown variables are reported only if the trigger is known. */
function textFaults(text: string, member: string, triggerType?: string): Fault[] {
  const report = checkTemplate(text, TRIGGER_ALIASES[triggerType ?? ''] ?? triggerType)
  return [
    ...report.errors.map((issue): Fault => ({
      path: [member],
      code: issue.offset === 0 && text.trim() === '' ? 'template-empty' : 'template-unclosed',
      message: issue.message,
      hint: text.trim() === '' ? 'write what the agent should do' : 'close it with "}}"',
    })),
    ...(triggerType === undefined ? [] : report.warnings).map((issue): Fault => ({
      path: [member],
      code: 'template-unknown-variable',
      message: issue.message,
      hint: 'the metadata of a task may define it; otherwise check the spelling',
      severity: 'warning',
    })),
  ]
}
