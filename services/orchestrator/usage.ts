// What an agent has used: added up per session from the results of its turns.
import type { Knex } from '../../platform/database.ts'
import type { AgentUsage, Usage } from '../../schemas/usage.ts'
import { now, type Core } from './core.ts'
import { AGENTS, type AgentRow } from './store.ts'

const TABLE = 'orchestrator_sessions'
const TOKENS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const
const FIGURES = [...TOKENS, 'total_cost_usd', 'num_turns', 'duration_ms', 'duration_api_ms', 'result_count'] as const
export type Figures = Record<(typeof FIGURES)[number], number>

/**
 * The figures of one turn. Tokens and turns come per turn; cost and API time are running totals of
 * the process, of which the difference counts: a smaller total is a process that began again at 0.
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
  // Floats: a hundred-millionth of a dollar is noise.
  return value < seen ? value : Math.round((value - seen) * 1e8) / 1e8
}

export async function openSession(core: Core, transaction: Knex, agentId: string, number: number): Promise<void> {
  await transaction(TABLE).insert({ agent_id: agentId, number, started_at: now(core) })
}

/** Adds a turn to the current session and remembers the running totals. */
export async function addTurn(transaction: Knex, agent: AgentRow, result: Record<string, any>): Promise<Figures> {
  const figures = turnFigures(result, { cost: agent.costSeen, apiMs: agent.apiMsSeen })
  const current = { agent_id: agent.id, number: agent.sessionNumber }
  for (const name of FIGURES)
    if (figures[name] !== 0) await transaction(TABLE).where(current).increment(name, figures[name])
  await transaction(AGENTS)
    .where({ id: agent.id })
    .update({ cost_seen: figure(result.total_cost_usd), api_ms_seen: figure(result.duration_api_ms) })
  return figures
}

/** Ends the current session and opens the next; returns the ended one. */
export async function rollSession(
  core: Core,
  transaction: Knex,
  agent: AgentRow,
): Promise<{ ended: Usage; number: number }> {
  const number = agent.sessionNumber + 1
  await transaction(TABLE)
    .where({ agent_id: agent.id, number: agent.sessionNumber })
    .update({ ended_at: now(core) })
  const row = await transaction(TABLE).where({ agent_id: agent.id, number: agent.sessionNumber }).first()
  await openSession(core, transaction, agent.id, number)
  await transaction(AGENTS).where({ id: agent.id }).update({ session_number: number })
  return { ended: toUsage(row), number }
}

export async function currentSession(db: Knex, agent: AgentRow): Promise<Usage> {
  return toUsage(await db(TABLE).where({ agent_id: agent.id, number: agent.sessionNumber }).first())
}

/** All sessions together, in US dollars. */
export async function cumulativeCost(db: Knex, agentId: string): Promise<number> {
  const row = await db(TABLE).where({ agent_id: agentId }).sum({ cost: 'total_cost_usd' }).first()
  return Number(row?.cost ?? 0)
}

export async function agentUsage(db: Knex, agent: AgentRow): Promise<AgentUsage> {
  const rows = await db(TABLE).where({ agent_id: agent.id }).orderBy('number')
  const sum = Object.fromEntries(
    FIGURES.map((name) => [name, rows.reduce((total: number, row: Record<string, number>) => total + row[name]!, 0)]),
  )
  return {
    agent_id: agent.id,
    current_session: toUsage(rows.at(-1)),
    cumulative: toUsage({ ...sum, started_at: rows[0]?.started_at ?? null, ended_at: null }),
    session_count: rows.length,
  }
}

function toUsage(row: Record<string, any> | undefined): Usage {
  const figures = Object.fromEntries(FIGURES.map((name) => [name, Number(row?.[name] ?? 0)])) as Figures
  const whole = (name: keyof Figures) => Math.round(figures[name])
  return {
    ...figures,
    num_turns: whole('num_turns'),
    duration_ms: whole('duration_ms'),
    duration_api_ms: whole('duration_api_ms'),
    total_cost_usd: Math.round(figures.total_cost_usd * 1e8) / 1e8,
    started_at: row?.started_at ?? null,
    ended_at: row?.ended_at ?? null,
  }
}
