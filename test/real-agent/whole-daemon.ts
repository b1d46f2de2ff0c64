// Runs a whole daemon in this process, driven over REST and WebSockets.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import type { Daemon } from '../../daemon/index.ts'
import { createLog } from '../../platform/core/log/log.ts'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { StreamFrame } from '../../schemas/agent/stream.ts'
import type { Result } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'
import type { FakeModel } from './fake-model.ts'
import { claudeProgram, offlineEnvironment } from './real-agent.ts'

/** The CLI is slow to start on a busy machine. */
const PATIENCE_MS = 30_000

export interface WholeDaemon {
  manifests: string
  warnings: { level: number; msg: string; [member: string]: unknown }[]
  /** Throws unless the status is 2xx. */
  ask(method: string, path: string, body?: unknown): Promise<any>
  askController(path: string): Promise<any>
  agentCommand(args: string[]): Promise<Result>
  /** Creates a connected agent with a separate home; `members` extend `POST /agents`. */
  agent(members?: Record<string, unknown>): Promise<WatchedAgent>
  /** Body for `POST /agents` or a manifest, with its folders. */
  claude(
    members?: Record<string, unknown>,
  ): Record<string, unknown> & { working_dir: string; env: Record<string, string> }
  /** Replaces the daemon, keeping agents, data and port. */
  replace(): Promise<void>
  close(): Promise<void>
}

export interface WatchedAgent {
  id: string
  project: string
  frames: StreamFrame[]
  record(): Promise<AgentRecord>
  say(content: string): Promise<void>
  /** Resolves with the first matching frame from index `from`. */
  next(type: string, from?: number, wanted?: (frame: StreamFrame) => boolean): Promise<StreamFrame>
  /** Resolves once the result is recorded, which follows the stream. */
  turn(content: string): Promise<StreamFrame>
  /** Reopens the stream after the daemon was replaced. */
  watch(): Promise<void>
  processes(): number[]
}

/** `killed`: the daemon is a separate process, replaced after a kill -9. */
export async function startWholeDaemon(model: FakeModel, { killed = false } = {}): Promise<WholeDaemon> {
  const stand = await DaemonStand.create()
  const warnings: WholeDaemon['warnings'] = []
  const log = createLog(
    { level: 'warn', format: 'json' },
    new Writable({ write: (line, _, done) => done(void warnings.push(JSON.parse(String(line)))) }),
  )
  let inside: Daemon | null = null
  const start = async () => {
    if (killed) await stand.start()
    else inside = await stand.startInside({ log })
  }
  await start()
  const ask = (method: string, path: string, body?: unknown) => request(method, `${stand.orchestrator}${path}`, body)
  const claude: WholeDaemon['claude'] = (members = {}) => {
    const folder = mkdtempSync(join(stand.home, 'agent-'))
    const project = join(folder, 'project')
    mkdirSync(project)
    const agent = {
      name: 'worker',
      shell: 'bash',
      runtime: 'claude-code',
      command: [claudeProgram()],
      tool_policy: { mode: 'allow_all' },
    }
    return { ...agent, working_dir: project, env: offlineEnvironment(model, folder), ...members }
  }
  return {
    manifests: stand.manifests,
    warnings,
    ask,
    askController: (path) => request('GET', `${stand.controller}${path}`),
    agentCommand: (args) => stand.agent(args),
    claude,
    agent: async (members) => {
      const input = claude(members)
      const { id } = await ask('POST', '/agents', input)
      return watched(stand, id, input.working_dir)
    },
    replace: async () => {
      if (killed) await stand.stopBy('SIGKILL')
      else await inside?.stop()
      await start()
    },
    close: () => stand.close(),
  }
}

async function watched(stand: DaemonStand, id: string, project: string): Promise<WatchedAgent> {
  const frames: StreamFrame[] = []
  const agent: WatchedAgent = {
    id,
    project,
    frames,
    record: () => stand.get<AgentRecord>(`${stand.orchestrator}/agents/${id}`),
    say: async (content) => void (await request('POST', `${stand.orchestrator}/agents/${id}/message`, { content })),
    next: (type, from = 0, wanted = () => true) =>
      eventually(() => frames.slice(from).find((frame) => frame.type === type && wanted(frame)), PATIENCE_MS),
    turn: async (content) => {
      const from = frames.length
      await agent.say(content)
      const result = await agent.next('result', from)
      await eventually(async () => (await agent.record()).activity === 'idle', PATIENCE_MS)
      return result
    },
    watch: async () => void (await stand.listen(id, frames)),
    processes: () => processesOf(id),
  }
  await agent.watch()
  await eventually(async () => (await agent.record()).connected, PATIENCE_MS)
  return agent
}

/** Arguments are separated by NUL. */
export function commandLine(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
}

/** Without those of its sandbox, which have the command in their arguments. */
export function processesOf(agentId: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`SVC_AGENT_ID=${agentId}\0`) &&
          commandLine(pid).includes('--permission-prompt-tool') &&
          basename(commandLine(pid).split('\0')[0]!) !== 'bwrap'
        )
      } catch {
        return false
      }
    })
}
