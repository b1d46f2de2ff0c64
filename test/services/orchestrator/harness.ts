// An orchestrator with real tmux, a real database and real sockets, and an agent that a test plays by hand.
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { WebSocket, WebSocketServer } from 'ws'
import type { Actor } from '../../../platform/actor.ts'
import { systemClock, TestClock, type Clock } from '../../../platform/clock.ts'
import { openDatabase, type Knex } from '../../../platform/database.ts'
import { noLog, type Log } from '../../../platform/log.ts'
import type { Mux } from '../../../platform/mux.ts'
import { createTmux } from '../../../platform/tmux.ts'
import { Vault } from '../../../platform/vault.ts'
import { canonicalAgent, type AgentInput, type AgentRecord, type AgentSpec } from '../../../schemas/agent.ts'
import type { StreamFrame } from '../../../schemas/stream.ts'
import type { Launch } from '../../../schemas/launch.ts'
import { createOrchestrator, type LiveChange, type Orchestrator } from '../../../services/orchestrator/index.ts'
import { eventually } from '../../support/eventually.ts'

export const alice: Actor = { actor: 'alice', requestId: 'req-1', endpoint: 'TEST' }

export interface HarnessOptions {
  clock?: Clock
  /** Address of a database; default a new SQLite file. */
  url?: string
  /** Bridge to run; default one that only stays alive. */
  bridge?: string
  env?: Record<string, string>
  log?: Log
  agentCommand?: string
  /** Of the agent socket; default any free one. */
  port?: number
  /** Wraps the real tmux, to make it fail or to count. */
  mux?(real: Mux): Mux
}

/** What a daemon is made of, and survives it: data folder, tmux server, database, working folder. */
export class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-orch-'))
  readonly work = mkdtempSync(join(tmpdir(), 'svc-work-'))
  readonly socket = `svc-test-${randomBytes(6).toString('hex')}`
  readonly vault = new Vault(randomBytes(32))
  readonly options: HarnessOptions
  readonly idleBridge: string
  readonly #houses: House[] = []

  constructor(options: HarnessOptions = {}) {
    this.options = options
    this.idleBridge = join(this.folder, 'idle-bridge.mjs')
    writeFileSync(this.idleBridge, 'setInterval(() => {}, 1000)\n')
  }

  get env(): Record<string, string | undefined> {
    return { ...process.env, ...this.options.env }
  }

  get mux(): Mux {
    const real = createTmux({ socket: this.socket, env: this.env })
    return this.options.mux?.(real) ?? real
  }

  get launchFolder(): string {
    return join(this.folder, 'launch')
  }

  /** A daemon; start it again after `stop` or `crash` and it finds the same world. */
  async open(more: Partial<HarnessOptions> = {}): Promise<House> {
    const house = await House.open(this, { ...this.options, ...more })
    this.#houses.push(house)
    return house
  }

  async launchFile(id: string): Promise<Launch> {
    return JSON.parse(await readFile(join(this.launchFolder, `${id}.json`), 'utf8')) as Launch
  }

  async close(): Promise<void> {
    try {
      for (const house of this.#houses) await house.close()
    } finally {
      await execa('tmux', ['-L', this.socket, 'kill-server'], { reject: false })
      for (const folder of [this.folder, this.work]) rmSync(folder, { recursive: true, force: true })
    }
  }
}

export class House {
  readonly frames: StreamFrame[] = []
  readonly changes: LiveChange[] = []
  readonly world: World
  readonly clock: Clock
  readonly db: Knex
  readonly #server: Server
  readonly #sockets = new WebSocketServer({ noServer: true })
  readonly #agents: HandAgent[] = []
  orchestrator!: Orchestrator

  private constructor(world: World, options: HarnessOptions) {
    this.world = world
    this.clock = options.clock ?? systemClock
    this.db = openDatabase(options.url ?? `sqlite:${join(world.folder, 'svc.db')}`, { busyTimeoutMs: 200 })
    this.#server = createServer((_request, response) => response.writeHead(404).end())
    this.#server.on('upgrade', (request, socket, head) => {
      const id = (request.url ?? '').slice('/ws/'.length)
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? null
      void this.orchestrator.sockets.admit(id, token).then((admitted) => {
        if (!admitted) return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
        this.#sockets.handleUpgrade(request, socket, head, (upgraded) => this.orchestrator.sockets.attach(id, upgraded))
      })
    })
  }

  static async open(world: World, options: HarnessOptions): Promise<House> {
    const house = new House(world, options)
    house.#server.listen(options.port ?? 0, '127.0.0.1')
    await once(house.#server, 'listening')
    house.orchestrator = await createOrchestrator({
      db: house.db,
      vault: world.vault,
      clock: house.clock,
      log: options.log ?? noLog,
      mux: world.mux,
      config: {
        dataDir: world.folder,
        agentCommand: options.agentCommand ?? 'claude',
        approvalTimeoutSecs: 300,
        home: tmpdir(),
        env: world.env,
      },
      bridge: options.bridge ?? world.idleBridge,
      socketUrl: () => house.address.replace('http', 'ws'),
      httpUrl: () => house.address,
    })
    house.orchestrator.streams.subscribe((frame) => house.frames.push(frame))
    house.orchestrator.changes((change) => house.changes.push(change))
    await house.orchestrator.start()
    return house
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Moves the test clock. */
  tick(ms: number): void {
    ;(this.clock as TestClock).tick(ms)
  }

  spec(input: Partial<AgentInput> = {}): AgentSpec {
    return canonicalAgent(
      { name: 'worker', working_dir: this.world.work, shell: 'bash', runtime: 'scripted', ...input },
      { restart: 'never' },
    )
  }

  async create(input: Partial<AgentInput> = {}): Promise<AgentRecord> {
    return this.orchestrator.agents.create(this.spec(input), alice)
  }

  /** An agent and the hand that plays it, connected and idle. */
  async createConnected(input: Partial<AgentInput> = {}): Promise<{ id: string; agent: HandAgent }> {
    const { id } = await this.create(input)
    return { id, agent: await this.connect(id) }
  }

  /** Dials as the agent's process would; says that it is guarded unless told otherwise. */
  async connect(
    id: string,
    options: { guarded?: boolean | null; token?: string; state?: string | null } = {},
  ): Promise<HandAgent> {
    const token = options.token ?? (await this.world.launchFile(id)).token
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
        agent_version: '9.9.9',
        uuid: randomUUID(),
      })
    await eventually(() => agent.received.some((frame) => frame.request?.subtype === 'initialize'))
    await eventually(async () => (await this.orchestrator.agents.get(id)).connected)
    return agent
  }

  frame(type: string, agentId?: string): StreamFrame | undefined {
    return this.frames.findLast((frame) => frame.type === type && (agentId === undefined || frame.agent_id === agentId))
  }

  /** As SIGTERM does. */
  async stop(): Promise<void> {
    await this.orchestrator.stop()
    await this.#shut()
  }

  /** As `kill -9` does: nothing is written any more, sockets just vanish. */
  async crash(): Promise<void> {
    for (const socket of this.#sockets.clients) {
      // Nobody is left to notice.
      socket.removeAllListeners()
      socket.terminate()
    }
    await this.orchestrator.stop()
    await this.#shut()
  }

  #closed = false
  async close(): Promise<void> {
    if (this.#closed) return
    await this.orchestrator.stop()
    await this.#shut()
  }

  async #shut(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const agent of this.#agents) agent.socket.terminate()
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#server.closeAllConnections()
    this.#server.close()
    await this.db.destroy()
  }
}

export type Frame = Record<string, any>

/** An agent program played by the test: it says what the test says, and remembers what it was told. */
export class HandAgent {
  readonly received: Frame[] = []
  readonly opened: Promise<unknown>
  closeCode: number | null = null
  cost = 0

  readonly socket: WebSocket
  constructor(socket: WebSocket, state: string | null) {
    this.socket = socket
    this.opened = once(socket, 'open')
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame
      this.received.push(frame)
      if (state !== null && frame.request?.subtype === 'initialize') this.answerInitialize(frame.request_id, state)
    })
    socket.on('close', (code) => (this.closeCode = code))
    socket.on('error', () => undefined)
  }

  answerInitialize(requestId: string, state: string | undefined, pending: Frame[] = []): void {
    this.send({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: requestId,
        response: { session_state: state },
        pending_permission_requests: pending,
      },
    })
  }

  send(...frames: Frame[]): void {
    for (const frame of frames) this.socket.send(`${JSON.stringify(frame)}\n`)
  }

  prompts(): string[] {
    return this.received.filter((frame) => frame.type === 'user').map((frame) => frame.message.content)
  }

  /** Waits for the n-th prompt, counted from 1. */
  prompt(count: number): Promise<string> {
    return eventually(() => this.prompts()[count - 1])
  }

  /** Ends the turn. */
  result(more: Frame = {}): Frame {
    const frame = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 10,
      duration_api_ms: 5,
      num_turns: 1,
      result: 'done',
      total_cost_usd: this.cost,
      usage: { input_tokens: 100, output_tokens: 20 },
      uuid: randomUUID(),
      ...more,
    }
    this.send(frame)
    return frame
  }

  /** Asks for a tool; returns the id of the request. */
  askTool(tool: string, input: Frame, requestId: string = randomUUID()): string {
    this.send({
      type: 'control_request',
      request_id: requestId,
      request: { subtype: 'can_use_tool', tool_name: tool, input },
    })
    return requestId
  }

  /** The inner answer to a tool request. */
  answer(requestId: string): Promise<Frame> {
    return eventually(
      () =>
        this.received.find((frame) => frame.type === 'control_response' && frame.response.request_id === requestId)
          ?.response.response as Frame | undefined,
    )
  }

  answers(requestId: string): Frame[] {
    return this.received.filter((frame) => frame.type === 'control_response' && frame.response.request_id === requestId)
  }
}

/** A workflow body. */
export function workflow(agentId: string, more: Record<string, unknown> = {}) {
  return {
    name: `flow-${randomUUID().slice(0, 8)}`,
    agent_id: agentId,
    trigger_config: { type: 'manual' },
    prompt_template: 'Do {{title}}: {{body}}',
    ...more,
  }
}
