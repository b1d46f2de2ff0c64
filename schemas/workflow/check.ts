// What is wrong with a workflow that its schema cannot say: in a manifest, in a create body, in a patch.
import { eitherPolicy, oneFault, resolvePath, type Fault, type ManifestContext, type ReadText } from '../kind.ts'
import { lfsPointerFault } from '../validation/lfs-pointer.ts'
import { policyFaults } from '../tools/policy-faults.ts'
import { TRIGGER_ALIASES } from '../trigger.ts'
import { triggerFaults } from './trigger-faults.ts'
import { TRIGGER_MEMBERS, type WorkflowInput, type WorkflowManifest, type WorkflowPatch } from './input.ts'
import { checkTemplate } from './template.ts'

type TriggerMember = (typeof TRIGGER_MEMBERS)[number]

/** All faults of a create body beyond its schema. */
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

/** All faults of a patch that can be told without the workflow it is for. */
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
  hint: 'say what yields the tasks, such as {"type": "manual"}',
}

/** One trigger under one of its names: a schema cannot say it in words a person understands. */
function oneTrigger(input: Partial<Record<TriggerMember, unknown>>): Fault[] {
  const [first, ...more] = ['trigger_config', 'source', 'source_config'].filter(
    (member) => input[member as TriggerMember] !== undefined,
  )
  return more.map((member) => ({
    path: [member],
    code: 'conflicting-members',
    message: `is another name of ${first}`,
    hint: 'keep one',
  }))
}

/** The one trigger member that was used, or null. */
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

/** The prompt template, from its file where it stands in one; null when neither is said. */
function readTemplate(manifest: WorkflowManifest, context: ManifestContext): ReadText | null {
  if (manifest.prompt_template !== undefined) return { text: manifest.prompt_template }
  return manifest.prompt_template_file === undefined
    ? null
    : context.readText(resolvePath(manifest.prompt_template_file, context))
}

/** The text of the prompt template; null when it cannot be read. */
export function templateText(manifest: WorkflowManifest, context: ManifestContext): string | null {
  const read = readTemplate(manifest, context)
  return read !== null && 'text' in read ? read.text : null
}

/** All faults of a manifest beyond its schema. */
export function checkWorkflowManifest(manifest: WorkflowManifest, context: ManifestContext): Fault[] {
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
  faults.push(...agentFaults(manifest, context))
  if (manifest.tool_policy) faults.push(...policyFaults(manifest.tool_policy, ['tool_policy']))
  return [...faults, ...eitherPolicy(manifest), ...templateFaults(manifest, context, trigger?.type)]
}

/** Of an agent of which nobody knows more than its name, nothing is said. */
function agentFaults({ agent: name }: WorkflowManifest, context: ManifestContext): Fault[] {
  const agent = typeof name === 'string' ? context.lookUp('agents', name) : undefined
  if (!(agent as { interactive?: boolean } | undefined)?.interactive) return []
  return oneFault(
    ['agent'],
    'agent-interactive',
    `agent "${name}" is interactive: nothing can send it the prompts of a workflow`,
    'name another agent, or take interactive out of its manifest',
  )
}

/** A chain without a filter would fire on its own dispatches, and so without end. */
function chainFaults(trigger: Record<string, unknown>, member: string, enabled: boolean): Fault[] {
  if (trigger.source_workflow !== undefined && trigger.source_workflow_id != null) {
    return oneFault(
      [member, 'source_workflow'],
      'conflicting-members',
      'source_workflow and source_workflow_id exclude each other',
      'keep source_workflow: the controller sets the id',
    )
  }
  if (trigger.source_workflow !== undefined || trigger.source_workflow_id != null || !enabled) return []
  return oneFault(
    [member],
    'chain-without-filter',
    'a dispatch_result trigger without a source workflow fires on every dispatch, its own included',
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

/** Why a file has no text, and what to do. */
function unreadFault(fault: Extract<ReadText, { fault: unknown }>['fault'], file: string): Omit<Fault, 'path'> {
  switch (fault) {
    case 'outside':
      return {
        code: 'file-outside',
        message: `${file} leads outside the folder of the source`,
        hint: 'put it below that folder: by no absolute path, link or .. may a manifest read other files',
      }
    case 'not-sent':
      return {
        code: 'file-not-sent',
        message: `${file} did not come with the manifests, and stands in no folder that the daemon watches`,
        hint: 'send it along in "texts"; svc and agent send those that stand in the folder itself',
      }
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

/** Faults of a template's text; what the trigger does not bring is warned of where the trigger is known. */
function textFaults(text: string, member: string, triggerType?: string): Fault[] {
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
