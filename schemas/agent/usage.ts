import * as Type from 'typebox'
import { namedObject, nullableText } from '../shapes.ts'

export const Usage = namedObject('Usage', {
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cache_read_input_tokens: Type.Integer(),
  cache_creation_input_tokens: Type.Integer(),
  total_cost_usd: Type.Number(),
  num_turns: Type.Integer(),
  duration_ms: Type.Integer(),
  duration_api_ms: Type.Integer(),
  result_count: Type.Integer(),
  started_at: nullableText,
  ended_at: nullableText,
})
export type Usage = Type.Static<typeof Usage>

export const AgentUsage = namedObject('AgentUsage', {
  agent_id: Type.String(),
  current_session: Usage,
  cumulative: Usage,
  session_count: Type.Integer(),
})
export type AgentUsage = Type.Static<typeof AgentUsage>

export const ContextCleared = namedObject('ContextCleared', {
  agent_id: Type.String(),
  session_usage: Usage,
  new_session_number: Type.Integer(),
})
export type ContextCleared = Type.Static<typeof ContextCleared>
