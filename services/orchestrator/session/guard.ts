// A policy can be enforced only if the bridge has proved that the program asks before every tool call.
import type { AgentSpec } from '../../../schemas/agent.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import type { Prompt } from '../record/tables.ts'
import type { Capabilities } from './agent-session.ts'

type Guarded = Pick<Capabilities, 'guarded' | 'guardReason'>

/**
 * Policies in force during a prompt. That of a workflow replaces the agent's; if an agent caused the task, both apply,
 * because otherwise it could give itself a wider policy.
 */
export function policiesFor(
  prompt: Pick<Prompt, 'policy' | 'by_agent'> | null,
  { tool_policy: own }: Pick<AgentSpec, 'tool_policy'>,
): ToolPolicy[] {
  if (!prompt?.policy) return [own]
  return prompt.by_agent ? [prompt.policy, own] : [prompt.policy]
}

/** Returns null unless the bridge found that the program could run a tool without asking. */
export function guardFault(found: Guarded, spec: AgentSpec, policy: ToolPolicy = spec.tool_policy): string | null {
  if (!needsGuard(spec, policy) || found.guarded !== false) return null
  const reason = found.guardReason ?? 'the bridge gave no reason'
  return (
    `policy not enforced: the agent program could run a tool that '${policy.mode}' forbids (${reason}), ` +
    'so it gets no prompts; use another version of the program, or policy allow_all'
  )
}

export function awaitsVerdict(found: Guarded, spec: AgentSpec, policy: ToolPolicy): boolean {
  return needsGuard(spec, policy) && found.guarded === null
}

/** Returns null if prompts may be sent. */
export function holdReason(found: Guarded, spec: AgentSpec, policy: ToolPolicy): string | null {
  if (awaitsVerdict(found, spec, policy))
    return `the bridge has not yet reported whether policy '${policy.mode}' can be enforced`
  return guardFault(found, spec, policy)
}

/** Without a bridge, the program is trusted to ask. */
function needsGuard(spec: AgentSpec, policy: ToolPolicy): boolean {
  return policy.mode !== 'allow_all' && spec.runtime !== 'socket'
}
