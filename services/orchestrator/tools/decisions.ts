// The current policy overrides a person's decision.
import type { Actor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import { conflict } from '../../../platform/core/problem.ts'
import { storable } from '../../../platform/store/columns.ts'
import type { RowPatch } from '../../../platform/store/rows.ts'
import type { ApprovalDecision } from '../../../schemas/tools/approval.ts'
import { sessionName, type AgentRow } from '../record/agent-store.ts'
import { now, type RecordWorld, type Writing } from '../record/world.ts'
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

/**
 * Makes the decision of a person pending again, with the time that was left. Throws 409 `delivered` or `not-decided`.
 */
export function withdrawDecision(record: RecordWorld, id: string): Promise<ApprovalRow> {
  const { approvals } = record.tables
  return write(record.db, async (transaction) => {
    const row = await approvals.get(id, transaction)
    refuseUnwithdrawable(row)
    const left = Date.parse(row.expires_at) - Date.parse(row.decided_at!)
    const again = {
      status: 'pending',
      expires_at: new Date(record.clock.now() + left).toISOString(),
      decided_at: null,
      decided_by: null,
      reason: null,
      scope: null,
      updated_input: null,
    } as const
    await approvals.update(id, again, transaction)
    return { ...row, ...again }
  })
}

function refuseUnwithdrawable({ id, status, cause, decided_by, reason, sending_at, delivered_at }: ApprovalRow): void {
  const about = `approval ${id} (${status}${decided_by ? ` by ${decided_by}` : ''}) cannot be withdrawn`
  if (status === 'pending') throw conflict(`${about}: it has no decision yet; approve or deny it`, 'not-decided')
  if (cause !== null || decided_by === null)
    throw conflict(`${about}: no decision of a person applies to it${reason ? ` (${reason})` : ''}`, 'not-decided')
  if (sending_at !== null || delivered_at !== null)
    throw conflict(
      `${about}: it ${delivered_at ? 'was' : 'may have been'} sent to the agent at ${delivered_at ?? sending_at}; interrupt the agent to stop the tool`,
      'delivered',
    )
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
 * Returns null if no answer is due. Records the send before it is made: the agent asks again if it is lost, and a
 * decision is used once. `locked`: why a lock denies the call now. `overruled`: that, or a newer policy, denies it.
 */
export function settleApproval(
  record: RecordWorld,
  judging: Judging,
  { id, locked }: { id: string; locked: string | null },
): Promise<Settled | null> {
  const { approvals } = record.tables
  return write(record.db, async (transaction) => {
    const row = await approvals.get(id, transaction)
    const agent = await record.agents.find(row.agent_id, transaction)
    // Only the process that asked may get the answer.
    if (!agent || row.launch !== agent.launches) return null
    const reason = isOpen(row) ? (locked ?? currentDenialReason(judging, agent, row)) : null
    const overruling = reason === null ? null : overruledFor(reason, now(record))
    if (!overruling && !isDue(row, agent)) return null
    const settled = { ...overruling, sending_at: row.sending_at ?? now(record) }
    await approvals.update(id, settled, transaction)
    return { row: { ...row, ...settled }, overruled: overruling !== null, isFirst: row.sending_at === null }
  })
}

interface Settled {
  row: ApprovalRow
  overruled: boolean
  /** No earlier send was recorded. */
  isFirst: boolean
}

/**
 * A decision that did not reach the socket is unsent again; record that before another send, whose record it would
 * erase. Returns a delivered one.
 */
export async function recordSend(
  record: Writing,
  { row, isFirst }: Settled,
  isSent: boolean,
): Promise<ApprovalRow | null> {
  const { approvals } = record.tables
  if (isSent) return approvals.change(row.id, { delivered_at: now(record) })
  if (isFirst) await approvals.update(row.id, { sending_at: null })
  return null
}

/**
 * After a crash between a send and its record: the agent has the answers of requests that it no longer lists. Returns
 * those.
 */
export async function confirmSends(
  record: RecordWorld,
  agent: AgentRow,
  listed: ReadonlySet<string>,
): Promise<ApprovalRow[]> {
  const { approvals } = record.tables
  const unconfirmed = await approvals.list({
    where: (query) =>
      void query
        .where({ agent_id: agent.id, launch: agent.launches })
        .whereNotNull('sending_at')
        .whereNull('delivered_at'),
  })
  const gone = unconfirmed.filter(({ request_id }) => !listed.has(request_id))
  for (const { id, sending_at } of gone) await approvals.update(id, { delivered_at: sending_at })
  return gone.map((row) => ({ ...row, delivered_at: row.sending_at }))
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

function denialOf({ cause, tool_name, reason, decided_by }: ApprovalRow): string {
  if (cause === 'policy' && reason !== null) return reason
  if (cause === 'expired' && reason !== null) return denyMessages.limit(tool_name, reason)
  return denyMessages.person(tool_name, decided_by ?? 'the orchestrator', reason)
}
