import { write, type Knex } from '../../../platform/database/database.ts'
import type { AgentUsage, Usage } from '../../../schemas/agent/usage.ts'
import { now, type Querying, type Reading, type RecordWorld, type Writing } from './world.ts'
import type { AgentRow } from './tables.ts'
import { addToHour } from './usage-history.ts'
import { figures, shownFigures, TOKENS, type Figures, type UsageRow } from './usage-tables.ts'

/**
 * Cost and API time are running totals of the process, so the difference counts; a smaller total means the process
 * restarted.
 */
export function turnFigures(result: Record<string, any>, seen: { cost: number; apiMs: number }): Figures {
  const tokens = Object.fromEntries(TOKENS.map((name) => [name, figure(result.usage?.[name])])) as Record<
    (typeof TOKENS)[number],
    number
  >
  return {
    ...tokens,
    total_cost_usd: difference(result.total_cost_usd, seen.cost),
    num_turns: figure(result.num_turns),
    duration_ms: figure(result.duration_ms),
    duration_api_ms: difference(result.duration_api_ms, seen.apiMs),
    result_count: 1,
  }
}

function figure(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

function difference(total: unknown, seen: number): number {
  const value = figure(total)
  // Removes float noise below 1e-8 USD.
  return value < seen ? value : Math.round((value - seen) * 1e8) / 1e8
}

export async function openSession(service: Writing, transaction: Knex, agentId: string, number: number): Promise<void> {
  await service.tables.sessions.insert({ agent_id: agentId, number, started_at: now(service) }, transaction)
}

/** The row of `agent` is locked. */
export interface Turn {
  agent: AgentRow
  result: Record<string, any>
  more?: Partial<Pick<AgentRow, 'seen_frames'>>
}

/** Adds one turn per agent. Returns each turn's usage. */
export async function addTurns(
  service: RecordWorld,
  transaction: Knex.Transaction,
  turns: readonly Turn[],
): Promise<Figures[]> {
  const used = turns.map(({ agent, result }) =>
    turnFigures(result, { cost: agent.cost_seen, apiMs: agent.api_ms_seen }),
  )
  const byAgent = new Map(
    turns.map(({ agent }, at) => [agent.id, { number: agent.session_number, figures: used[at]! }]),
  )
  const numbers = [...byAgent.values()].map(({ number }) => number)
  const where = { agent_id: [...byAgent.keys()], number: [...new Set(numbers)] }
  const rows = await service.tables.sessions.list({ where, order: ['agent_id'], hold: true }, transaction)
  const present = rows.filter(({ agent_id, number }) => byAgent.get(agent_id)?.number === number)
  const sums = present.map((row) => ({ ...row, ...sumOf([row, byAgent.get(row.agent_id)!.figures]) }))
  await service.tables.sessions.put(sums, transaction)
  await addToHour(service, transaction, new Map(turns.map(({ agent }, at) => [agent.id, used[at]!])))
  const notes = turns.map(({ agent, result, more }) => {
    const seen = { cost_seen: figure(result.total_cost_usd), api_ms_seen: figure(result.duration_api_ms) }
    return [agent.id, { ...seen, ...more }] as const
  })
  await service.agents.noteEach(transaction, new Map(notes))
  return used
}

const sumOf = (rows: readonly Figures[]): Figures => figures((name) => rows.reduce((sum, row) => sum + row[name], 0))

/** Ends the session and opens the next. Returns the ended usage and the new number. */
export async function rollSession(
  service: RecordWorld,
  transaction: Knex.Transaction,
  agent: AgentRow,
): Promise<{ ended: Usage; number: number }> {
  const number = agent.session_number + 1
  const { sessions } = service.tables
  await sessions.update(present(agent), { ended_at: now(service) }, transaction)
  const ended = await sessions.find(present(agent), transaction)
  await openSession(service, transaction, agent.id, number)
  await service.agents.note(transaction, agent.id, { session_number: number })
  return { ended: toUsage(ended), number }
}

/** Merges each agent's sessions that ended before `before` (RFC 3339). Returns the number of rows removed. */
export async function foldSessions(service: Querying, before: string, signal: AbortSignal): Promise<number> {
  const { db, tables } = service
  const old = (query: Knex.QueryBuilder) => void query.where('ended_at', '<', before)
  const several = db(tables.sessions.name).where(old).groupBy('agent_id').havingRaw('count(*) > 1')
  let folded = 0
  for (const agent_id of await several.select('agent_id').pluck('agent_id')) {
    if (signal.aborted) break
    folded += await write(db, async (transaction) => {
      const where = (query: Knex.QueryBuilder) => void query.where({ agent_id }).where(old)
      const rows = await tables.sessions.list({ where, order: ['number'], hold: true }, transaction)
      const [last, ...earlier] = rows
      if (!last || earlier.length === 0) return 0
      const whole = { ...sumOf(rows), started_at: rows.at(-1)!.started_at }
      await tables.sessions.delete({ agent_id, number: earlier.map(({ number }) => number) }, transaction)
      await tables.sessions.update({ agent_id, number: last.number }, whole, transaction)
      return earlier.length
    })
  }
  return folded
}

export async function currentSession(service: Reading, agent: AgentRow): Promise<Usage> {
  return toUsage(await service.tables.sessions.find(present(agent)))
}

const present = (agent: AgentRow) => ({ agent_id: agent.id, number: agent.session_number })

/** US dollars. */
async function cumulativeCost({ db, tables }: Querying, agentId: string): Promise<number> {
  const row = await db(tables.sessions.name).where({ agent_id: agentId }).sum({ cost: 'total_cost_usd' }).first()
  return Number(row?.cost ?? 0)
}

/** Returns null below the limit. */
export async function costReason(service: Querying, agent: AgentRow): Promise<string | null> {
  const limit = agent.spec.max_cost_usd
  if (limit === null) return null
  const cost = await cumulativeCost(service, agent.id)
  if (cost < limit) return null
  return `the cumulative cost of ${cost.toFixed(4)} USD has reached max_cost_usd ${limit}: raise it, or purge the agent`
}

export async function agentUsage(service: Reading, agent: AgentRow): Promise<AgentUsage> {
  const rows = await service.tables.sessions.list({ where: { agent_id: agent.id } })
  return {
    agent_id: agent.id,
    current_session: toUsage(rows.at(-1)),
    cumulative: toUsage({ ...sumOf(rows), started_at: rows[0]?.started_at ?? null, ended_at: null }),
    // Not the row count: old sessions are merged.
    session_count: rows.at(-1)?.number ?? 0,
  }
}

function toUsage(row: Partial<UsageRow> | null | undefined): Usage {
  const used = shownFigures(figures((name) => row?.[name] ?? 0))
  return { ...used, started_at: row?.started_at ?? null, ended_at: row?.ended_at ?? null }
}
