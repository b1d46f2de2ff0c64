// A whole daemon for the real CLI: real ports, tmux and a database file, driven over REST and watched over WebSockets.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { startDaemon, type Daemon } from '../../daemon/index.ts'
import { readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/log.ts'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { StreamFrame } from '../../schemas/stream.ts'
import { bundledBridge } from '../support/bridge.ts'
import { eventually } from '../support/eventually.ts'
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
  /** Says `content` and waits for the turn's result. */
  turn(content: string): Promise<StreamFrame>
  /** Opens the stream again, after the daemon was replaced. */
  watch(): Promise<void>
  /** Process ids of the CLI. */
  processes(): number[]
}

export async function startWholeDaemon(model: FakeModel): Promise<WholeDaemon> {
  const home = mkdtempSync(join(tmpdir(), 'svc-whole-'))
  const manifests = join(home, 'manifests')
  mkdirSync(manifests)
  const socket = `svc-test-${randomBytes(6).toString('hex')}`
  const warnings: WholeDaemon['warnings'] = []
  const log = createLog(
    { level: 'warn', format: 'json' },
    new Writable({ write: (line, _, done) => done(void warnings.push(JSON.parse(String(line)))) }),
  )
  const start = async (port: string): Promise<Daemon> =>
    startDaemon({
      config: readConfig({
        PATH: process.env['PATH'],
        HOME: home,
        SVC_DATA_DIR: join(home, 'data'),
        SVC_MUX_SOCKET: socket,
        SVC_CONTROLLER_PORT: '0',
        SVC_ORCHESTRATOR_PORT: port,
      }),
      manifests,
      version: '9.9.9',
      log,
      bridge: await bundledBridge(),
    })
  let daemon = await start('0')
  const ask = (method: string, path: string, body?: unknown) =>
    request(method, `${daemon.urls['orchestrator']}${path}`, body)
  const claude: WholeDaemon['claude'] = (members = {}) => {
    const folder = mkdtempSync(join(home, 'agent-'))
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
    manifests,
    warnings,
    ask,
    askController: (path) => request('GET', `${daemon.urls['controller']}${path}`),
    claude,
    agent: async (members) => {
      const input = claude(members)
      const { id } = await ask('POST', '/agents', input)
      return watched(id, input.working_dir, ask, () => daemon.urls['orchestrator']!.replace('http', 'ws'))
    },
    replace: async () => {
      const { port } = new URL(daemon.urls['orchestrator']!)
      await daemon.stop()
      daemon = await start(port)
    },
    close: async () => {
      await daemon.stop({ agents: true })
      await promisify(execFile)('tmux', ['-L', socket, 'kill-server']).catch(() => undefined)
      rmSync(join(process.env['TMUX_TMPDIR'] ?? '/tmp', `tmux-${process.getuid!()}`, socket), { force: true })
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function watched(
  id: string,
  project: string,
  ask: WholeDaemon['ask'],
  base: () => string,
): Promise<WatchedAgent> {
  const frames: StreamFrame[] = []
  const agent: WatchedAgent = {
    id,
    project,
    frames,
    record: () => ask('GET', `/agents/${id}`),
    say: async (content) => void (await ask('POST', `/agents/${id}/message`, { content })),
    next: (type, from = 0, wanted = () => true) =>
      eventually(() => frames.slice(from).find((frame) => frame.type === type && wanted(frame)), PATIENCE_MS),
    turn: async (content) => {
      const from = frames.length
      await agent.say(content)
      return agent.next('result', from)
    },
    watch: async () => {
      const stream = new WebSocket(`${base()}/stream/${id}`)
      stream.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString())))
      await once(stream, 'open')
    },
    processes: () => processesOf(id),
  }
  await agent.watch()
  await eventually(async () => (await agent.record()).connected, PATIENCE_MS)
  return agent
}

async function request(method: string, url: string, body?: unknown): Promise<any> {
  const response = await fetch(url, {
    method,
    headers: { 'x-svc-actor': 'mia', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
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
