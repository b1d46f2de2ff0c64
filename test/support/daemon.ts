// A real daemon for tests, in a child process or in this one.
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import type { Daemon, DaemonOptions } from '../../daemon/index.ts'
import type { AgentRecord, MessageReply } from '../../schemas/agent.ts'
import type { Plan } from '../../schemas/plan.ts'
import type { Resource } from '../../schemas/resource.ts'
import type { StreamFrame } from '../../schemas/agent/stream.ts'
import { runCommand, type Result, type RunOptions } from './command.ts'
import { eventually } from './eventually.ts'
import { ask, request, type Reply } from './http.ts'
import { noForge, portsOfItsOwn } from './ports.ts'
import { bridgeProgram } from './built.ts'
import { root } from './root.ts'
import { endTmuxServer, panesOf, tmuxSocket } from './tmux-server.ts'

const run = promisify(execFile)
const STOPS_WITHIN_MS = 10_000
const PATIENCE_MS = 30_000

export interface StandOptions {
  /** Copied to the watched folder; default: empty. */
  manifests?: string
  env?: Record<string, string>
}

/** Daemons to kill if this process exits early. */
const left = new Map<DaemonStand, ChildProcess>()
process.once('exit', () => {
  for (const [{ muxSocket }, child] of left) {
    child.kill('SIGKILL')
    for (const socket of [muxSocket, `${muxSocket}-user`]) spawnSync('tmux', ['-L', socket, 'kill-server'])
  }
})

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL'

interface Running {
  ended(): boolean
  kill(signal: Signal): void
  /** Stops the daemon and ends its agents. */
  shutDown(): Promise<unknown>
  /** Exit code; null after a signal. */
  exit: Promise<number | null>
}

export class DaemonStand {
  readonly home = mkdtempSync(join(tmpdir(), 'svc-stand-'))
  /** A git repository. */
  readonly project = join(this.home, 'project')
  readonly manifests = join(this.project, 'manifests')
  readonly dataDir = join(this.home, 'data')
  readonly muxSocket = tmuxSocket()
  /** For the daemon and all commands. */
  readonly env: Record<string, string>
  #urls: Record<string, string> = {}
  #running: Running | null = null
  #output = ''
  readonly #streams: WebSocket[] = []

  static async create(options: StandOptions = {}): Promise<DaemonStand> {
    const stand = new DaemonStand(options, await portsOfItsOwn())
    await run('git', ['init', '--quiet', stand.project])
    return stand
  }

  private constructor({ manifests, env }: StandOptions, ports: Record<string, string>) {
    mkdirSync(this.manifests, { recursive: true })
    if (manifests) cpSync(manifests, this.manifests, { recursive: true })
    this.env = {
      PATH: process.env.PATH!,
      HOME: this.home,
      SVC_DATA_DIR: this.dataDir,
      SVC_MUX_SOCKET: this.muxSocket,
      SVC_USER_MUX_SOCKET: `${this.muxSocket}-user`,
      ...ports,
      ...noForge,
      SVC_ACTOR: 'tester',
      ...env,
    }
  }

  get urls(): Readonly<Record<string, string>> {
    return this.#urls
  }
  get controller(): string {
    return this.#urls.controller!
  }
  get orchestrator(): string {
    return this.#urls.orchestrator!
  }
  get output(): string {
    return this.#output
  }

  /**
   * Resolves when the daemon answers, before the end of its first pass. A second start uses the same ports, because
   * running agents connect to them.
   */
  async start(program = ['bin/svc', 'serve', '--manifests', this.manifests]): Promise<ChildProcess> {
    const [command, ...args] = program[0]!.endsWith('.mjs') ? [process.execPath, ...program] : program
    const child = spawn(command!, args, { cwd: root, env: this.env })
    left.set(this, child)
    this.#output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (this.#output += chunk))
    const ended = () => child.exitCode !== null || child.signalCode !== null
    const exit = once(child, 'exit').then(([code]) => code as number | null)
    const shutDown = () => request('POST', `${this.controller}/shutdown`, { agents: true })
    this.#running = { ended, kill: (signal) => void child.kill(signal), shutDown, exit }
    const file = join(this.dataDir, 'runtime.json')
    const { services } = await eventually(() => {
      if (ended()) throw new Error(`the daemon exited: ${this.#output}`)
      const runtime = existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))
      return runtime && runtime.pid === child.pid && (runtime as { services: Record<string, string> })
    }, PATIENCE_MS)
    this.#bind(services)
    return child
  }

  /** Starts a daemon in this process; `options` replace dependencies. */
  async startInside({ env, ...options }: Partial<DaemonOptions> & Pick<StandOptions, 'env'> = {}): Promise<Daemon> {
    const [{ startDaemon }, { readConfig }, { noLog }] = await Promise.all([
      import('../../daemon/index.ts'),
      import('../../platform/core/config.ts'),
      import('../../platform/core/log/log.ts'),
    ])
    const daemon = await startDaemon({
      // Short: a daemon in this process cannot read between two synchronous writes.
      config: readConfig({ SVC_SETTLE_SECS: '0.02', ...this.env, ...env }),
      manifests: this.manifests,
      version: '9.9.9',
      log: noLog,
      bridge: bridgeProgram,
      ...options,
    })
    let stopped = false
    const exit = daemon.stopped.then(() => ((stopped = true), 0))
    const shutDown = () => daemon.stop({ agents: true })
    this.#running = { ended: () => stopped, kill: () => void daemon.stop(), shutDown, exit }
    this.#bind(daemon.urls)
    return daemon
  }

  #bind(urls: Readonly<Record<string, string>>): void {
    this.#urls = { ...urls }
    for (const [service, url] of Object.entries(urls)) this.env[`SVC_${service.toUpperCase()}_PORT`] = new URL(url).port
  }

  /** Waits until the plan is empty and every running agent is connected. */
  async startReady(): Promise<void> {
    await this.start()
    await this.settled()
    await this.connected()
  }

  async startReadyInside(): Promise<void> {
    await this.startInside()
    await this.settled()
    await this.connected()
  }

  /** Waits until every running agent is connected. */
  connected(): Promise<true> {
    return eventually(
      async () => (await this.agents()).every((agent) => agent.status !== 'running' || agent.connected),
      PATIENCE_MS,
    )
  }

  /** Waits until everything is Ready and the plan is empty. */
  async settled(): Promise<void> {
    await eventually(async () => {
      const resources = await this.get<Resource[]>(`${this.controller}/resources`)
      const unready = resources.filter(
        (each) => !each.conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
      )
      // Planning observes every resource, so it waits until the plan may be empty.
      const isReady = resources.length > 0 && unready.length === 0
      const steps = isReady ? (await this.plan()).steps : []
      if (!isReady || steps.length > 0) throw new Error(`not settled: ${JSON.stringify({ unready, steps })}`)
      return true
    }, PATIENCE_MS)
  }

  /** The plan of an automatic pass. */
  plan(): Promise<Plan> {
    return request<Plan>('POST', `${this.controller}/plan`, { source: 'default', keep_drift: true })
  }

  svc(args: string[], options: RunOptions = {}): Promise<Result> {
    return this.#command('svc', args, options)
  }

  agent(args: string[], options: RunOptions = {}): Promise<Result> {
    return this.#command('agent', args, options)
  }

  #command(name: 'svc' | 'agent', args: string[], options: RunOptions): Promise<Result> {
    return runCommand(name, args, { cwd: this.home, ...options, env: { ...this.env, ...options.env } })
  }

  ask<T = any>(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<T>> {
    return ask<T>(method, url, body, headers)
  }

  /** Throws on an error status. */
  get<T = any>(url: string): Promise<T> {
    return request<T>('GET', url)
  }

  agents(): Promise<AgentRecord[]> {
    return this.get<AgentRecord[]>(`${this.orchestrator}/agents`)
  }

  async agentNamed(name: string): Promise<AgentRecord> {
    return (await this.agents()).find((each) => each.name === name)!
  }

  send(id: string, content: string): Promise<Reply<MessageReply>> {
    return ask<MessageReply>('POST', `${this.orchestrator}/agents/${id}/message`, { content })
  }

  /** Appends the frames of one agent, or of all, to `frames`. */
  async listen(agentId?: string, frames: StreamFrame[] = []): Promise<StreamFrame[]> {
    const path = agentId === undefined ? '/stream' : `/stream/${agentId}`
    const stream = new WebSocket(`${this.orchestrator.replace('http', 'ws')}${path}`)
    this.#streams.push(stream)
    stream.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as StreamFrame))
    await once(stream, 'open')
    return frames
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.manifests, path)), { recursive: true })
    writeFileSync(join(this.manifests, path), text)
  }

  /** Process ids by session. */
  panes(): Promise<Record<string, string>> {
    return panesOf(this.muxSocket)
  }

  /** Returns the exit code, or null after SIGKILL. */
  async stopBy(signal: Signal): Promise<number | null> {
    this.#running!.kill(signal)
    return this.#running!.exit
  }

  /** Ends all sessions, like a reboot. */
  async endSessions(): Promise<void> {
    for (const socket of [this.muxSocket, `${this.muxSocket}-user`]) await endTmuxServer(socket)
  }

  /** Throws if the daemon did not stop in time. */
  async close(): Promise<void> {
    for (const stream of this.#streams) stream.terminate()
    const late = await this.#stop()
    await this.endSessions()
    left.delete(this)
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 })
    if (late) throw new Error(`the daemon did not stop within ten seconds: ${this.#output}`)
  }

  async #stop(): Promise<boolean> {
    const running = this.#running
    if (running === null || running.ended()) return false
    await running.shutDown().catch(() => running.kill('SIGTERM'))
    let late = false
    const patience = setTimeout(() => ((late = true), running.kill('SIGKILL')), STOPS_WITHIN_MS)
    await running.exit
    clearTimeout(patience)
    return late
  }
}
