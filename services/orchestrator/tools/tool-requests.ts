// Answers an agent that asks for a tool: by its policy, by a decision on record, or not before a person decides.
import { storable } from '../../../platform/store/columns.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { ToolsWorld } from './world.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { allowFrame, denyFrame, type Frame } from '../session/frame.ts'
import { findStanding, inputOf, type ToolRequest } from './approval-store.ts'
import type { ApprovalBook } from './approvals.ts'
import { denyMessages, type Decision } from '../policy/judge.ts'
import { verdictOn, type Verdict } from './verdict.ts'

/**
 * Takes one `can_use_tool` request; the same request again gets the answer on record, if the policy still has it
 * so.
 */
export async function takeToolRequest(
  service: ToolsWorld,
  approvals: ApprovalBook,
  session: AgentSession,
  frame: Frame,
): Promise<void> {
  const request: ToolRequest = {
    requestId: storable(String(frame.request_id)),
    tool: storable(String(frame.request?.tool_name ?? '')),
    input: frame.request?.input,
    original: session.connection.capture.claim(frame),
  }
  const asking = await service.agents.find(session.agentId)
  if (!asking) return
  const known = await approvals.recall(asking, request)
  if (known) return approvals.deliver(session, known)
  // Read after the last wait, so that a policy that was set meanwhile is the one that judges.
  const agent = (await service.agents.find(session.agentId)) ?? asking
  const verdict = verdictOn(service, agent, toolOf(request), inputOf(request))
  if (verdict.decision === 'ask') return askPerson(service, approvals, session, agent, request)
  logDecision(service, agent, request, verdict)
  answer(session, request, verdict.decision, verdict.message)
}

async function askPerson(
  service: ToolsWorld,
  approvals: ApprovalBook,
  session: AgentSession,
  agent: AgentRow,
  request: ToolRequest,
): Promise<void> {
  const earlier = await approvals.takeOver(agent, request)
  if (earlier) return approvals.deliver(session, earlier)
  const standing = await findStanding(service, agent, request.tool)
  // What a person has said holds as far as the policy that is in force now lets it.
  const now = (await service.agents.find(agent.id)) ?? agent
  const verdict = verdictOn(service, now, toolOf(request), inputOf(request))
  if (verdict.decision === 'deny') {
    logDecision(service, agent, request, verdict)
    return answer(session, request, 'deny', verdict.message)
  }
  if (!standing) return approvals.hold(now, request)
  const decision = standing.status === 'approved' ? 'allow' : 'deny'
  logDecision(service, agent, request, { decision, mode: 'require_approval' })
  const denial = denyMessages.person(request.tool, standing.decided_by ?? 'nobody', standing.reason)
  answer(session, request, decision, denial)
}

/** As the agent sent it. */
function toolOf({ original, tool }: ToolRequest): string {
  return original === null ? tool : storable(String(original.tool))
}

function answer(session: AgentSession, request: ToolRequest, decision: Decision, denial: string): void {
  const { requestId } = request
  const input = inputOf(request) ?? {}
  session.connection.send(decision === 'allow' ? allowFrame(requestId, input) : denyFrame(requestId, denial))
}

function logDecision(
  service: ToolsWorld,
  agent: AgentRow,
  request: ToolRequest,
  { decision, mode }: Pick<Verdict, 'decision' | 'mode'>,
): void {
  service.log.info({ agent_id: agent.id, tool_name: request.tool, decision, policy_mode: mode }, 'tool decision')
}
