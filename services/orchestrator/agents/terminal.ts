import type { World } from '../../../platform/service/world.ts'
import type { AgentSecrets } from '../session/agent-secrets.ts'
import { sessionName, type AgentRow } from '../record/agent-store.ts'

/** Extra lines, to detect a secret that starts before the requested ones. */
const BEFORE = 200

export async function terminalText(
  { mux, secrets }: Pick<World, 'mux'> & { secrets: AgentSecrets },
  agent: AgentRow,
  lines: number,
): Promise<string> {
  const shown = await mux.capture(sessionName(agent.id), lines + BEFORE)
  return secrets.maskText(agent, shown).split('\n').slice(-lines).join('\n')
}
