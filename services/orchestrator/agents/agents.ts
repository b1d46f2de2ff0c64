import { eachOf, inPieces } from '../../../platform/async/time-slices.ts'
import type { Actor } from '../../../platform/core/actor.ts'
import { ownerOf } from '../../../platform/core/limits.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { conflict, invalid, refuseFaults } from '../../../platform/core/problem.ts'
import {
  agentKind,
  interactiveFaults,
  type AgentFilter,
  type AgentPatch,
  type AgentRecord,
  type AgentSpec,
  type DirectoryReply,
  type MessageReply,
} from '../../../schemas/agent.ts'
import type { Message } from '../../../schemas/agent/message.ts'
import type { ProblemCode } from '../../../schemas/problem.ts'
import { canonicalPolicy, type ToolPolicy } from '../../../schemas/tools/policy.ts'
import type { AgentUsage, ContextCleared } from '../../../schemas/agent/usage.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import { refuseMoved, type Seen } from '../../../platform/store/write-preconditions.ts'
import type { Agents, InspectedAgent, Orchestrator } from '../face.ts'
import type { PromptSender } from '../dispatch/prompt-sender.ts'
import type { RecordWorld } from '../record/world.ts'
import type { SessionWorld } from '../session/world.ts'
import type { Configured } from './launch-file.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { ContextClearing } from './context-clearing.ts'
import { messagesTo, messageTo } from './messages.ts'
import { countQueued } from '../record/prompt-store.ts'
import type { ApprovalBook } from '../tools/approvals.ts'
import { openDirectories } from '../policy/workplace.ts'
import { placeOf } from '../tools/agent-workplace.ts'
import { checkPolicy } from '../policy/validation.ts'
import { checkDirectory, checkSpec, mergePatch, ownDirectories } from './spec-input.ts'
import type { Lifecycle } from './lifecycle.ts'
import { inspect, pendingRestart, toRecord } from './agent-record.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { Supervisor } from './supervisor.ts'
import { agentUsage, costReason } from '../record/usage.ts'
import { describeWork } from './current-work.ts'

interface Parts extends Pick<SessionWorld, 'sessions' | 'announcer'>, Pick<Orchestrator, 'defaultSandbox'>, Configured {
  prompts: PromptSender
  approvals: ApprovalBook
  lifecycle: Lifecycle
  supervisor: Supervisor
  context: ContextClearing
}

const WAKE_AGAIN_MS = 1000

export class AgentsFace implements Agents {
  readonly #record: RecordWorld
  readonly #parts: Parts

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  create(spec: AgentSpec, by: Actor, id = this.#record.ids()): Promise<AgentRecord> {
    const { sessions } = this.#parts
    return sessions.of(id).lifecycle.run(async () => {
      const present = await this.#record.agents.find(id)
      if (present) return this.#shown(present)
      await checkSpec(this.#parts, spec, await ownDirectories(this, by)).catch((error: unknown) => {
        sessions.remove(id)
        throw error
      })
      const agent = await this.#parts.lifecycle.create(id, spec, by)
      if (agent.status === 'failed') await this.#parts.supervisor.keep(agent)
      return this.#shown(agent)
    })
  }

  async get(id: string): Promise<AgentRecord> {
    return this.#shown(await this.#record.agents.get(id))
  }

  async list(filter?: AgentFilter): Promise<AgentRecord[]> {
    const shown: AgentRecord[] = []
    const agents = await this.#record.agents.list(filter)
    await inPieces(eachOf(agents, (agent) => void shown.push(this.#shown(agent))))
    return shown
  }

  readonly slice: Agents['slice'] = (...asked) => this.#record.agents.slice(...asked, (row) => this.#shown(row))

  async spec(id: string): Promise<AgentSpec> {
    return (await this.#record.agents.get(id)).spec
  }

  async directories(id: string): Promise<string[] | null> {
    const agent = await this.#record.agents.find(id)
    return agent && openDirectories(placeOf(this.#parts.config, agent)).map(({ real }) => real)
  }

  async inspect(id: string): Promise<InspectedAgent> {
    return inspect(await this.#record.agents.get(id), this.#parts.sessions.find(id))
  }

  async inspectAll(): Promise<InspectedAgent[]> {
    const agents = await this.#record.agents.list()
    return agents.map((agent) => inspect(agent, this.#parts.sessions.find(agent.id)))
  }

  async patch(id: string, patch: AgentPatch, by: Actor): Promise<AgentRecord & { requires_restart: boolean }> {
    const changed = await this.#change(id, (present) => mergePatch(present, patch, this.#parts.defaultSandbox), by)
    return { ...this.#shown(changed), requires_restart: pendingRestart(changed).length > 0 }
  }

  async assign(id: string, members: Partial<AgentSpec>, by: Actor, seen?: Seen<AgentSpec>): Promise<AgentRecord> {
    return this.#shown(await this.#change(id, (present) => ({ ...present, ...members }), by, seen))
  }

  terminate(id: string, by: Actor): Promise<AgentRecord> {
    return this.#inTurn(id, async (agent, session) => {
      this.#record.audit.allow({ kind: 'agents', id, members: ['status'], by })
      session.cancelRelaunch()
      const reason = 'the agent was terminated'
      const outcome = { status: 'stopped', error: null, reason, restart_due: false } as const
      const stopped = await this.#parts.lifecycle.end(agent, outcome, by)
      await this.#parts.supervisor.keep(stopped, { forget: true })
      return this.#shown(stopped)
    })
  }

  purge(id: string, by: Actor): Promise<void> {
    return this.#inTurn(id, async (agent, session) => {
      this.#record.audit.allow({ kind: 'agents', id, members: [''], by })
      session.cancelRelaunch()
      await this.#parts.lifecycle.purge(agent, by)
    })
  }

  restart(id: string, by: Actor): Promise<AgentRecord> {
    return this.#inTurn(id, async (agent, session) => {
      session.cancelRelaunch()
      session.forgetFailures()
      session.connection.forgetReplaced()
      await checkSpec(this.#parts, agent.spec)
      const reason = 'the agent was restarted'
      if (agent.status !== 'running') {
        // A manual start drops the approvals of earlier processes.
        await this.#parts.approvals.abandon(id, reason)
        return this.#shown(await this.#parts.supervisor.startAgain(agent, by))
      }
      await this.#parts.lifecycle.markRestartDue(agent)
      const outcome = { status: 'stopped', error: null, reason, restart_due: true } as const
      const ended = await this.#parts.lifecycle.end(agent, outcome, by)
      return this.#shown(await this.#parts.supervisor.startAgain(ended, by))
    })
  }

  async message(id: string, content: string, by: Actor): Promise<MessageReply> {
    const session = await this.#reachable(id)
    return session.frames.call(() => this.#queueMessage(id, content, by))
  }

  readonly messages: Agents['messages'] = async (id, part) =>
    messagesTo(this.#record, (await this.#record.agents.get(id)).id, part ?? ({} as never))

  async messageOf(id: string, messageId: string): Promise<Message> {
    await this.#record.agents.get(id)
    return messageTo(this.#record, id, messageId)
  }

  async setPolicy(id: string, policy: ToolPolicy, by: Actor): Promise<ToolPolicy> {
    checkPolicy(policy)
    const tool_policy = canonicalPolicy(policy, 'allow_all')
    const changed = await this.#write(id, (present) => ({ ...present, tool_policy }), by)
    return changed.spec.tool_policy
  }

  async addDirectory(id: string, path: string, by: Actor): Promise<DirectoryReply> {
    await this.#record.agents.get(id)
    await checkDirectory(this.#parts, { member: 'path', path, own: await ownDirectories(this, by) })
    return this.#changeDirectories(id, (present) => [...new Set([...present, path])].sort(), by)
  }

  removeDirectory(id: string, path: string, by: Actor): Promise<DirectoryReply> {
    return this.#changeDirectories(id, (present) => present.filter((directory) => directory !== path), by)
  }

  clearContext(id: string, by: Actor): Promise<ContextCleared> {
    return this.#parts.context.clear(id, by)
  }

  async interrupt(id: string, by: Actor): Promise<void> {
    const session = await this.#reachable(id)
    this.#record.log.info({ agent_id: id, actor: by.actor, request_id: by.requestId }, 'agent interrupted')
    session.connection.ask(this.#record.ids(), { subtype: 'interrupt' })
  }

  async usage(id: string): Promise<AgentUsage> {
    return agentUsage(this.#record, await this.#record.agents.get(id))
  }

  async logs(id: string, lines: number): Promise<string> {
    return this.#parts.supervisor.terminalText(await this.#record.agents.get(id), lines)
  }

  async work(id: string): Promise<string | null> {
    return describeWork(this.#record, await this.#record.agents.get(id), this.#parts.sessions.find(id))
  }

  #shown(agent: AgentRow): AgentRecord {
    return toRecord(agent, this.#parts.sessions.find(agent.id))
  }

  async #inTurn<T>(id: string, work: (agent: AgentRow, session: AgentSession) => Promise<T>): Promise<T> {
    await this.#record.agents.get(id)
    const session = this.#parts.sessions.of(id)
    return session.lifecycle.run(async () => work(await this.#record.agents.get(id), session))
  }

  async #change(
    id: string,
    change: (present: AgentSpec) => AgentSpec,
    by: Actor,
    seen?: Seen<AgentSpec>,
  ): Promise<AgentRow> {
    const before = await this.#record.agents.get(id)
    const wanted = change(before.spec)
    if (changedFields(before.spec, wanted).length > 0)
      await checkSpec(this.#parts, wanted, await ownDirectories(this, by, id))
    return this.#write(id, change, by, seen)
  }

  async #write(
    id: string,
    change: (present: AgentSpec) => AgentSpec,
    by: Actor,
    seen?: Seen<AgentSpec>,
  ): Promise<AgentRow> {
    const changed = await write(this.#record.db, async (transaction) => {
      // The spec may have changed since it was checked.
      const present = await this.#record.agents.get(id, transaction)
      refuseMoved<AgentSpec>(`agent ${present.name}`, { ...present.spec, version: present.version }, seen)
      const spec = change(present.spec)
      const fields = changedFields(present.spec, spec, agentKind.keyed)
      if (fields.length === 0) return false
      refuseFaults(interactiveFaults(spec))
      await this.#record.agents.update(transaction, id, { name: spec.name, spec })
      await this.#record.audit.record(transaction, 'agents', id, fields, by)
      return true
    })
    const agent = await this.#record.agents.get(id)
    if (!changed) return agent
    this.#parts.announcer.announceAgent(agent)
    this.#parts.prompts.wake(id)
    return agent
  }

  async #changeDirectories(id: string, change: (present: string[]) => string[], by: Actor): Promise<DirectoryReply> {
    const { spec } = await this.#write(
      id,
      (present) => ({ ...present, additional_dirs: change(present.additional_dirs) }),
      by,
    )
    return { agent_id: id, additional_dirs: spec.additional_dirs, requires_restart: true }
  }

  async #reachable(id: string): Promise<AgentSession> {
    const agent = await this.#record.agents.get(id)
    const { name, status } = agent
    const refusal = (reason: string, code: ProblemCode) => invalid(`agent ${name} ${reason}`, undefined, code)
    if (agent.spec.interactive)
      throw refusal(
        `is interactive and accepts no messages: attach to it with "agent attach ${name}"`,
        'agent-interactive',
      )
    if (status !== 'running')
      throw refusal(
        `is ${status}, not running: start it with "agent orchestrator restart-agent ${name}"`,
        'agent-not-running',
      )
    const session = this.#parts.sessions.of(id)
    if (!session.connected) throw refusal('is not connected: wait until it is, or restart it', 'agent-not-connected')
    return session
  }

  /** Call from the agent's frame queue. */
  async #queueMessage(id: string, content: string, by: Actor): Promise<MessageReply> {
    const session = await this.#reachable(id)
    const agent = await this.#record.agents.get(id)
    const reason = await costReason(this.#record, agent)
    if (reason) throw conflict(`agent ${agent.name} no longer accepts prompts: ${reason}`, 'budget-spent')
    const { config, prompts } = this.#parts
    const sender = ownerOf(by, config)
    const add = (on: Knex) => prompts.addMessage(on, sender, { agent_id: id, content })
    const prompt = await write(this.#record.db, add)
    const waiting = await countQueued(this.#record, id)
    this.#record.log.info({ agent_id: id, actor: by.actor, request_id: by.requestId, waiting }, 'message accepted')
    // The message is stored; a failure to send only delays it.
    await prompts.sendNext(session).catch(() => this.#record.clock.after(WAKE_AGAIN_MS, () => prompts.wake(id)))
    return { status: session.prompt?.id === prompt.id ? 'sent' : 'queued', agent_id: id, message_id: prompt.id }
  }
}
