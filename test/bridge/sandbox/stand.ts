import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Launch } from '../../../schemas/agent/launch.ts'
import type { LaunchSandbox } from '../../../schemas/sandbox.ts'
import { visibleFolder } from '../../platform/sandbox/visible-folder.ts'
import type { AgentServer } from '../agent-server.ts'
import { afterwards, agentServer, startBridge, type RunningBridge } from '../running.ts'

export interface SandboxStand {
  /** `work` is the working directory; the rest is read-only. */
  folder: string
  directory: string
  sandbox: LaunchSandbox
}

export function sandboxStand(members: Partial<LaunchSandbox> = {}): SandboxStand {
  const { path: folder, remove } = visibleFolder()
  afterwards(remove)
  const directory = join(folder, 'work')
  mkdirSync(directory)
  const sandbox: LaunchSandbox = {
    write: [directory],
    read: 'all',
    hide: [],
    readonly: [],
    sockets: [],
    network: { mode: 'all', hosts: [] },
    nested: false,
    tmp: join(folder, 'private', 'tmp'),
    closed: [join(homedir(), '.ssh'), join(folder, 'private')],
    ...members,
  }
  return { folder, directory, sandbox }
}

export async function startInside(
  members: Partial<Launch>,
  rules: Partial<LaunchSandbox> = {},
): Promise<SandboxStand & { server: AgentServer; bridge: RunningBridge }> {
  const stand = sandboxStand(rules)
  const server = await agentServer()
  const { directory, sandbox } = stand
  return { ...stand, server, bridge: await startBridge(server, { directory, sandbox, ...portsOf(server), ...members }) }
}

/** Only root may listen at ports below 1024. */
export const portsOf = ({ url }: { url: string }): Partial<Launch> => {
  const address = `http://127.0.0.1:${new URL(url).port}`
  return { orchestrator_url: address, tools_url: `${address}/mcp` }
}

/** A program of runtime `socket`, whose output is the bridge's. */
export const shell = (script: string): Partial<Launch> => ({ runtime: 'socket', command: ['sh', '-c', script] })
