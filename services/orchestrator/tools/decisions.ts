// What may be decided about a held request, and what the agent is told then. The policy in force has the last word.
import type { Actor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import { conflict } from '../../../platform/core/problem.ts'
import { storable } from '../../../platform/store/columns.ts'
import type { RowPatch } from '../../../platform/store/rows.ts'
import type { ApprovalDecision } from '../../../schemas/tools/approval.ts'
import { sessionName, type AgentRow } from '../record/agent-store.ts'
import { now, type RecordWorld } from '../record/world.ts'
import { allowFrame, denyFrame, type Frame } from '../session/frame.ts'
import type { OriginalRequest } from '../session/frame-masking.ts'
import { isMasked, originalOf, stillAsks, type ApprovalRow } from './approval-store.ts'
import { holdsMask, LOST_INPUT, restoreInput } from './masked-input.ts'
import { denyMessages } from '../policy/judge.ts'
import { whyForbidden } from './verdict.ts'
import type { Judging, ToolsWorld } from './world.ts'

/** How a pending approval ends. */
export type Ending = RowPatch<Pick<ApprovalRow, 'cause' | 'decided_by' | 'scope' | 'reason'>> & {
  status: Exclude<ApprovalRow['status'], 'pending'>
  updated_input?: Record<string, unknown> | null
}

export function endingOf(
  status: 'approved' | 'denied',
  { reason, scope = 'once' }: ApprovalDecision,
  by: Actor,
): Ending {
  return { status, scope, decided_by: by.actor.slice(0, 256), reason: reason ?? null }
}

/**
 * Moves a pending approval on; null when it is pending no more. Throws 409 when it cannot be approved as things
 * are.
 */
export function endApproval(
  record: RecordWorld,
  judging: Judging,
  id: string,
  ending: Ending,
): Promise<ApprovalRow | null> {
  const { approvals } = record.tables
  return write(record.db, async (transaction) => {
    const row = await approvals.get(id, transaction)
    if (row.status !== 'pending') return null
    if (ending.status === 'approved') {
      const agent = await record.agents.find(row.agent_id, transaction)
      refuseUnapprovable(judging, agent, { ...row, updated_input: ending.updated_input ?? null })
    }
    const decided = { ...ending, decided_at: now(record) }
    await approvals.update(id, decided, transaction)
    return { ...row, ...decided } as ApprovalRow
  })
}

/**
 * 409 for a request that nobody asks any more, or that the policy in force forbids with the input it would run
 * with.
 */
function refuseUnapprovable(judging: Judging, agent: AgentRow | null, row: ApprovalRow): void {
  if (!stillAsks(row, agent)) throw processGone(row, agent)
  const reason = whyForbiddenNow(judging, agent, row)
  if (reason !== null)
    throw conflict(
      `approval ${row.id} (${row.tool_name}, of ${agent.name}) cannot be approved: ${reason}, which is in force now; deny it, or change the policy first`,
      'policy-forbids',
    )
}

/** 409 when the process that asked has ended, though that may not be on record yet. Asks the terminal multiplexer. */
export async function refuseWithoutProcess(
  { tables, agents }: RecordWorld,
  { sessions, mux }: Pick<ToolsWorld, 'sessions' | 'mux'>,
  id: string,
): Promise<void> {
  const row = await tables.approvals.get(id)
  if (row.status !== 'pending') return
  const agent = await agents.find(row.agent_id)
  if (!stillAsks(row, agent)) throw processGone(row, agent)
  if (sessions.find(agent.id)?.connected) return
  const found = await mux.get(sessionName(agent.id))
  if (!found || found.dead) throw processGone(row, agent)
}

function processGone(row: ApprovalRow, agent: AgentRow | null) {
  const name = agent?.name ?? row.agent_id
  return conflict(
    `approval ${row.id} (${row.tool_name}, of ${name}) cannot be approved: the process that asked, start ${row.launch} of the agent, ` +
      'asks no more; it can be decided when the resumed conversation asks for the same again, and until then denied',
    'process-gone',
  )
}

/**
 * What the agent is to be told about a request, noted as told; null while there is nothing to tell. Noted before it
 * is sent: a decision that was perhaps not heard is asked for again, and none answers twice. `overruled`: a policy
 * that came into force since forbids what was approved or waits.
 */
export function settleApproval(
  record: RecordWorld,
  judging: Judging,
  id: string,
): Promise<{ row: ApprovalRow; overruled: boolean } | null> {
  const { approvals } = record.tables
  return write(record.db, async (transaction) => {
    const row = await approvals.get(id, transaction)
    const agent = await record.agents.find(row.agent_id, transaction)
    // Another process than the one that asked must not hear the answer.
    if (!agent || row.launch !== agent.launches) return null
    const overruling = overruledBy(judging, agent, row, now(record))
    if (!overruling && !isDue(row, agent)) return null
    const told = { ...overruling, delivered_at: now(record) }
    await approvals.update(id, told, transaction)
    return { row: { ...row, ...told }, overruled: overruling !== null }
  })
}

function isDue(row: ApprovalRow, agent: AgentRow): boolean {
  if (row.status === 'approved') return row.cause === null && row.session_number === agent.session_number
  return row.status !== 'pending'
}

function overruledBy(judging: Judging, agent: AgentRow, row: ApprovalRow, decided_at: string) {
  if (row.status !== 'pending' && row.status !== 'approved') return null
  const reason = whyForbiddenNow(judging, agent, row)
  if (reason === null) return null
  return { status: 'denied', cause: 'policy', decided_by: null, reason, decided_at } as const
}

/** Why the policy in force forbids the request, as it was asked or as a person rewrote it; null when it does not. */
function whyForbiddenNow(judging: Judging, agent: AgentRow, row: ApprovalRow): string | null {
  const masking = judging.sessions.find(agent.id)?.connection.masking
  const original = originalOf(row, masking?.original(row.request_id) ?? null)
  const asked = original?.input ?? row.tool_input
  const tool = original === null ? row.tool_name : storable(String(original.tool))
  return whyForbidden(judging, agent, tool, [asked, inputToRun(row, original)])
}

/** What it runs with: as it was asked, or as a person rewrote what was shown. */
function inputToRun({ tool_input, updated_input }: ApprovalRow, original: OriginalRequest | null): unknown {
  return restoreInput(updated_input ?? tool_input, tool_input, original?.input ?? tool_input)
}

/** What the agent is answered; `original` is the request as it sent it. A denial carries the reason word for word. */
export function answerOf(row: ApprovalRow, original: OriginalRequest | null): Frame {
  if (row.status !== 'approved') return denyFrame(row.request_id, denialOf(row))
  const input = inputToRun(row, original)
  const isLost = original === null && isMasked(row) && holdsMask(input)
  return isLost ? denyFrame(row.request_id, LOST_INPUT) : allowFrame(row.request_id, input)
}

function denialOf({ cause, tool_name, reason, decided_by, created_at, expires_at }: ApprovalRow): string {
  if (cause === 'policy' && reason !== null) return reason
  const seconds = (Date.parse(expires_at) - Date.parse(created_at)) / 1000
  if (cause === 'expired') return denyMessages.timeout(tool_name, seconds)
  return denyMessages.person(tool_name, decided_by ?? 'the orchestrator', reason)
}
