// The current policy overrides a person's decision.
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
import { containsMask, LOST_INPUT, restoreInput } from './masked-input.ts'
import { denyMessages } from '../policy/judge.ts'
import { denialReason } from './verdict.ts'
import type { Judging, ToolsWorld } from './world.ts'

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

/** Returns null if it is no longer pending. Throws 409 if it cannot be approved. */
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

function refuseUnapprovable(judging: Judging, agent: AgentRow | null, row: ApprovalRow): void {
  if (!stillAsks(row, agent)) throw processGone(row, agent)
  const reason = currentDenialReason(judging, agent, row)
  if (reason !== null)
    throw conflict(
      `approval ${row.id} (${row.tool_name}, of ${agent.name}) cannot be approved under the current policy: ${reason}; deny it, or change the policy first`,
      'policy-forbids',
    )
}

/** Throws 409 during a lock, and if the asking process has ended, even if that is not recorded yet. */
export async function refuseUndeliverable(
  { tables, agents }: RecordWorld,
  { sessions, mux, judging, locks }: Pick<ToolsWorld, 'sessions' | 'mux' | 'judging' | 'locks'>,
  { id, updated_input = null }: { id: string; updated_input: ApprovalRow['updated_input'] | undefined },
): Promise<void> {
  const row = await tables.approvals.get(id)
  if (row.status !== 'pending') return
  const agent = await agents.find(row.agent_id)
  if (!stillAsks(row, agent)) throw processGone(row, agent)
  const locked = await lockedBy({ judging, locks }, agent, { ...row, updated_input })
  if (locked !== null)
    throw conflict(`approval ${id} cannot be approved now: ${locked}; approve it after that, or deny it`)
  if (sessions.find(agent.id)?.connected) return
  const found = await mux.get(sessionName(agent.id))
  if (!found || found.dead) throw processGone(row, agent)
}

function processGone(row: ApprovalRow, agent: AgentRow | null) {
  const name = agent?.name ?? row.agent_id
  return conflict(
    `approval ${row.id} (${row.tool_name}, of ${name}) cannot be approved: the process that asked (launch ${row.launch} of the agent) no longer waits for it; ` +
      'approve it when the resumed conversation asks again, or deny it now',
    'process-gone',
  )
}

/**
 * Returns null if no answer is due. Records it as delivered before it is sent: the agent asks again if it is lost, and
 * never gets two answers. `locked`: why a lock denies the call now. `overruled`: that, or a newer policy, denies it.
 */
export function settleApproval(
  record: RecordWorld,
  judging: Judging,
  { id, locked }: { id: string; locked: string | null },
): Promise<{ row: ApprovalRow; overruled: boolean } | null> {
  const { approvals } = record.tables
  return write(record.db, async (transaction) => {
    const row = await approvals.get(id, transaction)
    const agent = await record.agents.find(row.agent_id, transaction)
    // Only the process that asked may get the answer.
    if (!agent || row.launch !== agent.launches) return null
    const reason = isOpen(row) ? (locked ?? currentDenialReason(judging, agent, row)) : null
    const overruling = reason === null ? null : overruledFor(reason, now(record))
    if (!overruling && !isDue(row, agent)) return null
    const delivered = { ...overruling, delivered_at: now(record) }
    await approvals.update(id, delivered, transaction)
    return { row: { ...row, ...delivered }, overruled: overruling !== null }
  })
}

function isDue(row: ApprovalRow, agent: AgentRow): boolean {
  if (row.status === 'approved') return row.cause === null && row.session_number === agent.session_number
  return row.status !== 'pending'
}

const isOpen = ({ status }: ApprovalRow): boolean => status === 'pending' || status === 'approved'

const overruledFor = (reason: string, decided_at: string) =>
  ({ status: 'denied', cause: 'policy', decided_by: null, reason, decided_at }) as const

/** Judges the input as requested and as edited by a person. */
function currentDenialReason(judging: Judging, agent: AgentRow, row: ApprovalRow): string | null {
  const { tool, inputs } = callOf(judging, agent, row)
  return denialReason(judging, agent, tool, inputs)
}

/** Why a lock denies the call of an open approval now, or null. */
export async function lockedBy(
  { judging, locks }: Pick<ToolsWorld, 'judging' | 'locks'>,
  agent: AgentRow | null,
  row: ApprovalRow,
): Promise<string | null> {
  return agent && isOpen(row) ? locks.denial(agent, callOf(judging, agent, row)) : null
}

function callOf(judging: Judging, agent: AgentRow, row: ApprovalRow): { tool: string; inputs: unknown[] } {
  const masking = judging.sessions.find(agent.id)?.connection.masking
  const original = originalOf(row, masking?.original(row.request_id) ?? null)
  const asked = original?.input ?? row.tool_input
  const tool = original === null ? row.tool_name : storable(String(original.tool))
  return { tool, inputs: [asked, inputToRun(row, original)] }
}

function inputToRun({ tool_input, updated_input }: ApprovalRow, original: OriginalRequest | null): unknown {
  return restoreInput(updated_input ?? tool_input, tool_input, original?.input ?? tool_input)
}

export function answerOf(row: ApprovalRow, original: OriginalRequest | null): Frame {
  if (row.status !== 'approved') return denyFrame(row.request_id, denialOf(row))
  const input = inputToRun(row, original)
  const isLost = original === null && isMasked(row) && containsMask(input)
  return isLost ? denyFrame(row.request_id, LOST_INPUT) : allowFrame(row.request_id, input)
}

function denialOf({ cause, tool_name, reason, decided_by, created_at, expires_at }: ApprovalRow): string {
  if (cause === 'policy' && reason !== null) return reason
  const seconds = (Date.parse(expires_at) - Date.parse(created_at)) / 1000
  if (cause === 'expired') return denyMessages.timeout(tool_name, seconds)
  return denyMessages.person(tool_name, decided_by ?? 'the orchestrator', reason)
}
