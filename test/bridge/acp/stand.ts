import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Launch } from '../../../schemas/agent/launch.ts'
import type { AgentServer, Frame } from '../agent-server.ts'
import { agentServer, startBridge, temporaryFolder, type RunningBridge } from '../running.ts'

const library = process.env.SVC_ACP_SDK_DIR
const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url).pathname

export const acpCommand = [
  process.execPath,
  ...(library === undefined ? [fixture('agent.mjs')] : [fixture('sdk-agent.mjs'), library]),
]

export interface AcpStand {
  server: AgentServer
  bridge: RunningBridge
  /** Events recorded by the agent. */
  notes(word: string): Frame[]
}

/** Starts the bridge with launch file fields and variables of the agent. */
export async function startAcp(members: Partial<Launch> = {}, env: Record<string, string> = {}): Promise<AcpStand> {
  const file = join(temporaryFolder(), 'notes.jsonl')
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'acp',
    command: acpCommand,
    env: { ...env, ACP_NOTES: file },
    ...members,
  })
  const notes = (word: string) =>
    (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
      .map((line) => JSON.parse(line) as Frame)
      .filter((note) => Object.hasOwn(note, word))
      .map((note) => note[word] as Frame)
  return { server, bridge, notes }
}

export async function acp(members: Partial<Launch> = {}, env: Record<string, string> = {}): Promise<AcpStand> {
  const stand = await startAcp(members, env)
  await stand.server.next((frame) => frame['subtype'] === 'bridge')
  return stand
}

/** A prompt that uses a tool; with `UNASKED`, without a permission request. */
export const using = (call: Frame, word = 'TOOL'): string => `${word} ${JSON.stringify(call)}`
