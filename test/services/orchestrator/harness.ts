import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { orchestratorRoutes } from '../../../api/orchestrator/index.ts'
import type { Actor } from '../../../platform/core/actor.ts'
import { systemClock, TestClock, type Clock } from '../../../platform/core/clock.ts'
import type { Knex } from '../../../platform/database/database.ts'
import { noLog, type Log } from '../../../platform/core/log/log.ts'
import type { Mux } from '../../../platform/terminal/mux.ts'
import { serve } from '../../../platform/service/define.ts'
import { Tmux } from '../../../platform/terminal/tmux.ts'
import { canonicalAgent, type AgentInput, type AgentRecord, type AgentSpec } from '../../../schemas/agent.ts'
import type { SandboxSpec } from '../../../schemas/sandbox/sandbox.ts'
import type { Approval } from '../../../schemas/tools/approval.ts'
import type { Launch } from '../../../schemas/agent/launch.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import type { Probe } from '../../../services/orchestrator/agents/sandbox/sandboxes.ts'
import type { LiveChange, Orchestrator } from '../../../services/orchestrator/face.ts'
import { orchestrator } from '../../../services/orchestrator/service.ts'
import type { Declared } from '../../../services/orchestrator/tools/request-facts.ts'
import type { TriggerDefinition } from '../../../services/orchestrator/workflows/triggers/contract.ts'
import { eventually } from '../../support/eventually.ts'
import { HandAgent } from '../../support/hand-agent.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'
import { endTmuxServer, tmuxSocket } from '../../support/tmux-server.ts'

const noSandboxes: Probe = async () => ({
  ok: false,
  code: 'sandbox-unavailable',
  message: 'bubblewrap is not installed',
  hint: 'apt install bubblewrap',
})

export const alice: Actor = { actor: 'alice', requestId: 'req-1', endpoint: 'TEST' }

export interface HarnessOptions {
  clock?: Clock
  /** Default: a new SQLite file. */
  url?: string
  /** Default: a bridge that only stays alive. */
  bridge?: string
  env?: Record<string, string>
  log?: Log
  agentCommand?: string
  /** Default: all types. */
  triggers?: readonly TriggerDefinition[]
  /** Answers whether sandboxes run here; default: they do not. */
  probe?: Probe
  defaultSandbox?: SandboxSpec
  /** Default: no manifest declares a resource. */
  declared?: Declared
  /** Default: any free port. */
  port?: number
  mux?(real: Mux): Mux
}

/** State that survives a daemon: data folder, tmux server, database, working folder. */
export class TestMachine {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-orch-'))
  readonly work = mkdtempSync(join(tmpdir(), 'svc-work-'))
  readonly socket = tmuxSocket()
  readonly options: HarnessOptions
  readonly idleBridge: string
  readonly #daemons: TestOrchestrator[] = []

  constructor(options: HarnessOptions = {}) {
    this.options = options
    // Another OS user must be able to read it; the data folder is private to the daemon.
    this.idleBridge = join(this.work, 'idle-bridge.mjs')
    writeFileSync(this.idleBridge, 'setInterval(() => {}, 1000)\n')
  }

  get env(): Record<string, string | undefined> {
    return { ...process.env, ...this.options.env }
  }

  get mux(): Mux {
    const real = new Tmux({ socket: this.socket, env: this.env })
    return this.options.mux?.(real) ?? real
  }

  get launchFolder(): string {
    return join(this.folder, 'launch')
  }

  /** Opens a daemon, also on the state of a stopped or crashed one. */
  async open(more: Partial<HarnessOptions> = {}): Promise<TestOrchestrator> {
    const daemon = await TestOrchestrator.open(this, { ...this.options, ...more })
    this.#daemons.push(daemon)
    return daemon
  }

  async launchFile(id: string): Promise<Launch> {
    return JSON.parse(await readFile(join(this.launchFolder, `${id}.json`), 'utf8')) as Launch
  }

  async killAgent(id: string): Promise<void> {
    const name = `svc-orch-${id}`
    process.kill((await this.mux.get(name))!.pid, 'SIGKILL')
    await eventually(async () => (await this.mux.get(name))?.dead ?? true)
  }

  async close(): Promise<void> {
    try {
      for (const daemon of this.#daemons) await daemon.close()
    } finally {
      await endTmuxServer(this.socket)
      for (const folder of [this.folder, this.work]) rmSync(folder, { recursive: true, force: true })
    }
  }
}

export class TestOrchestrator {
  readonly frames: StreamFrame[] = []
  readonly changes: LiveChange[] = []
  #markers = 0
  readonly machine: TestMachine
  readonly clock: Clock
  readonly #agents: HandAgent[] = []
  #stand!: ServiceStand
  #face!: Orchestrator

  private constructor(machine: TestMachine, options: HarnessOptions) {
    this.machine = machine
    this.clock = options.clock ?? systemClock
  }

  static async open(machine: TestMachine, options: HarnessOptions): Promise<TestOrchestrator> {
    const daemon = new TestOrchestrator(machine, options)
    const served = serve(
      orchestrator,
      (app, face) => {
        daemon.#listen(face)
        orchestratorRoutes(app, face)
      },
      { parts: () => ({ probe: noSandboxes, ...options }) },
    )
    daemon.#stand = await startServices([served], {
      url: options.url ?? `sqlite:${join(machine.folder, 'svc.db')}`,
      busyTimeoutMs: 200,
      clock: daemon.clock,
      log: options.log ?? noLog,
      mux: machine.mux,
      bridge: options.bridge ?? machine.idleBridge,
      runtimeFile: join(machine.folder, `${randomUUID()}.json`),
      env: {
        ...machine.env,
        PORT: undefined,
        SVC_TOKENS_FILE: undefined,
        HOME: tmpdir(),
        SVC_DATA_DIR: machine.folder,
        SVC_AGENT_COMMAND: options.agentCommand,
        SVC_ORCHESTRATOR_PORT: String(options.port ?? 0),
      },
    })
    return daemon
  }

  get orchestrator(): Orchestrator {
    return this.#face
  }

  get db(): Knex {
    return this.#stand.db
  }

  get address(): string {
    return this.#stand.host.urls.orchestrator!
  }

  async figure(name: string): Promise<unknown> {
    return this.#face.metrics!.find((metric) => metric.name === name)!.read()
  }

  #listen(face: Orchestrator): void {
    this.#face = face
    face.streams.subscribe((frame) => this.frames.push(frame))
    face.changes(({ cursor: _cursor, by: _by, ...change }) => this.changes.push(change))
  }

  /** Waits until earlier changes are published: a later marker arrives last. */
  async awaitChanges(): Promise<void> {
    const name = `marker-${this.#markers++}`
    const by = { actor: 'marker', requestId: 'marker', endpoint: 'test' }
    await this.#face.policies.put(name, { mode: 'deny_all' }, by)
    await this.#face.policies.delete(name, by)
    const isMarker = ({ id }: LiveChange) => id === name
    await eventually(() => this.changes.filter(isMarker).length === 2)
    const others = this.changes.filter((change) => !isMarker(change))
    this.changes.splice(0, this.changes.length, ...others)
  }

  tick(ms: number): void {
    ;(this.clock as TestClock).tick(ms)
  }

  spec(input: Partial<AgentInput> = {}): AgentSpec {
    return canonicalAgent(
      { name: 'worker', working_dir: this.machine.work, shell: 'bash', runtime: 'scripted', ...input },
      { restart: 'never' },
    )
  }

  async create(input: Partial<AgentInput> = {}): Promise<AgentRecord> {
    return this.orchestrator.agents.create(this.spec(input), alice)
  }

  async createConnected(input: Partial<AgentInput> = {}): Promise<{ id: string; agent: HandAgent }> {
    const { id } = await this.create(input)
    return { id, agent: await this.connect(id) }
  }

  /** By default the bridge reports itself as guarded. */
  async connect(
    id: string,
    options: {
      guarded?: boolean | null
      clears?: boolean
      token?: string
      state?: string | null
      lastPrompt?: string | null
    } = {},
  ): Promise<HandAgent> {
    const token = options.token ?? (await this.machine.launchFile(id)).token
    const agent = new HandAgent(
      new WebSocket(`${this.address.replace('http', 'ws')}/ws/${id}`, {
        headers: { authorization: `Bearer ${token}` },
      }),
      options.state === undefined ? 'idle' : options.state,
    )
    this.#agents.push(agent)
    await agent.opened
    if (options.guarded !== null)
      agent.send({
        type: 'system',
        subtype: 'bridge',
        guarded: options.guarded ?? true,
        guard_reason: options.guarded === false ? 'permission mode is "auto"' : null,
        ...(options.clears === undefined ? {} : { capabilities: { clears_context: options.clears } }),
        ...(options.lastPrompt === undefined ? {} : { last_prompt: options.lastPrompt }),
        agent_version: '9.9.9',
        uuid: randomUUID(),
      })
    await eventually(() => agent.received.some((frame) => frame.request?.subtype === 'initialize'))
    await eventually(async () => (await this.orchestrator.agents.get(id)).connected)
    return agent
  }

  createCautious(): Promise<{ id: string; agent: HandAgent }> {
    return this.createConnected({ tool_policy: { mode: 'require_approval' } })
  }

  async held(agent: HandAgent, tool: string, input: Record<string, unknown>): Promise<Approval> {
    const id = agent.askTool(tool, input)
    return eventually(async () =>
      (await this.orchestrator.approvals.list()).items.find(
        (approval) => approval.request_id === id && approval.status === 'pending',
      ),
    )
  }

  frame(type: string, agentId?: string): StreamFrame | undefined {
    return this.frames.findLast((frame) => frame.type === type && (agentId === undefined || frame.agent_id === agentId))
  }

  async stop(): Promise<void> {
    await this.#stand.host.stop()
    await this.#stand.close()
    for (const agent of this.#agents) agent.socket.terminate()
  }

  /** Stops as on `kill -9`: the database and sockets close at once. */
  async crash(): Promise<void> {
    await this.db.destroy()
    await this.stop()
  }

  close(): Promise<void> {
    return this.stop()
  }
}

export function workflow(agentId: string, more: Record<string, unknown> = {}) {
  return {
    name: `flow-${randomUUID().slice(0, 8)}`,
    agent_id: agentId,
    trigger_config: { type: 'manual' },
    prompt_template: 'Do {{title}}: {{body}}',
    ...more,
  }
}

export const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as { status: number; message: string },
  )
