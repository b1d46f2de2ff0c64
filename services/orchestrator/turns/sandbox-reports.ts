// What the sandbox of an agent refused, and what it could not refuse.
import { now, type RecordWorld } from '../record/world.ts'
import { write } from '../../../platform/database/database.ts'
import { withRefused, withTampered, type StartedSandbox } from '../record/started-sandbox.ts'
import type { StreamHub } from '../events/streams.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { Announcer } from '../session/announcer.ts'
import type { Frame } from '../session/frame.ts'

interface Parts {
  streams: StreamHub
  announcer: Announcer
}

/** Of a name in DNS. */
const LONGEST_HOST = 253
const MOST_PORT = 65_535
/** The bridge reports a host once a minute. */
const MOST_COUNT = 1_000_000

export class SandboxReports {
  readonly #record: RecordWorld
  readonly #parts: Parts
  readonly #counts = new Map<string, number>()

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  /** For the metric. */
  get byKind(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  /** Takes the bridge's report of a host that its proxy refused. */
  async takeRefused(session: AgentSession, { host, port, count = 1 }: Frame): Promise<void> {
    const isKnown = typeof host === 'string' && host !== '' && host.length <= LONGEST_HOST
    if (!isKnown || !isCount(port, MOST_PORT) || !isCount(count, MOST_COUNT)) return
    this.#count('host', count)
    const at = now(this.#record)
    const changed = await this.#change(session.agentId, (started) => withRefused(started, { host, port, count, at }))
    if (!changed) return
    const named = port === 80 || port === 443 ? host : `${host}:${port}`
    const text = `${host}:${port} refused ${count === 1 ? 'once' : `${count} times`}: to allow it, add "${named}" to sandbox.network.hosts`
    const message = { type: 'sandbox_refused', host, port, count }
    this.#parts.streams.publish(session.agentId, 'sandbox_refused', text, { message })
    this.#record.log.info({ agent_id: session.agentId, host, port, count }, 'sandbox refused a host')
  }

  /** Call after each turn. */
  async checkGit(agentId: string): Promise<void> {
    const agent = await this.#record.agents.find(agentId)
    if (!agent?.sandbox || withTampered(agent.sandbox) === null) return
    const changed = await this.#change(agentId, withTampered)
    if (!changed) return
    this.#count('git-settings', 1)
    const files = changed.tampered
    this.#record.log.warn({ agent_id: agentId, name: agent.name, files }, 'git settings appeared in a sandbox')
    const text = `sandbox-git-tampered: ${files.join(', ')} appeared and changes what git does outside the sandbox`
    this.#parts.streams.publish(agentId, 'sandbox_tampered', text)
    this.#parts.announcer.announceAgent(agent)
  }

  #count(kind: string, count: number): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
  }

  /** Returns null if the agent runs without a sandbox, or nothing changes. */
  #change(id: string, change: (started: StartedSandbox) => StartedSandbox | null): Promise<StartedSandbox | null> {
    return write(this.#record.db, async (transaction) => {
      const agent = await this.#record.agents.find(id, transaction)
      const sandbox = agent?.sandbox?.launch ? change(agent.sandbox) : null
      if (sandbox) await this.#record.agents.note(transaction, id, { sandbox })
      return sandbox
    })
  }
}

const isCount = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most
