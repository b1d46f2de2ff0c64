// Whether a policy holds for an agent: its bridge must have proved that the program asks before every tool.
import type { AgentSpec } from '../../../schemas/agent.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import type { Capabilities } from './agent-session.ts'

type Guarded = Pick<Capabilities, 'guarded' | 'guardReason'>

/** What is wrong, in words, once the bridge found that the program could run a tool unasked; null when nothing is. */
export function guardFault(found: Guarded, spec: AgentSpec, policy: ToolPolicy = spec.tool_policy): string | null {
  if (!needsGuard(spec, policy) || found.guarded !== false) return null
  const reason = found.guardReason ?? 'the bridge gave no reason'
  return (
    `policy not enforced: the agent program could run a tool that '${policy.mode}' forbids (${reason}), ` +
    'so it gets no prompts; use another version of the program, or policy allow_all'
  )
}

/** True in the moments after a connection in which the bridge still finds out what the program is. */
export function awaitsVerdict(found: Guarded, spec: AgentSpec, policy: ToolPolicy): boolean {
  return needsGuard(spec, policy) && found.guarded === null
}

/** Why the agent gets no prompt under this policy now; null when it may. */
export function holdReason(found: Guarded, spec: AgentSpec, policy: ToolPolicy): string | null {
  if (awaitsVerdict(found, spec, policy))
    return `the bridge has not said yet whether policy '${policy.mode}' can be enforced`
  return guardFault(found, spec, policy)
}

/** A program that dials the socket itself has no bridge to vouch for it: it is trusted to ask. */
function needsGuard(spec: AgentSpec, policy: ToolPolicy): boolean {
  return policy.mode !== 'allow_all' && spec.runtime !== 'socket'
}
