// What an agent's terminal shows: taken here alone, without the secrets that the agent knows.
import type { AgentsWorld } from './world.ts'
import { sessionName, type AgentRow } from '../record/agent-store.ts'

/** Lines before those that are asked for: what begins in one of them is a secret still where it ends. */
const BEFORE = 200

/** The last lines. */
export async function terminalText(service: AgentsWorld, agent: AgentRow, lines: number): Promise<string> {
  const shown = await service.mux.capture(sessionName(agent.id), lines + BEFORE)
  return service.secrets.maskText(agent, shown).split('\n').slice(-lines).join('\n')
}
