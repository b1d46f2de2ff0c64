// A whole daemon for the real CLI, inside this process: driven over REST and watched over WebSockets.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Daemon } from '../../daemon/index.ts'
import { createLog } from '../../platform/core/log/log.ts'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { StreamFrame } from '../../schemas/agent/stream.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'
import type { FakeModel } from './fake-model.ts'
import { claudeProgram, offlineEnvironment } from './real-agent.ts'

/** The CLI needs a moment on a busy machine. */
const PATIENCE_MS = 30_000

export interface WholeDaemon {
  /** Where manifests are watched. */
  manifests: string
  /** What the daemon warned of in its log, or worse. */
  warnings: { level: number; msg: string; [member: string]: unknown }[]
  /** Answers the body; throws when the status is not 2xx. */
  ask(method: string, path: string, body?: unknown): Promise<any>
  askController(path: string): Promise<any>
  /** An agent with a home and a project of its own, watched and connected; `members` go into `POST /agents`. */
  agent(members?: Record<string, unknown>): Promise<WatchedAgent>
  /** A body for `POST /agents` or a manifest, and the folders it names. */
  claude(
    members?: Record<string, unknown>,
  ): Record<string, unknown> & { working_dir: string; env: Record<string, string> }
  /** Ends the daemon, lets the agents live, and starts another on the same data and port. */
  replace(): Promise<void>
  close(): Promise<void>
}

export interface WatchedAgent {
  id: string
  project: string
  /** Frames of `/stream/{id}` so far. */
  frames: StreamFrame[]
  record(): Promise<AgentRecord>
  say(content: string): Promise<void>
  /** The first frame of this type at or after `from` that satisfies `wanted`. */
  next(type: string, from?: number, wanted?: (frame: StreamFrame) => boolean): Promise<StreamFrame>
  /** Says `content`; returns the turn's result when it is on record, which is after it was on the stream. */
  turn(content: string): Promise<StreamFrame>
  /** Opens the stream again, after the daemon was replaced. */
  watch(): Promise<void>
  /** Process ids of the CLI. */
  processes(): number[]
}

/** `killed`: the daemon is a process of its own, and what replaces it does so after a kill -9. */
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

/** The command line of a process, its arguments separated by NUL. */
export function commandLine(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
}

/** Process ids of the CLI of one agent. */
export function processesOf(agentId: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`SVC_AGENT_ID=${agentId}\0`) &&
          commandLine(pid).includes('--permission-prompt-tool')
        )
      } catch {
        return false
      }
    })
}
