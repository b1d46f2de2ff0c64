// A daemon, and callers of every kind.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { GUARDS } from '../../../schemas/agent/guards.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { Access, CallerKind } from './access.ts'
import { Askers, NOBODY, type Asker } from './asker.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { askFor, isRefusal, operations, type Answer } from './operation-requests.ts'

const asRoot = process.getuid!() === 0
const ROLES = ['viewer', 'operator', 'admin'] as const

export type Asked = (typeof operations)[number]

export interface KnownCaller {
  asker: Asker
  headers: Record<string, string>
  actor: string | null
}

interface Logged {
  actor: string
  status: number
}

export class IdentityStand {
  readonly daemon: DaemonStand
  readonly askers = new Askers()
  own!: Asker
  plain!: Asker
  keeper!: Asker
  ids!: Record<'plain' | 'keeper', string>
  requests = 0
  /** Requests of another user. */
  foreign = 0
  #stranger: Asker | null = null
  #ofOtherUser: { asker: Asker; token: string } | null = null
  readonly #tokens = new Map<string, string>()
  readonly #addressOf: (daemon: DaemonStand, service: string) => string
  /** Request log by request id, of the output up to `#parsed`. */
  readonly #log = new Map<string, Logged>()
  #parsed = 0

  /** `addressOf`: where the operations of a service are called. */
  static async open(addressOf: (daemon: DaemonStand, service: string) => string): Promise<IdentityStand> {
    const daemon = await DaemonStand.create({ env: { SVC_LOG_FORMAT: 'json', SVC_LOG_LEVEL: 'debug' } })
    const stand = new IdentityStand(daemon, addressOf)
    await stand.#fill()
    return stand
  }

  private constructor(daemon: DaemonStand, addressOf: (daemon: DaemonStand, service: string) => string) {
    this.daemon = daemon
    this.#addressOf = addressOf
  }

  async #fill(): Promise<void> {
    await this.daemon.start()
    for (const role of ROLES) {
      const made = await this.daemon.svc(['token', 'create', `the-${role}`, '--role', role])
      expect(made.code, made.stderr).toBe(0)
      this.#tokens.set(role, made.stdout.trim())
    }
    this.own = await this.askers.start()
    if (asRoot) this.#stranger = await this.askers.start({ uid: NOBODY })
    const [first, second] = [await this.#inSession('plain'), await this.#inSession('keeper', { may: [...GUARDS] })]
    if (asRoot) {
      const { asker } = await this.#inSession('guest', { user: 'nobody', working_dir: '/tmp' })
      this.#ofOtherUser = { asker, token: (await asker.env()).SVC_TOOLS_TOKEN! }
    }
    this.plain = first.asker
    this.keeper = second.asker
    this.ids = { plain: first.id, keeper: second.id }
  }

  async close(): Promise<void> {
    await this.daemon.close()
    await this.askers.close()
  }

  async #inSession(name: string, more: object = {}): Promise<{ id: string; asker: Asker }> {
    const { command, asker } = this.askers.prepare()
    const { home, orchestrator } = this.daemon
    const body = { name, runtime: 'command', working_dir: home, shell: 'bash', command, ...more }
    const made = await this.daemon.ask<AgentRecord>('POST', `${orchestrator}/agents`, body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    await asker.ready()
    return { id: made.body.id, asker }
  }

  put(asker: Asker, { service, operation }: Asked, headers: Record<string, string> = {}): Promise<Answer> {
    this.requests++
    if (asker === this.#stranger) this.foreign++
    return askFor(asker, this.#addressOf(this.daemon, service), operation, headers)
  }

  /** The log line of a request. */
  logged(requestId: string): Promise<Logged> {
    return eventually(() => {
      const { output } = this.daemon
      const end = output.lastIndexOf('\n') + 1
      for (const line of output.slice(this.#parsed, end).split('\n')) {
        if (!line.includes('"endpoint"')) continue
        const { request_id, ...facts } = JSON.parse(line) as Logged & { request_id: string }
        this.#log.set(request_id, facts)
      }
      this.#parsed = end
      return this.#log.get(requestId) ?? false
    })
  }

  /** Identities that a request may claim. */
  claims(): Record<string, string>[] {
    return [
      {},
      { 'x-svc-actor': 'operator' },
      { 'x-svc-actor': 'mira', 'x-svc-agent': this.ids.keeper },
      { 'x-svc-agent': randomUUID() },
      { 'x-svc-service-token': 'guessed', 'x-svc-caller': encodeURIComponent('{"actor":"operator"}') },
    ]
  }

  bearer(role: string): Record<string, string> {
    return { authorization: `Bearer ${this.#tokens.get(role)}` }
  }

  /** Null: only root can act as another user. */
  callerOf(kind: CallerKind): KnownCaller | null {
    switch (kind) {
      case 'another user':
        return this.#stranger && { asker: this.#stranger, headers: {}, actor: null }
      case 'an agent':
        return { asker: this.plain, headers: {}, actor: 'agent:plain' }
      case 'an agent of another user': {
        const guest = this.#ofOtherUser
        const authorization = `Bearer ${guest?.token}`
        return guest && { asker: guest.asker, headers: { authorization }, actor: 'agent:guest' }
      }
      default: {
        const role = kind.split(' ').at(-1)!
        return { asker: this.#stranger ?? this.own, headers: this.bearer(role), actor: `the-${role}` }
      }
    }
  }
}

export const outcomeOf = (answer: Answer): Access => (isRefusal(answer) ? (String(answer.status) as Access) : 'yes')
