// Answers an agent that asks for a tool: by its policy, by a decision on record, or not before a person decides.
import { storable } from '../../../platform/store/columns.ts'
import type { AgentRow } from '../agents/store.ts'
import type { ServiceParts } from '../parts.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { allowFrame, denyFrame, type Frame } from '../session/frame.ts'
import { findByRequest, findStanding, rebindApproval, type ApprovalRow, type ToolRequest } from './approval-store.ts'
import type { ApprovalBook } from './approvals.ts'
import { decide, denyMessages, type Decision } from './policy.ts'

/** Takes one `can_use_tool` request; the same request again gets the same answer. */
export async function takeToolRequest(
  service: ServiceParts,
  approvals: ApprovalBook,
  session: AgentSession,
  frame: Frame,
): Promise<void> {
  const request: ToolRequest = {
    requestId: storable(String(frame.request_id)),
    tool: storable(String(frame.request?.tool_name ?? '')),
    input: frame.request?.input,
  }
  if (session.connection.answerAgain(request.requestId)) return
  const agent = await service.agents.find(session.agentId)
  if (!agent) return
  const known = await findByRequest(service, agent.id, request.requestId)
  if (known) return deliverDecided(approvals, session, known)
  // That of the prompt in hand holds, else the agent's own.
  const policy = session.prompt?.policy ?? agent.spec.tool_policy
  const decision = decide(policy, request.tool, request.input, {
    workingDir: agent.launched?.working_dir ?? agent.spec.working_dir,
    home: service.config.home,
  })
  if (decision === 'ask') return askPerson(service, approvals, session, agent, request)
  logDecision(service, agent, request, decision, policy.mode)
  answer(session, request, decision, denyMessages.policy(request.tool, policy.mode))
}

async function askPerson(
  service: ServiceParts,
  approvals: ApprovalBook,
  session: AgentSession,
  agent: AgentRow,
  request: ToolRequest,
): Promise<void> {
  const earlier = await rebindApproval(service, agent, request)
  if (earlier) return deliverDecided(approvals, session, earlier)
  const standing = await findStanding(service, agent, request.tool)
  if (!standing) return approvals.hold(agent, request)
  const decision = standing.status === 'approved' ? 'allow' : 'deny'
  logDecision(service, agent, request, decision, 'require_approval')
  const denial = denyMessages.person(request.tool, standing.decided_by ?? 'nobody', standing.reason)
  answer(session, request, decision, denial)
}

/** One that is pending still is answered when it is decided. */
async function deliverDecided(approvals: ApprovalBook, session: AgentSession, row: ApprovalRow): Promise<void> {
  if (row.status !== 'pending') await approvals.deliver(session, row)
}

function answer(session: AgentSession, { requestId, input }: ToolRequest, decision: Decision, denial: string): void {
  session.connection.answer(
    requestId,
    decision === 'allow' ? allowFrame(requestId, input ?? {}) : denyFrame(requestId, denial),
  )
}

function logDecision(
  service: ServiceParts,
  agent: AgentRow,
  request: ToolRequest,
  decision: Decision,
  mode: string,
): void {
  service.log.info({ agent_id: agent.id, tool_name: request.tool, decision, policy_mode: mode }, 'tool decision')
}
