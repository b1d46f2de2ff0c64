// Answers an agent that asks for a tool: by its policy, by a decision on record, or not before a person decides.
import type { ApprovalBook, ToolRequest } from './approvals.ts'
import { send, type Frame } from './connection.ts'
import { policyInForce } from './conversation.ts'
import { storable, type Core } from './core.ts'
import type { Seat } from './seats.ts'
import { findAgent, type AgentRow } from './store.ts'
import { decide, denyMessages, type Decision } from './tool-policy.ts'

/** Takes one `can_use_tool` request; the same request again gets the same answer. */
export async function takeToolRequest(core: Core, approvals: ApprovalBook, seat: Seat, frame: Frame): Promise<void> {
  const request: ToolRequest = {
    requestId: storable(String(frame.request_id)),
    tool: storable(String(frame.request?.tool_name ?? '')),
    input: frame.request?.input,
  }
  const answered = seat.answers.get(request.requestId)
  if (answered) return void send(seat, answered)
  const agent = await findAgent(core, seat.agentId)
  if (!agent) return
  const known = await approvals.find(agent, request)
  if (known) return known.status === 'pending' ? undefined : approvals.deliver(seat, known)
  const policy = policyInForce(seat, agent)
  const decision = decide(policy, request.tool, request.input, {
    workingDir: agent.launched?.working_dir ?? agent.spec.working_dir,
    home: core.config.home,
  })
  if (decision === 'ask') return askPerson(core, approvals, seat, agent, request)
  logDecision(core, agent, request, decision, policy.mode)
  answer(seat, request, decision, denyMessages.policy(request.tool, policy.mode))
}

async function askPerson(
  core: Core,
  approvals: ApprovalBook,
  seat: Seat,
  agent: AgentRow,
  request: ToolRequest,
): Promise<void> {
  const earlier = await approvals.rebind(agent, request)
  if (earlier) return earlier.status === 'pending' ? undefined : approvals.deliver(seat, earlier)
  const standing = await approvals.standing(agent, request.tool)
  if (!standing) return approvals.hold(agent, request)
  const decision = standing.status === 'approved' ? 'allow' : 'deny'
  logDecision(core, agent, request, decision, 'require_approval')
  answer(seat, request, decision, denyMessages.person(request.tool, standing.decided_by ?? 'nobody', standing.reason))
}

function answer(seat: Seat, request: ToolRequest, decision: Decision, denial: string): void {
  const response =
    decision === 'allow'
      ? { behavior: 'allow', updatedInput: request.input ?? {} }
      : { behavior: 'deny', message: denial }
  const frame = { type: 'control_response', response: { subtype: 'success', request_id: request.requestId, response } }
  seat.answers.set(request.requestId, frame)
  send(seat, frame)
}

function logDecision(core: Core, agent: AgentRow, request: ToolRequest, decision: Decision, mode: string): void {
  core.log.info({ agent_id: agent.id, tool_name: request.tool, decision, policy_mode: mode }, 'tool decision')
}
