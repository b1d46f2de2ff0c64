import type { Launch } from '../../../schemas/agent/launch.ts'
import type { AgentServer, Frame } from '../agent-server.ts'
import { agentServer, startBridge, type RunningBridge } from '../running.ts'

export async function scripted(members: Partial<Launch> = {}): Promise<{ server: AgentServer; bridge: RunningBridge }> {
  const server = await agentServer()
  const bridge = await startBridge(server, members)
  await server.next((frame) => frame['subtype'] === 'bridge')
  return { server, bridge }
}

export const isResult = (frame: Frame): boolean => frame['type'] === 'result'
