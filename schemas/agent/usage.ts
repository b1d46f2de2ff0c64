import * as Type from 'typebox'
import { namedObject, nullableText, orNull } from '../shapes.ts'

const figures = {
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cache_read_input_tokens: Type.Integer(),
  cache_creation_input_tokens: Type.Integer(),
  total_cost_usd: Type.Number(),
  num_turns: Type.Integer(),
  duration_ms: Type.Integer(),
  duration_api_ms: Type.Integer(),
  result_count: Type.Integer(),
}

export const Usage = namedObject('Usage', { ...figures, started_at: nullableText, ended_at: nullableText })
export type Usage = Type.Static<typeof Usage>

export const AgentUsage = namedObject('AgentUsage', {
  agent_id: Type.String(),
  current_session: Usage,
  cumulative: Usage,
  session_count: Type.Integer(),
})
export type AgentUsage = Type.Static<typeof AgentUsage>

/** Days for which the usage of each hour is kept. */
export const USAGE_DAYS = 31

export const USAGE_HOURS = { least: 1, most: USAGE_DAYS * 24, default: 24 } as const

const time = (description: string) => Type.String({ format: 'date-time', description })

export const UsagePeriod = namedObject('UsagePeriod', { start: time('Start, inclusive'), ...figures })
export type UsagePeriod = Type.Static<typeof UsagePeriod>

export const UsageHistory = namedObject('UsageHistory', {
  agent_id: orNull(Type.String(), 'Null: all agents, also purged ones'),
  hours: Type.Array(UsagePeriod, { description: 'All hours, oldest first; the last one is the current hour' }),
  /** Of these hours. */
  total: UsagePeriod,
  /** Of the current day in UTC. */
  today: UsagePeriod,
})
export type UsageHistory = Type.Static<typeof UsageHistory>

export interface UsageAsked {
  /** 1 to 744. */
  hours: number
  /** Default: all agents, also purged ones. */
  agentId?: string
}

export const ContextCleared = namedObject('ContextCleared', {
  agent_id: Type.String(),
  session_usage: Usage,
  new_session_number: Type.Integer(),
})
export type ContextCleared = Type.Static<typeof ContextCleared>

export interface UsageAsked {
  /** 1 to 744. */
  hours: number
  /** Default: all agents, also purged ones. */
  agentId?: string
}
