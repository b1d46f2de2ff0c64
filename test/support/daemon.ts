// A real daemon for tests, as a process of its own or inside this one, with everything it needs around it: data folder,
// watched folder, tmux server, free ports. Nothing is left behind after `close`.
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
/** A busy machine starts many things at once. */
const PATIENCE_MS = 30_000

export interface StandOptions {
  /** Copied to where the daemon watches; default an empty folder. */
  manifests?: string
  /** Of the daemon and of every command. */
  env?: Record<string, string>
}

/** What a test or a bench that broke off leaves behind ends with its process. */
const left = new Map<DaemonStand, ChildProcess>()
process.once('exit', () => {
  for (const [{ muxSocket }, child] of left) {
    child.kill('SIGKILL')
    for (const socket of [muxSocket, `${muxSocket}-user`]) spawnSync('tmux', ['-L', socket, 'kill-server'])
  }
})

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL'

/** What differs between a daemon that is a process and one inside this process. */
interface Running {
  ended(): boolean
  kill(signal: Signal): void
  /** Asks it to stop and to end its agents. */
  shutDown(): Promise<unknown>
  /** Resolves with its exit code, null when a signal ended it. */
  exit: Promise<number | null>
}

export class DaemonStand {
  readonly home = mkdtempSync(join(tmpdir(), 'svc-stand-'))
  /** A git repository; the watched folder is below it. */
  readonly project = join(this.home, 'project')
  readonly manifests = join(this.project, 'manifests')
  readonly dataDir = join(this.home, 'data')
  readonly muxSocket = tmuxSocket()
  /** Of the daemon and of the commands: they find it by its runtime file. */
  readonly env: Record<string, string>
  #urls: Record<string, string> = {}
  #running: Running | null = null
  #output = ''
  readonly #streams: WebSocket[] = []

  /** Nothing runs yet: `start` starts a process, `startInside` a daemon in this one. */
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

  /** Address of each service that runs. */
  get urls(): Readonly<Record<string, string>> {
    return this.#urls
  }
  get controller(): string {
    return this.#urls.controller!
  }
  get orchestrator(): string {
    return this.#urls.orchestrator!
  }
  /** What the process has written so far, to either stream. */
  get output(): string {
    return this.#output
  }

  /**
   * Starts `svc serve`, or what `program` says, and resolves when it answers, before its first pass is over. A second
   * start takes the ports of the first, for living agents dial the port of the daemon that started them.
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
      if (ended()) throw new Error(`the daemon ended: ${this.#output}`)
      const runtime = existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))
      return runtime && runtime.pid === child.pid && (runtime as { services: Record<string, string> })
    }, PATIENCE_MS)
    this.#bind(services)
    return child
  }

  /** Starts a daemon in this process; `options` stand in for parts of the outside world, `env` is added to its own. */
  async startInside({ env, ...options }: Partial<DaemonOptions> & Pick<StandOptions, 'env'> = {}): Promise<Daemon> {
    const [{ startDaemon }, { readConfig }, { noLog }] = await Promise.all([
      import('../../daemon/index.ts'),
      import('../../platform/core/config.ts'),
      import('../../platform/core/log/log.ts'),
    ])
    const daemon = await startDaemon({
      // What a test writes without a pause is never read half by a daemon in its own process.
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

  /** Starts a process, and waits until the plan is empty and every agent that runs is connected. */
  async startReady(): Promise<void> {
    await this.start()
    await this.settled()
    await this.connected()
  }

  /** The same with a daemon in this process. */
  async startReadyInside(): Promise<void> {
    await this.startInside()
    await this.settled()
    await this.connected()
  }

  /** Every agent that runs is connected. */
  connected(): Promise<true> {
    return eventually(
      async () => (await this.agents()).every((agent) => agent.status !== 'running' || agent.connected),
      PATIENCE_MS,
    )
  }

  /** Everything Ready, and a plan with nothing in it. */
  async settled(): Promise<void> {
    await eventually(async () => {
      const resources = await this.get<Resource[]>(`${this.controller}/resources`)
      const unready = resources.filter(
        (each) => !each.conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
      )
      // A plan looks at everything that is live: it is asked for when there is hope of an empty one.
      const isReady = resources.length > 0 && unready.length === 0
      const steps = isReady ? (await this.plan()).steps : []
      if (!isReady || steps.length > 0) throw new Error(`not settled: ${JSON.stringify({ unready, steps })}`)
      return true
    }, PATIENCE_MS)
  }

  /** What a pass over the watched folder would do now by itself. */
  plan(): Promise<Plan> {
    return request<Plan>('POST', `${this.controller}/plan`, { source: 'default', keep_drift: true })
  }

  /** `svc …` against this daemon. */
  svc(args: string[], options: RunOptions = {}): Promise<Result> {
    return this.#command('svc', args, options)
  }

  /** `agent …` against this daemon. */
  agent(args: string[], options: RunOptions = {}): Promise<Result> {
    return this.#command('agent', args, options)
  }

  #command(name: 'svc' | 'agent', args: string[], options: RunOptions): Promise<Result> {
    return runCommand(name, args, { cwd: this.home, ...options, env: { ...this.env, ...options.env } })
  }

  ask<T = any>(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<T>> {
    return ask<T>(method, url, body, headers)
  }

  /** The body of a GET; throws on an error status. */
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

  /** Frames of every agent, or of one, from now on; they are added to `frames`. */
  async listen(agentId?: string, frames: StreamFrame[] = []): Promise<StreamFrame[]> {
    const path = agentId === undefined ? '/stream' : `/stream/${agentId}`
    const stream = new WebSocket(`${this.orchestrator.replace('http', 'ws')}${path}`)
    this.#streams.push(stream)
    stream.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as StreamFrame))
    await once(stream, 'open')
    return frames
  }

  /** Writes a manifest below the watched folder, as an editor that saves in place. */
  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.manifests, path)), { recursive: true })
    writeFileSync(join(this.manifests, path), text)
  }

  /** Session name to the process id in its pane. */
  panes(): Promise<Record<string, string>> {
    return panesOf(this.muxSocket)
  }

  /** Resolves with its exit code; null when the signal itself ended it, as SIGKILL does. */
  async stopBy(signal: Signal): Promise<number | null> {
    this.#running!.kill(signal)
    return this.#running!.exit
  }

  /** Ends the sessions of the agents, as a machine that went down does. */
  async endSessions(): Promise<void> {
    for (const socket of [this.muxSocket, `${this.muxSocket}-user`]) await endTmuxServer(socket)
  }

  /** Ends daemon, sessions and files, whatever state they are in. Throws when the daemon took longer than it may. */
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
