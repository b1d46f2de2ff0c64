// Requests are recorded before they are announced.
import type { Actor } from '../../../platform/core/actor.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { conflict } from '../../../platform/core/problem.ts'
import type { CursorAsked } from '../../../platform/store/keyset.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import type { Slice } from '../../../schemas/operations/page.ts'
import {
  MOST_SIMILAR,
  type AlikeDecision,
  type AlikeResult,
  type Approval,
  type ApprovalCounts,
  type ApprovalDecision,
  type ApprovalFilter,
  type SimilarDecision,
} from '../../../schemas/tools/approval.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { Approvals } from '../face.ts'
import { OLDEST_FIRST } from '../record/tables.ts'
import type { RecordWorld } from '../record/world.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { toolText } from '../events/streams.ts'
import { decideAlike } from './alike-decisions.ts'
import { ApprovalLimit } from './approval-limit.ts'
import { approvalSlice } from './approval-lists.ts'
import {
  addApproval,
  agentsWithOpenApprovals,
  findByRequestId,
  closeApprovals,
  findSimilar,
  isMasked,
  isSameRequest,
  originalOf,
  rebindApproval,
  type ApprovalRow,
  type RequestFacts,
  type ToolRequest,
} from './approval-store.ts'
import {
  answerOf,
  confirmSends,
  endApproval,
  endingOf,
  lockedBy,
  recordSend,
  refuseUndeliverable,
  settleApproval,
  withdrawDecision,
  type Ending,
} from './decisions.ts'
import { noDecision } from '../policy/judge.ts'
import type { ToolsWorld } from './world.ts'

const RETRY_MS = 1000

export class ApprovalBook implements Approvals {
  readonly #record: RecordWorld
  readonly #world: ToolsWorld
  readonly #timers = new Map<string, Timer>()
  readonly #limit: ApprovalLimit

  constructor(record: RecordWorld, world: ToolsWorld) {
    this.#record = record
    this.#world = world
    this.#limit = new ApprovalLimit(record, world.settings.mostApprovals)
  }

  async list({ status, agentId }: ApprovalFilter = {}, limits: PageLimits | null = null): Promise<Page<Approval>> {
    const where = { status, agent_id: agentId }
    const { items, total } = await this.#record.tables.approvals.page({ where, ...limits })
    return { items: items.map((row) => this.#shown(row)), total }
  }

  slice(filter: ApprovalFilter, cursor: CursorAsked): Promise<Slice<Approval, ApprovalCounts>> {
    return approvalSlice(this.#record, filter, cursor)
  }

  async get(id: string): Promise<Approval> {
    return this.#shown(await this.#record.tables.approvals.get(id))
  }

  async approve(id: string, decision: ApprovalDecision, by: Actor): Promise<Approval> {
    const { updated_input = null } = decision
    await refuseUndeliverable(this.#record, this.#world, { id, updated_input })
    return this.#decide(id, { ...endingOf('approved', decision, by), updated_input })
  }

  deny(id: string, decision: ApprovalDecision, by: Actor): Promise<Approval> {
    return this.#decide(id, endingOf('denied', decision, by))
  }

  decideAlike(asked: AlikeDecision, by: Actor): Promise<AlikeResult[]> {
    return decideAlike(this.#record, this, asked, by)
  }

  async withdraw(id: string, { actor }: Actor): Promise<Approval> {
    const row = await withdrawDecision(this.#record, id)
    this.#setTimer(row)
    this.#announce('approval_withdrawn', row, `decision withdrawn by ${actor}`)
    return this.#shown(row)
  }

  async similar(id: string, limits: PageLimits | null = null): Promise<Page<SimilarDecision>> {
    const row = await this.#record.tables.approvals.get(id)
    if (row.policy_digest === null) return { items: [], total: 0 }
    return findSimilar(this.#record, row, limits ?? { limit: MOST_SIMILAR, offset: 0 })
  }

  /** Returns why the request cannot be held, or null. Call from the agent's frame queue. */
  async hold(agent: AgentRow, request: ToolRequest, factsOf: () => Promise<RequestFacts>): Promise<string | null> {
    const refusal = (await this.#limit.reachedBy(agent)) ?? (await this.#world.disk.fault())
    if (refusal !== null) return refusal
    const { approvalTimeoutSecs: timeoutSecs } = this.#world.settings
    const row = await addApproval(this.#record, agent, request, { facts: await factsOf(), timeoutSecs })
    this.#setTimer(row)
    this.#announce('pending_approval', row)
    return null
  }

  /**
   * Closes other open approvals with the same id: the agent expects one answer per id. Call from the agent's frame
   * queue.
   */
  async recall(agent: AgentRow, request: ToolRequest): Promise<ApprovalRow | null> {
    const asked = await findByRequestId(this.#record, agent, request.requestId)
    const known = asked.find((row) => isSameRequest(row, agent, request)) ?? null
    const others = asked.filter((row) => row !== known && row.sending_at === null && row.cause === null)
    if (others.length > 0) {
      const reason = 'the agent reused the request id for another request'
      const ids = others.map(({ id }) => id)
      const closed = await this.#close((query) => void query.whereIn('id', ids), reason)
      for (const row of closed) this.#announceDecision(row)
    }
    return known
  }

  async takeOver(agent: AgentRow, request: ToolRequest): Promise<ApprovalRow | null> {
    const row = await rebindApproval(this.#record, agent, request)
    if (row?.status === 'pending') this.#announce('pending_approval', row)
    return row
  }

  /** Sends the decision, if any; a denial if the current policy or a lock forbids the call. */
  async deliver(session: AgentSession, row: ApprovalRow): Promise<void> {
    const { number, masking } = session.connection
    // Two decisions can follow each other before the first is due: one answer per request.
    if (!session.connected || session.connection.answered.has(row.request_id)) return
    const original = originalOf(row, masking.original(row.request_id))
    // A reconnected agent lists its open requests and is answered then.
    if (original === null && isMasked(row) && !session.synced) return
    const locked = await lockedBy(this.#world, await this.#record.agents.find(row.agent_id), row)
    const settled = await settleApproval(this.#record, this.#world.judging, { id: row.id, locked })
    if (!settled) return
    if (settled.overruled) this.#announceDecision(settled.row)
    // On a new connection the agent asks again.
    const isSent = session.connection.number === number && session.connection.send(answerOf(settled.row, original))
    const record = async () => {
      const delivered = await recordSend(this.#record, settled, isSent)
      if (delivered) this.#announceDelivery(delivered)
    }
    // Before the next frame, which may send it.
    if (!isSent) return record()
    session.connection.answered.add(row.request_id)
    // Retried alone: a retry of the whole would send a second answer.
    void session.frames.take(record)
  }

  /** Call after the requests that the agent lists as open have been answered. */
  confirm(session: AgentSession, listed: ReadonlySet<string>): void {
    void session.frames.take(async () => {
      const agent = await this.#record.agents.find(session.agentId)
      if (!agent) return
      for (const row of await confirmSends(this.#record, agent, listed)) this.#announceDelivery(row)
    })
  }

  async abandon(agentId: string, reason: string): Promise<void> {
    this.announce(await this.#close((query) => void query.where({ agent_id: agentId }), reason))
  }

  /** Pass the result to `announce` after the commit. */
  close(transaction: Knex, agentId: string, reason: string): Promise<ApprovalRow[]> {
    return closeApprovals(this.#record, transaction, (query) => void query.where({ agent_id: agentId }), reason)
  }

  announce(ended: readonly ApprovalRow[]): void {
    for (const row of ended) this.#announceEnd(row)
  }

  /** The agent withdrew the request. */
  async cancel(agentId: string, requestId: string): Promise<void> {
    const agent = await this.#record.agents.find(agentId)
    if (!agent) return
    const asked = { agent_id: agentId, request_id: requestId, launch: agent.launches }
    this.announce(await this.#close((query) => void query.where(asked), 'the agent withdrew the request'))
  }

  #close(which: (query: Knex.QueryBuilder) => void, reason: string): Promise<ApprovalRow[]> {
    return write(this.#record.db, (transaction) => closeApprovals(this.#record, transaction, which, reason))
  }

  async resume(): Promise<void> {
    for (const agentId of await agentsWithOpenApprovals(this.#record)) {
      const agent = await this.#record.agents.find(agentId)
      if (!agent || agent.status === 'stopped') await this.abandon(agentId, 'the agent was stopped')
    }
    const { approvals } = this.#record.tables
    for (const row of await approvals.list({ where: { status: 'pending' }, order: OLDEST_FIRST })) {
      if (Date.parse(row.expires_at) <= this.#record.clock.now()) await this.#expire(row.id)
      else this.#setTimer(row)
    }
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel()
    this.#timers.clear()
  }

  async #decide(id: string, ending: Ending): Promise<Approval> {
    const row = await endApproval(this.#record, this.#world.judging, id, ending)
    if (row) {
      this.#announceEnd(row)
      return this.#shown(row)
    }
    const { status, decided_by, decided_at } = await this.#record.tables.approvals.get(id)
    const who = decided_by ? ` by ${decided_by}` : ''
    throw conflict(
      `approval ${id} is already ${status}${who}${decided_at ? ` at ${decided_at}` : ''}`,
      'already-decided',
    )
  }

  #setTimer(row: Approval): void {
    const left = Math.max(0, Date.parse(row.expires_at) - this.#record.clock.now())
    this.#expireAfter(row.id, left)
  }

  /** Retries a failed write: the agent must get an answer. */
  #expireAfter(id: string, ms: number): void {
    if (this.#world.stopping.aborted) return
    const expire = () =>
      this.#expire(id).catch((error: unknown) => {
        const { message } = error as Error
        this.#record.log.error({ approval_id: id, error: message }, 'failed to expire approval')
        this.#expireAfter(id, RETRY_MS)
      })
    this.#timers.set(
      id,
      this.#record.clock.after(ms, () => void expire()),
    )
  }

  async #expire(id: string): Promise<void> {
    const reason = noDecision(this.#world.settings.approvalTimeoutSecs)
    const row = await endApproval(this.#record, this.#world.judging, id, {
      status: 'timed_out',
      cause: 'expired',
      reason,
    })
    if (row) this.#announceEnd(row)
  }

  #announceEnd(row: ApprovalRow): void {
    this.#announceDecision(row)
    const session = this.#world.sessions.find(row.agent_id)
    if (session?.connected) void session.frames.take(() => this.deliver(session, row))
  }

  /** Does not notify the agent. */
  #announceDecision(row: ApprovalRow): void {
    this.#timers.get(row.id)?.cancel()
    this.#timers.delete(row.id)
    const decision = row.status === 'approved' ? 'allow' : 'deny'
    this.#record.log.info(
      { agent_id: row.agent_id, tool_name: row.tool_name, decision, policy_mode: 'require_approval' },
      'tool decision',
    )
    this.#announce('approval_decided', row, row.status)
  }

  /** Without text: the decision has been announced. */
  #announceDelivery(row: ApprovalRow): void {
    this.#world.streams.publish(row.agent_id, 'approval_delivered', '', { approval: this.#shown(row) })
  }

  #shown(row: ApprovalRow): Approval {
    return this.#record.tables.approvals.record(row)
  }

  #announce(type: string, row: ApprovalRow, outcome?: string): void {
    const text = toolText(row.tool_name, row.tool_input)
    const content = outcome === undefined ? text : `${text}: ${outcome}`
    this.#world.streams.publish(row.agent_id, type, content, { approval: this.#shown(row) })
  }
}
