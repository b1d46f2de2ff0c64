// Approvals on record: requested, rebound after a crash, decided, delivered.
import { createHash } from 'node:crypto'
import { write } from '../../../platform/database.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import type { RowPatch } from '../../../platform/store/table.ts'
import type { AgentRow } from '../agents/store.ts'
import type { ApprovalFilter } from '../face.ts'
import { now, type ServiceParts } from '../parts.ts'
import type { ApprovalRow } from '../tables.ts'

export type { ApprovalRow } from '../tables.ts'

export interface ToolRequest {
  requestId: string
  tool: string
  input: unknown
}

/** How a pending approval ends. */
export type Ending = RowPatch<Pick<ApprovalRow, 'cause' | 'decided_by' | 'scope' | 'updated_input' | 'reason'>> & {
  status: Exclude<ApprovalRow['status'], 'pending'>
}

/** Records a request as pending. */
export function addApproval(
  service: ServiceParts,
  agent: AgentRow,
  { requestId, tool, input }: ToolRequest,
): Promise<ApprovalRow> {
  const expires = service.clock.now() + service.settings.approvalTimeoutSecs * 1000
  return service.tables.approvals.insert({
    id: service.ids(),
    agent_id: agent.id,
    request_id: requestId,
    tool_name: tool,
    tool_input: input ?? {},
    input_digest: digest(input),
    launch: agent.launches,
    session_number: agent.session_number,
    status: 'pending',
    created_at: now(service),
    expires_at: new Date(expires).toISOString(),
  })
}

/** Moves a pending approval on; null when it is pending no more. */
export async function endApproval(service: ServiceParts, id: string, ending: Ending): Promise<ApprovalRow | null> {
  const { approvals } = service.tables
  const changed = await approvals.update({ id, status: 'pending' }, { ...ending, decided_at: now(service) })
  return changed === 0 ? null : approvals.get(id)
}

/** The agent was told. */
export async function markDelivered(service: ServiceParts, id: string): Promise<void> {
  await service.tables.approvals.update(id, { delivered_at: now(service) })
}

/** After a crash and a resume the same request comes under another id: it takes over what was open or decided, once. */
export function rebindApproval(
  { db, tables: { approvals } }: ServiceParts,
  agent: AgentRow,
  request: ToolRequest,
): Promise<ApprovalRow | null> {
  const same = { agent_id: agent.id, tool_name: request.tool, input_digest: digest(request.input) }
  return write(db, async (transaction) => {
    const row = await approvals.find(
      (query) =>
        void query
          .where(same)
          .where('launch', '<', agent.launches)
          .whereNull('delivered_at')
          .whereIn('status', ['pending', 'approved', 'denied']),
      transaction,
      { order: [{ column: 'seq', order: 'asc' }] },
    )
    if (!row) return null
    const bound = { request_id: request.requestId, launch: agent.launches }
    await approvals.update(row.id, bound, transaction)
    return { ...row, ...bound }
  })
}

/** Newest first. */
export function pageOfApprovals(
  { tables }: ServiceParts,
  { status, agentId }: ApprovalFilter,
  limits: PageLimits | null,
): Promise<Page<ApprovalRow>> {
  return tables.approvals.page({ where: { status, agent_id: agentId }, ...limits })
}

/** Oldest first: all that wait for a decision, or those of one agent. */
export function pendingApprovals({ tables }: ServiceParts, agentId?: string): Promise<ApprovalRow[]> {
  const order = [{ column: 'seq', order: 'asc' }] as const
  return tables.approvals.list({ where: { status: 'pending', agent_id: agentId }, order })
}

/** What is on record for this very request, if anything. */
export function findByRequest(
  { tables }: ServiceParts,
  agentId: string,
  requestId: string,
): Promise<ApprovalRow | null> {
  return tables.approvals.find({ agent_id: agentId, request_id: requestId }, undefined, { order: ['seq'] })
}

/** A decision for the rest of the agent's session about this tool. */
export function findStanding({ tables }: ServiceParts, agent: AgentRow, tool: string): Promise<ApprovalRow | null> {
  return tables.approvals.find(
    {
      agent_id: agent.id,
      tool_name: tool,
      scope: 'session',
      session_number: agent.session_number,
      status: ['approved', 'denied'],
    },
    undefined,
    { order: ['decided_at'] },
  )
}

/** Equal for inputs that say the same, in whatever order. */
function digest(input: unknown): string {
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
