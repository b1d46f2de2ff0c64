// Tool requests held for a person: on record before anybody is told, open until decided, withdrawn or timed out.
import { createHash } from 'node:crypto'
import type { Timer } from '../../platform/clock.ts'
import { write, type Knex } from '../../platform/database.ts'
import { conflict, notFound } from '../../platform/problem.ts'
import type { Approval, ApprovalDecision } from '../../schemas/approval.ts'
import { send } from './connection.ts'
import { now, storable, type Core } from './core.ts'
import type { Approvals } from './face.ts'
import type { Seat } from './seats.ts'
import { findAgent, type AgentRow } from './store.ts'
import { toolText } from './streams.ts'
import { denyMessages, noDecision } from './tool-policy.ts'

const TABLE = 'orchestrator_approvals'

export interface ToolRequest {
  requestId: string
  tool: string
  input: unknown
}

export interface ApprovalBook extends Approvals {
  /** Holds a request: records it, tells the streams, sets its timer. */
  hold(agent: AgentRow, request: ToolRequest): Promise<void>
  /** What is on record for this very request, if anything. */
  find(agent: AgentRow, request: ToolRequest): Promise<Row | null>
  /** What an earlier process of the agent asked in the same words and never heard the answer of; now bound to this request. */
  rebind(agent: AgentRow, request: ToolRequest): Promise<Row | null>
  /** A decision for the rest of the session about this tool. */
  standing(agent: AgentRow, tool: string): Promise<Row | null>
  /** Sends the decision of `row`, and notes that it was. */
  deliver(seat: Seat, row: Row): Promise<void>
  /** Times open requests out at once: one of an agent, or all of it. */
  abandon(agentId: string, reason: string, requestId?: string): Promise<void>
  /** Sets the timers of requests that an earlier daemon left open; overdue ones time out now. */
  resume(): Promise<void>
  stop(): void
  countPending(): Promise<number>
}

export interface Row extends Approval {
  scope: 'once' | 'session' | null
  updatedInput: Record<string, unknown> | null
  deliveredAt: string | null
  /** Which start of the agent asked. */
  launch: number
}

export function createApprovals(core: Core): ApprovalBook {
  const timers = new Map<string, Timer>()
  const { db } = core

  const announce = (type: 'pending_approval' | 'approval_decided', row: Row) =>
    core.streams.publish(
      row.agent_id,
      type,
      `${toolText(row.tool_name, row.tool_input)}${type === 'approval_decided' ? `: ${row.status}` : ''}`,
      {
        approval: toApproval(row),
      },
    )

  const arm = (row: Approval) => {
    if (core.stopping) return
    const left = Math.max(0, Date.parse(row.expires_at) - core.clock.now())
    timers.set(
      row.id,
      core.clock.after(left, () => void expire(row.id).catch((error: unknown) => retry(row, error))),
    )
  }
  /** A timeout that could not be recorded is tried again: the agent must get its answer. */
  const retry = (row: Approval, error: unknown) => {
    core.log.error({ approval_id: row.id, error: (error as Error).message }, 'an approval could not be timed out')
    if (!core.stopping)
      timers.set(
        row.id,
        core.clock.after(1000, () => void expire(row.id).catch((again: unknown) => retry(row, again))),
      )
  }

  /** Moves a pending approval on; null when it is pending no more. */
  const close = async (id: string, columns: Record<string, unknown>): Promise<Row | null> => {
    const changed = await write(db, (transaction) =>
      transaction(TABLE)
        .where({ id, status: 'pending' })
        .update({ ...columns, decided_at: now(core) }),
    )
    if (changed === 0) return null
    timers.get(id)?.cancel()
    timers.delete(id)
    const row = await getRow(db, id)
    core.log.info(
      {
        agent_id: row.agent_id,
        tool_name: row.tool_name,
        decision: row.status === 'approved' ? 'allow' : 'deny',
        policy_mode: 'require_approval',
      },
      'tool decision',
    )
    announce('approval_decided', row)
    const seat = core.seats.find(row.agent_id)
    // A process that was started since never asked: it gets the answer when it asks again.
    if (seat && row.launch === (await findAgent(core, row.agent_id))?.launches) await deliver(seat, row)
    return row
  }
  const expire = (id: string) => close(id, { status: 'timed_out', reason: noDecision(core.config.approvalTimeoutSecs) })

  const deliver = async (seat: Seat, row: Row) => {
    const answer = {
      type: 'control_response',
      response: { subtype: 'success', request_id: row.request_id, response: verdictOf(core, row) },
    }
    if (!send(seat, answer)) return
    seat.answers.set(row.request_id, answer)
    await write(db, (transaction) =>
      transaction(TABLE)
        .where({ id: row.id })
        .update({ delivered_at: now(core) }),
    )
  }

  const decide = async (
    id: string,
    status: 'approved' | 'denied',
    decision: ApprovalDecision,
    actor: string,
  ): Promise<Approval> => {
    const updated = status === 'approved' && decision.updated_input ? JSON.stringify(decision.updated_input) : null
    const row = await close(id, {
      status,
      decided_by: actor.slice(0, 256),
      reason: decision.reason === undefined ? null : storable(decision.reason),
      scope: decision.scope ?? 'once',
      updated_input: updated,
    })
    if (row) return toApproval(row)
    const present = await getRow(db, id)
    throw conflict(
      `approval ${id} is ${present.status} already${present.decided_by ? `, by ${present.decided_by}` : ''}${present.decided_at ? `, since ${present.decided_at}` : ''}`,
    )
  }

  return {
    list: async ({ status, agentId } = {}) => {
      const filter = {
        ...(status === undefined ? {} : { status }),
        ...(agentId === undefined ? {} : { agent_id: agentId }),
      }
      return (await db(TABLE).where(filter).orderBy('seq', 'desc')).map((row: Record<string, any>) =>
        toApproval(toRow(row)),
      )
    },
    get: async (id) => toApproval(await getRow(db, id)),
    approve: (id, decision, by) => decide(id, 'approved', decision, by.actor),
    deny: (id, decision, by) => decide(id, 'denied', decision, by.actor),
    hold: async (agent, request) => {
      const columns = pendingColumns(core, agent, request)
      await write(db, (transaction) => transaction(TABLE).insert(columns))
      const row = toRow(columns)
      arm(row)
      announce('pending_approval', row)
    },
    find: async (agent, { requestId }) => {
      const row = await db(TABLE).where({ agent_id: agent.id, request_id: requestId }).orderBy('seq', 'desc').first()
      return row ? toRow(row) : null
    },
    rebind: (agent, request) => write(db, (transaction) => rebind(transaction, agent, request)),
    standing: async (agent, tool) => {
      const row = await db(TABLE)
        .where({ agent_id: agent.id, tool_name: tool, scope: 'session', session_number: agent.sessionNumber })
        .whereIn('status', ['approved', 'denied'])
        .orderBy('decided_at', 'desc')
        .first()
      return row ? toRow(row) : null
    },
    deliver,
    abandon: async (agentId, reason, requestId) => {
      const open = {
        agent_id: agentId,
        status: 'pending',
        ...(requestId === undefined ? {} : { request_id: requestId }),
      }
      for (const id of (await db(TABLE).where(open).pluck('id')) as string[])
        await close(id, { status: 'timed_out', reason })
    },
    resume: async () => {
      for (const row of (await db(TABLE).where({ status: 'pending' }).orderBy('seq')).map(toRow)) {
        if (Date.parse(row.expires_at) <= core.clock.now()) await expire(row.id)
        else arm(row)
      }
    },
    stop: () => {
      for (const timer of timers.values()) timer.cancel()
      timers.clear()
    },
    countPending: async () =>
      Number((await db(TABLE).where({ status: 'pending' }).count({ count: '*' }).first())?.count ?? 0),
  }
}

/** What the agent is answered. A deny carries the reason to the model word for word. */
function verdictOf(core: Core, row: Row): Record<string, unknown> {
  if (row.status === 'approved') return { behavior: 'allow', updatedInput: row.updatedInput ?? row.tool_input }
  const timedOut = row.decided_by === null
  const message =
    timedOut && row.reason === noDecision(core.config.approvalTimeoutSecs)
      ? denyMessages.timeout(row.tool_name, core.config.approvalTimeoutSecs)
      : denyMessages.person(row.tool_name, row.decided_by ?? 'the orchestrator', row.reason)
  return { behavior: 'deny', message }
}

function pendingColumns(core: Core, agent: AgentRow, { requestId, tool, input }: ToolRequest) {
  return {
    id: core.ids(),
    agent_id: agent.id,
    request_id: requestId,
    tool_name: tool,
    tool_input: JSON.stringify(input ?? {}),
    input_digest: digest(input),
    launch: agent.launches,
    session_number: agent.sessionNumber,
    status: 'pending',
    scope: null,
    updated_input: null,
    decided_by: null,
    reason: null,
    created_at: now(core),
    expires_at: new Date(core.clock.now() + core.config.approvalTimeoutSecs * 1000).toISOString(),
    decided_at: null,
    delivered_at: null,
  }
}

/** After a crash and a resume the same request comes under another id: it takes over what was open or decided, once. */
async function rebind(transaction: Knex, agent: AgentRow, request: ToolRequest): Promise<Row | null> {
  const same = { agent_id: agent.id, tool_name: request.tool, input_digest: digest(request.input) }
  const row = await transaction(TABLE)
    .where(same)
    .where('launch', '<', agent.launches)
    .whereNull('delivered_at')
    .whereIn('status', ['pending', 'approved', 'denied'])
    .orderBy('seq')
    .first()
  if (!row) return null
  await transaction(TABLE).where({ id: row.id }).update({ request_id: request.requestId, launch: agent.launches })
  return toRow({ ...row, request_id: request.requestId, launch: agent.launches })
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

async function getRow(db: Knex, id: string): Promise<Row> {
  const row = await db(TABLE).where({ id }).first()
  if (!row) throw notFound('approval', id)
  return toRow(row)
}

function toRow(row: Record<string, any>): Row {
  const { id, agent_id, request_id, tool_name, status, created_at, expires_at, decided_at, decided_by, reason, scope } =
    row
  const updatedInput = row.updated_input ? JSON.parse(row.updated_input) : null
  return {
    id,
    agent_id,
    request_id,
    tool_name,
    tool_input: JSON.parse(row.tool_input),
    status,
    created_at,
    expires_at,
    decided_at,
    decided_by,
    reason,
    scope,
    updatedInput,
    deliveredAt: row.delivered_at,
    launch: row.launch,
  }
}

function toApproval(row: Row): Approval {
  const { scope: _scope, updatedInput: _input, deliveredAt: _delivered, launch: _launch, ...approval } = row
  return approval
}
