// Tool requests held for a person: on record before anybody is told, open until decided, withdrawn or timed out.
import type { Actor } from '../../../platform/actor.ts'
import type { Timer } from '../../../platform/clock.ts'
import { conflict } from '../../../platform/problem.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import type { Approval, ApprovalDecision } from '../../../schemas/approval.ts'
import type { AgentRow } from '../agents/store.ts'
import type { ApprovalFilter, Approvals } from '../face.ts'
import type { ServiceParts } from '../parts.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { allowFrame, denyFrame, type Frame } from '../session/frame.ts'
import { toolText } from '../streams.ts'
import {
  addApproval,
  endApproval,
  markDelivered,
  pageOfApprovals,
  pendingApprovals,
  type ApprovalRow,
  type Ending,
  type ToolRequest,
} from './approval-store.ts'
import { denyMessages, noDecision } from './policy.ts'

const RETRY_MS = 1000

export class ApprovalBook implements Approvals {
  readonly #service: ServiceParts
  readonly #timers = new Map<string, Timer>()

  constructor(service: ServiceParts) {
    this.#service = service
  }

  async list(filter: ApprovalFilter = {}, limits: PageLimits | null = null): Promise<Page<Approval>> {
    const { items, total } = await pageOfApprovals(this.#service, filter, limits)
    return { items: items.map((row) => this.#shown(row)), total }
  }

  async get(id: string): Promise<Approval> {
    return this.#shown(await this.#service.tables.approvals.get(id))
  }

  approve(id: string, decision: ApprovalDecision, by: Actor): Promise<Approval> {
    const { updated_input = null } = decision
    return this.#decide(id, { ...endingOf('approved', decision, by), updated_input })
  }

  deny(id: string, decision: ApprovalDecision, by: Actor): Promise<Approval> {
    return this.#decide(id, endingOf('denied', decision, by))
  }

  /** Holds a request: records it, tells the streams, sets its timer. */
  async hold(agent: AgentRow, request: ToolRequest): Promise<void> {
    const row = await addApproval(this.#service, agent, request)
    this.#setTimer(row)
    this.#announce('pending_approval', row)
  }

  /** Sends the decision of `row`, and notes that it was. */
  async deliver(session: AgentSession, row: ApprovalRow): Promise<void> {
    if (!session.connected) return
    session.connection.answer(row.request_id, answerOf(row))
    await markDelivered(this.#service, row.id)
  }

  /** Times open requests out at once, because nobody asks any more: one of an agent, or all of it. */
  async abandon(agentId: string, reason: string, requestId?: string): Promise<void> {
    for (const { id, request_id } of await pendingApprovals(this.#service, agentId)) {
      if (requestId === undefined || request_id === requestId)
        await this.#end(id, { status: 'timed_out', cause: 'abandoned', reason })
    }
  }

  /** Sets the timers of requests that an earlier daemon left open; overdue ones time out now. */
  async resume(): Promise<void> {
    for (const row of await pendingApprovals(this.#service)) {
      if (Date.parse(row.expires_at) <= this.#service.clock.now()) await this.#expire(row.id)
      else this.#setTimer(row)
    }
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel()
    this.#timers.clear()
  }

  async #decide(id: string, ending: Ending): Promise<Approval> {
    const row = await this.#end(id, ending)
    if (row) return this.#shown(row)
    const { status, decided_by, decided_at } = await this.#service.tables.approvals.get(id)
    const who = decided_by ? `, by ${decided_by}` : ''
    throw conflict(
      `approval ${id} is ${status} already${who}${decided_at ? `, since ${decided_at}` : ''}`,
      'already-decided',
    )
  }

  #setTimer(row: Approval): void {
    const left = Math.max(0, Date.parse(row.expires_at) - this.#service.clock.now())
    this.#expireAfter(row.id, left)
  }

  /** A timeout that could not be recorded is tried again: the agent must get its answer. */
  #expireAfter(id: string, ms: number): void {
    if (this.#service.stopping) return
    const expire = () =>
      this.#expire(id).catch((error: unknown) => {
        const { message } = error as Error
        this.#service.log.error({ approval_id: id, error: message }, 'an approval could not be timed out')
        this.#expireAfter(id, RETRY_MS)
      })
    this.#timers.set(
      id,
      this.#service.clock.after(ms, () => void expire()),
    )
  }

  #expire(id: string): Promise<ApprovalRow | null> {
    const reason = noDecision(this.#service.settings.approvalTimeoutSecs)
    return this.#end(id, { status: 'timed_out', cause: 'expired', reason })
  }

  /** Ends a pending approval, and tells the streams and the agent; null when it is pending no more. */
  async #end(id: string, ending: Ending): Promise<ApprovalRow | null> {
    const row = await endApproval(this.#service, id, ending)
    if (!row) return null
    this.#timers.get(id)?.cancel()
    this.#timers.delete(id)
    const decision = row.status === 'approved' ? 'allow' : 'deny'
    this.#service.log.info(
      { agent_id: row.agent_id, tool_name: row.tool_name, decision, policy_mode: 'require_approval' },
      'tool decision',
    )
    this.#announce('approval_decided', row)
    const session = this.#service.sessions.find(row.agent_id)
    // A process that was started since never asked: it gets the answer when it asks again.
    if (session && row.launch === (await this.#service.agents.find(row.agent_id))?.launches)
      await this.deliver(session, row)
    return row
  }

  #shown(row: ApprovalRow): Approval {
    return this.#service.tables.approvals.record(row)
  }

  #announce(type: 'pending_approval' | 'approval_decided', row: ApprovalRow): void {
    const text = toolText(row.tool_name, row.tool_input)
    const content = type === 'approval_decided' ? `${text}: ${row.status}` : text
    this.#service.streams.publish(row.agent_id, type, content, { approval: this.#shown(row) })
  }
}

function endingOf(status: 'approved' | 'denied', { reason, scope = 'once' }: ApprovalDecision, by: Actor): Ending {
  return {
    status,
    scope,
    decided_by: by.actor.slice(0, 256),
    reason: reason ?? null,
  }
}

/** What the agent is answered. A denial carries the reason to the model word for word. */
function answerOf(row: ApprovalRow): Frame {
  if (row.status === 'approved') return allowFrame(row.request_id, row.updated_input ?? row.tool_input)
  const seconds = (Date.parse(row.expires_at) - Date.parse(row.created_at)) / 1000
  const message =
    row.cause === 'expired'
      ? denyMessages.timeout(row.tool_name, seconds)
      : denyMessages.person(row.tool_name, row.decided_by ?? 'the orchestrator', row.reason)
  return denyFrame(row.request_id, message)
}
