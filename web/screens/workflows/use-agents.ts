import { useMemo } from 'react'
import type { AgentRecord } from '../../../schemas/agent/record.ts'
import { agentsTopic } from '../../live/topics.ts'
import { useRecords, useTopic } from '../../live/use-live.ts'

/** Agents by id; null while they are read. */
export function useAgents(): ReadonlyMap<string, AgentRecord> | null {
  const { cache, isKnown } = useTopic(agentsTopic)
  const agents = useRecords(cache)
  return useMemo(() => (isKnown ? new Map(agents.map((agent) => [agent.id, agent])) : null), [agents, isKnown])
}
