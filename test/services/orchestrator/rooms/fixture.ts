// Two daemons with separate state, and scripted agents.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { services } from '../../../../daemon/services.ts'
import type { AgentRecord } from '../../../../schemas/agent.ts'
import type { Message } from '../../../../schemas/communicate/message.ts'
import type { Participant } from '../../../../schemas/communicate/room.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { ask as askUrl } from '../../../support/http.ts'
import { ownPorts } from '../../../support/ports.ts'
import { startServices, type ServiceStand } from '../../../support/services.ts'
import { endTmuxServer } from '../../../support/tmux-server.ts'

type Name = 'communicate' | 'orchestrator'

export class BridgeStand {
  readonly #ports: Record<Name, number>
  readonly #urls: Record<Name, string>
  /** Shared, so that the daemons know each other as services. */
  readonly #serviceTokenFile: string
  readonly #remove: (() => Promise<void>)[]
  readonly #running = new Map<Name, ServiceStand>()
  /** Stopped services whose folders still exist. */
  readonly #ended: ServiceStand[] = []

  private constructor(
    ports: Record<Name, number>,
    urls: Record<Name, string>,
    serviceTokenFile: string,
    remove: (() => Promise<void>)[],
  ) {
    this.#ports = ports
    this.#urls = urls
    this.#serviceTokenFile = serviceTokenFile
    this.#remove = remove
  }

  static async create(): Promise<BridgeStand> {
    const [rooms, agents] = [await sqliteDatabase(), await sqliteDatabase()]
    const [communicate, orchestrator] = (await ownPorts(2)) as [number, number]
    const folder = mkdtempSync(join(tmpdir(), 'svc-room-bridge-'))
    const removeFolder = async () => rmSync(folder, { recursive: true, force: true })
    const ports = { communicate, orchestrator }
    const urls = { communicate: rooms.url, orchestrator: agents.url }
    return new BridgeStand(ports, urls, join(folder, 'service-token'), [rooms.remove, agents.remove, removeFolder])
  }

  async start(name: Name, env: Record<string, string> = {}): Promise<ServiceStand> {
    const served = services({ sources: [] }).filter((each) => each.name === name)
    const stand = await startServices(served, {
      url: this.#urls[name],
      env: {
        [`SVC_${name.toUpperCase()}_PORT`]: String(this.#ports[name]),
        SVC_COMMUNICATE_URL: `http://127.0.0.1:${this.#ports.communicate}`,
        SVC_SERVICE_TOKEN_FILE: this.#serviceTokenFile,
        ...env,
      },
    })
    this.#running.set(name, stand)
    return stand
  }

  /** Keeps the service's state and the agents' sessions. */
  async stop(name: Name): Promise<void> {
    const stand = this.#running.get(name)!
    this.#running.delete(name)
    await stand.host.stop()
    this.#ended.push(stand)
  }

  get db() {
    return this.#running.get('orchestrator')!.db
  }

  get roomsDb() {
    return this.#running.get('communicate')!.db
  }

  async ask<T = any>(name: Name, request: string, body?: unknown): Promise<T> {
    const [method, path] = request.split(' ') as [string, string]
    const url = `http://127.0.0.1:${this.#ports[name]}${path}`
    const reply = await askUrl<T>(method, url, body, { 'x-svc-actor': 'operator' })
    if (reply.status > 299) throw new Error(`${request} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  room(name: string, people: string[]): Promise<unknown> {
    const others = people.slice(1).map((identifier) => ({ identifier, kind: 'human' }))
    return this.ask('communicate', 'POST /rooms', { name, created_by: people[0] }).then(async () => {
      for (const each of others) await this.ask('communicate', `POST /rooms/${name}/participants`, each)
    })
  }

  /** Creates a scripted agent, which repeats its prompt. */
  async agent(name: string, rooms: unknown[]): Promise<AgentRecord> {
    const body = { name, runtime: 'scripted', working_dir: '/tmp', shell: 'bash', rooms }
    const { id } = await this.ask<AgentRecord>('orchestrator', 'POST /agents', body)
    return eventually(async () => {
      const agent = await this.ask<AgentRecord>('orchestrator', `GET /agents/${id}`)
      return agent.connected && agent
    })
  }

  participants(room: string): Promise<Participant[]> {
    return this.ask('communicate', `GET /rooms/${room}/participants`)
  }

  async joined(room: string, ...agents: AgentRecord[]): Promise<void> {
    await eventually(async () => {
      const there = (await this.participants(room)).map(({ identifier }) => identifier)
      return agents.every(({ id }) => there.includes(id))
    })
  }

  post(room: string, sender_id: string, content: string): Promise<Message> {
    return this.ask('communicate', `POST /rooms/${room}/messages`, { sender_id, content })
  }

  messages(room: string): Promise<Message[]> {
    return this.ask('communicate', `GET /rooms/${room}/messages`)
  }

  async answers(room: string): Promise<Message[]> {
    return (await this.messages(room)).filter(({ metadata }) => metadata.source === 'agent_response')
  }

  /** Waits until no prompt or answer is pending. */
  async settled(): Promise<void> {
    await eventually(async () => {
      const [open] = await this.db('orchestrator_room_prompts').whereNot({ status: 'done' }).count({ many: '*' })
      return Number(open!.many) === 0
    }, 30_000)
  }

  async close(): Promise<void> {
    for (const stand of [...this.#running.values(), ...this.#ended]) {
      await stand.close()
      await endTmuxServer(stand.muxSocket)
    }
    for (const remove of this.#remove) await remove()
  }
}
