import { createHash } from 'node:crypto'
import { write, type Knex } from '../../../platform/database/database.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import type { SimilarDecision } from '../../../schemas/tools/approval.ts'
import type { AgentRow } from '../record/agent-store.ts'
import { now, type Creating, type Querying, type Reading, type Writing } from '../record/world.ts'
import type { OriginalRequest } from '../session/frame-masking.ts'
import { OLDEST_FIRST, type ApprovalRow } from '../record/tables.ts'

export type { ApprovalRow } from '../record/tables.ts'

export interface ToolRequest {
  requestId: string
  /** Redacted, safe to display. */
  tool: string
  input: unknown
  /** Unredacted, if different. */
  original: OriginalRequest | null
}

/** What a person sees beside the call. Masked. */
export type RequestFacts = Pick<
  ApprovalRow,
  | 'agent_name'
  | 'finding'
  | 'policy'
  | 'policy_digest'
  | 'directory'
  | 'dispatch_id'
  | 'workflow'
  | 'turn_id'
  | 'programs'
  | 'effects'
  | 'last_text'
  | 'alike'
>

/** What the policy evaluates and the tool runs with. */
export function inputOf({ original, input }: ToolRequest): unknown {
  return (original ?? { input }).input
}

type Query = Knex.QueryBuilder

export function addApproval(
  service: Creating,
  agent: AgentRow,
  { requestId, tool, input, original }: ToolRequest,
  { facts, timeoutSecs }: { facts: RequestFacts; timeoutSecs: number },
): Promise<ApprovalRow> {
  const expires = service.clock.now() + timeoutSecs * 1000
  return service.tables.approvals.insert({
    id: service.ids(),
    agent_id: agent.id,
    request_id: requestId,
    tool_name: tool,
    tool_input: input ?? {},
    ...facts,
    input_digest: digest(original ? original.input : input),
    launch: agent.launches,
    session_number: agent.session_number,
    conversation: agent.program_session,
    status: 'pending',
    created_at: now(service),
    expires_at: new Date(expires).toISOString(),
  })
}

/** Current launch only, newest first. */
export function findByRequestId({ tables }: Reading, agent: AgentRow, requestId: string): Promise<ApprovalRow[]> {
  return tables.approvals.list({ where: { agent_id: agent.id, request_id: requestId, launch: agent.launches } })
}

/** Ids may be reused, so tool, input and context must match. */
export function isSameRequest(row: ApprovalRow, agent: AgentRow, request: ToolRequest): boolean {
  return (
    row.request_id === request.requestId &&
    row.tool_name === request.tool &&
    row.input_digest === digest(inputOf(request)) &&
    row.launch === agent.launches &&
    row.session_number === agent.session_number
  )
}

/** True if the asking process is recorded as running and in the same context. */
export function stillAsks(row: ApprovalRow, agent: AgentRow | null): agent is AgentRow {
  return agent?.status === 'running' && row.launch === agent.launches && row.session_number === agent.session_number
}

/** Binds an unsent approval to a new request: a conversation resumed after a crash asks again, with another id. */
export function rebindApproval(
  { db, tables: { approvals } }: Querying,
  agent: AgentRow,
  request: ToolRequest,
): Promise<ApprovalRow | null> {
  if (agent.program_session === null) return Promise.resolve(null)
  const same = {
    agent_id: agent.id,
    tool_name: request.tool,
    input_digest: digest(inputOf(request)),
    session_number: agent.session_number,
    conversation: agent.program_session,
  }
  return write(db, async (transaction) => {
    const row = await approvals.find(
      (query) =>
        void query
          .where(same)
          .where('launch', '<', agent.launches)
          .whereNull('sending_at')
          .whereNull('delivered_at')
          .whereNull('cause')
          .whereIn('status', ['pending', 'approved', 'denied']),
      transaction,
      { order: OLDEST_FIRST },
    )
    if (!row) return null
    const bound = { request_id: request.requestId, launch: agent.launches }
    await approvals.update(row.id, bound, transaction)
    return { ...row, ...bound }
  })
}

/** At the end of a launch, when nothing can prove it any more: decisions that may have been sent count as delivered. */
export async function settleSends({ tables }: Writing, transaction: Knex, agentId: string): Promise<void> {
  const { approvals } = tables
  const where = (query: Query) =>
    void query.where({ agent_id: agentId }).whereNotNull('sending_at').whereNull('delivered_at')
  for (const { id, sending_at } of await approvals.list({ where }, transaction))
    await approvals.update(id, { delivered_at: sending_at }, transaction)
}

/** Ends pending approvals and voids decisions that the agent no longer needs. Returns the pending ones. */
export async function closeApprovals(
  service: Writing,
  transaction: Knex,
  which: (query: Query) => void,
  reason: string,
): Promise<ApprovalRow[]> {
  const { approvals } = service.tables
  const pending = (query: Query) => void query.where({ status: 'pending' }).where((inner) => which(inner))
  const closed = await approvals.list({ where: pending, order: OLDEST_FIRST }, transaction)
  const ended = { status: 'timed_out', cause: 'abandoned', reason, decided_at: now(service) } as const
  if (closed.length > 0) await approvals.update(pending, ended, transaction)
  await approvals.update(
    (query) => void whereDecisionApplies(query).where((inner) => which(inner)),
    { cause: 'abandoned' },
    transaction,
  )
  return closed.map((row) => ({ ...row, ...ended }))
}

/** Selects unsent and session-wide decisions. */
export const whereDecisionApplies = (query: Query): Query =>
  query
    .whereIn('status', ['approved', 'denied'])
    .whereNull('cause')
    .where((inner) => void inner.whereNull('sending_at').whereNull('delivered_at').orWhere({ scope: 'session' }))

export function agentsWithOpenApprovals({ db, tables }: Querying): Promise<string[]> {
  return db(tables.approvals.name)
    .where({ status: 'pending' })
    .orWhere((query) => void whereDecisionApplies(query))
    .distinct('agent_id')
    .pluck('agent_id')
}

/** Session-wide decision of this launch or the resumed conversation. */
export function findStanding({ tables }: Reading, agent: AgentRow, tool: string): Promise<ApprovalRow | null> {
  const standing = { agent_id: agent.id, tool_name: tool, scope: 'session', session_number: agent.session_number }
  return tables.approvals.find(
    (query) =>
      void query
        .where(standing)
        .whereIn('status', ['approved', 'denied'])
        .whereNull('cause')
        .where((inner) => {
          void inner.where({ launch: agent.launches })
          if (agent.program_session !== null) void inner.orWhere({ conversation: agent.program_session })
        }),
    undefined,
    { order: ['decided_at'] },
  )
}

export function isMasked({ tool_input, input_digest }: ApprovalRow): boolean {
  return digest(tool_input) !== input_digest
}

/** Returns null unless it matches the stored request. */
export function originalOf(row: ApprovalRow, original: OriginalRequest | null): OriginalRequest | null {
  return original !== null && digest(original.input) === row.input_digest ? original : null
}

/** Decisions of people for the same tool, input and policy that are earlier than that of `row`, newest request first. */
export async function findSimilar(
  { tables }: Reading,
  row: ApprovalRow,
  limits: PageLimits,
): Promise<Page<SimilarDecision>> {
  const { id, tool_name, input_digest, policy_digest, decided_at } = row
  const { items, total } = await tables.approvals.page({
    where: (query) => {
      void query.where({ input_digest, tool_name, policy_digest }).whereIn('status', ['approved', 'denied'])
      void query.whereNotNull('decided_by').whereNot({ id })
      if (decided_at !== null) void query.where('decided_at', '<', decided_at)
    },
    ...limits,
  })
  return { items: items.map(similarDecision), total }
}

function similarDecision(row: ApprovalRow): SimilarDecision {
  const { id, agent_id, agent_name, status, scope, updated_input, decided_at, decided_by, reason } = row
  return {
    id,
    agent_id,
    agent_name,
    status: status as SimilarDecision['status'],
    scope,
    edited: updated_input !== null,
    decided_at: decided_at!,
    decided_by: decided_by!,
    reason,
  }
}

/** Independent of key order. */
export function digest(input: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(input ?? {}))
    .digest('hex')
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
