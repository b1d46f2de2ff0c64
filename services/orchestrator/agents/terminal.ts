// What an agent's terminal shows: taken here alone, without the secrets that the agent knows.
import type { World } from '../../../platform/service/world.ts'
import type { AgentSecrets } from '../session/agent-secrets.ts'
import { sessionName, type AgentRow } from '../record/agent-store.ts'

/** Lines before those that are asked for: what begins in one of them is a secret still where it ends. */
const BEFORE = 200

/** The last lines. */
export async function terminalText(
  { mux, secrets }: Pick<World, 'mux'> & { secrets: AgentSecrets },
  agent: AgentRow,
  lines: number,
): Promise<string> {
  const shown = await mux.capture(sessionName(agent.id), lines + BEFORE)
  return secrets.maskText(agent, shown).split('\n').slice(-lines).join('\n')
}
