import type { Knex } from '../../../platform/database/database.ts'
import { rowSlice, type CursorAsked } from '../../../platform/store/keyset.ts'
import type { Slice } from '../../../schemas/operations/page.ts'
import {
  APPROVAL_STATUSES,
  type Approval,
  type ApprovalCounts,
  type ApprovalFilter,
} from '../../../schemas/tools/approval.ts'
import type { Querying } from '../record/world.ts'

const NEWEST_FIRST = {
  list: 'approvals',
  parts: 2,
  keyOf: ({ created_at, id }: Approval) => [created_at, id],
  descending: true,
}

/** By `created_at`: a decided approval keeps its place. Counts ignore the status of the filter. */
export async function approvalSlice(
  { db, tables: { approvals } }: Querying,
  { status, agentId }: ApprovalFilter,
  asked: CursorAsked,
): Promise<Slice<Approval, ApprovalCounts>> {
  const ofAgent = db(approvals.name).where(agentId === undefined ? {} : { agent_id: agentId })
  const query = status === undefined ? ofAgent : ofAgent.clone().where({ status })
  const decode = (columns: object) => approvals.record(approvals.fromColumns(columns))
  const slice = await rowSlice(query, ['created_at', 'id'], { order: NEWEST_FIRST, asked, decode })
  return { ...slice, counts: await countsOf(ofAgent) }
}

async function countsOf(query: Knex.QueryBuilder): Promise<ApprovalCounts> {
  const rows: { status: Approval['status']; many: number | string }[] = await query
    .clone()
    .groupBy('status')
    .select('status')
    .count({ many: '*' })
  const found = new Map(rows.map(({ status, many }) => [status, Number(many)]))
  const counts = APPROVAL_STATUSES.map((status) => [status, found.get(status) ?? 0] as const)
  const total = counts.reduce((sum, [, many]) => sum + many, 0)
  return { total, ...Object.fromEntries(counts) } as ApprovalCounts
}
