// The Workflow kind; its parts are in `workflow/`.
import { policyOf, type KindDefinition } from './kind.ts'
import { atomsIn, canonical, costIn, keyedIn, widensIn } from './members.ts'
import { Secret } from './secret.ts'
import { canonicalTrigger } from './trigger.ts'
import { checkWorkflowManifest, templateText, triggerMember } from './workflow/check.ts'
import { TRIGGER_MEMBERS, WorkflowManifest } from './workflow/input.ts'
import { workflowMembers, workflowWidening, type WorkflowSpec } from './workflow/members.ts'

export { WorkflowInput, WorkflowPatch } from './workflow/input.ts'
export type { OnRestart, WorkflowSpec } from './workflow/members.ts'
export * from './workflow/record.ts'

export const workflowKind: KindDefinition<WorkflowSpec> = {
  kind: 'workflows',
  title: 'workflow',
  manifestKind: 'Workflow',
  schema: WorkflowManifest,
  secrets: TRIGGER_MEMBERS.map((member) => [member, 'secret']),
  check: checkWorkflowManifest,
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
    const trigger = canonicalTrigger(
      manifest[triggerMember(manifest)!] as Record<string, unknown>,
    ) as WorkflowSpec['trigger']
    return {
      name: manifest.name,
      agent: manifest.agent,
      trigger: typeof trigger.secret === 'string' ? { ...trigger, secret: new Secret(trigger.secret) } : trigger,
      ...canonical(workflowMembers, {
        ...manifest,
        prompt_template: templateText(manifest, context) ?? '',
        poll_interval_secs: manifest.poll_interval_secs ?? manifest.poll_interval,
        tool_policy: policyOf(manifest, context),
      }),
    }
  },
  change: costIn(workflowMembers),
  widens: { ...widensIn(workflowMembers), ...workflowWidening },
  // Fields of two trigger types must not mix.
  atoms: [...atomsIn(workflowMembers), 'trigger'],
  keyed: { ...keyedIn(workflowMembers), 'trigger.labels': '.' },
  spellings: {
    trigger: [...TRIGGER_MEMBERS],
    poll_interval_secs: ['poll_interval'],
    prompt_template: ['prompt_template_file'],
    tool_policy: ['policy'],
  },
}
