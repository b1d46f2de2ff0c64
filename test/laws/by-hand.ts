// Manual changes through the API.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { PolicyRecord } from '../../schemas/policy.ts'
import type { Run } from '../../schemas/run.ts'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import type { DaemonStand } from '../support/daemon.ts'
import type { Reply } from '../support/http.ts'
import { parts, type Id, type Kind, type Members } from './desired.ts'
import { keyOf, type Memory } from './memory.ts'
import { turnsOf } from './snapshot.ts'
import type { Step } from './steps.ts'

const POLL_MS = 20

type HandStep = Exclude<Step, { step: 'commit' | 'roll back' | 'kill' }>

/** `again`: a killed daemon may already have carried out the step. */
export interface Hand {
  actor: string
  again: boolean
  /** Whether the resource existed before the first attempt to delete it. */
  existed?: boolean
}

export interface Played {
  readonly stand: DaemonStand
  readonly memory: Memory
  isDeclared(id: Id): boolean
  ownedId(id: Id): Promise<string | null>
}

/** Returns false if the step has no target or is refused. */
export async function byHand(step: HandStep, by: Hand, player: Played): Promise<boolean> {
  const hand = new HandAtWork(by, player)
  switch (step.step) {
    case 'patch':
      return hand.patch(step.id, step.member, step.value)
    case 'undo':
      return hand.undo(step.id)
    case 'create':
      return hand.create(step.kind, step.name, step.members)
    case 'delete':
      return hand.delete(step.id, step.purge)
    case 'restart':
      return hand.restart(step.id)
    case 'end process':
      return hand.endProcess(step.id)
    case 'prompt':
      return hand.prompt(step.id, step.ms)
    case 'sync':
      return hand.sync(step.source)
    case 'revert':
      return hand.revert(step.id)
  }
}

class HandAtWork {
  readonly #actor: string
  readonly #again: boolean
  readonly #hand: Hand
  readonly #player: Played

  constructor(hand: Hand, player: Played) {
    const { actor, again } = hand
    this.#actor = actor
    this.#again = again
    this.#hand = hand
    this.#player = player
  }

  get #notes() {
    return this.#player.memory.notes
  }

  #ask<T = any>(method: string, path: string, body?: unknown): Promise<Reply<T>> {
    const { stand } = this.#player
    return stand.ask<T>(method, `${stand.orchestrator}${path}`, body, { 'x-svc-actor': this.#actor })
  }

  #askController<T = any>(method: string, path: string, body?: unknown): Promise<Reply<T>> {
    const { stand } = this.#player
    return stand.ask<T>(method, `${stand.controller}${path}`, body, { 'x-svc-actor': this.#actor })
  }

  async patch(id: Id, member: string, value: unknown): Promise<boolean> {
    const liveId = await this.#player.ownedId(id)
    return liveId !== null && this.#patch(id, liveId, { [member]: value })
  }

  async #patch(id: Id, liveId: string, members: Members): Promise<boolean> {
    const { kind } = parts(id)
    const body = kind === 'policies' ? await this.#policyWith(liveId, members) : await this.#asSent(kind, members)
    if (body === null) return false
    const method = kind === 'policies' ? 'PUT' : 'PATCH'
    const { status } = await this.#ask(method, `/${kind}/${liveId}`, body)
    if (status === 201) this.#player.memory.handMade.set(liveId, { kind, name: liveId, members: body })
    if (status >= 300) return false
    for (const [member, value] of Object.entries(members)) this.#wrote(id, member, value)
    return true
  }

  /** PUT replaces the whole policy. */
  async #policyWith(name: string, members: Members): Promise<Members | null> {
    const { status, body } = await this.#ask<PolicyRecord>('GET', `/policies/${name}`)
    return status === 200 ? { mode: body.mode, description: body.description ?? '', ...members } : null
  }

  /** Returns null if the agent does not exist. */
  async #asSent(kind: Kind, members: Members): Promise<Members | null> {
    const { agent, after, tool_policy, ...plain } = members
    if (tool_policy !== undefined) plain.tool_policy = { mode: tool_policy }
    if (kind === 'agents') return plain
    if (agent !== undefined) {
      const found = await this.#agentNamed(String(agent))
      if (found === null) return null
      plain.agent_id = found
    }
    if (after !== undefined) plain.trigger_config = { type: 'manual' }
    return plain
  }

  async #agentNamed(name: string): Promise<string | null> {
    const owned = await this.#player.ownedId(`agents/${name}`)
    return owned ?? (await this.#player.stand.agentNamed(name))?.id ?? null
  }

  #wrote(id: Id, member: string, value: unknown): void {
    const hand = { id, member, value, actor: this.#actor }
    this.#player.memory.hands.set(keyOf(id, member), hand)
    this.#notes.hands.push(hand)
  }

  async undo(id: Id): Promise<boolean> {
    const { hands, desired } = this.#player.memory
    const declared = desired.get(id)
    const liveId = await this.#player.ownedId(id)
    if (!declared || liveId === null) return false
    const wanted = desired.wanted(declared)
    const written = [...hands.values()].filter((hand) => hand.id === id && hand.member in wanted)
    const members = Object.fromEntries(written.map(({ member }) => [member, wanted[member]]))
    return written.length > 0 && this.#patch(id, liveId, members)
  }

  /** Only if the name is free, so that it can be adopted. A deleted resource may still be owned. */
  async create(kind: Kind, name: string, members: Members): Promise<boolean> {
    const { stand, memory } = this.#player
    const all = await stand.get<{ id?: string; name: string }[]>(`${stand.orchestrator}/${kind}`)
    const present = all.find((each) => each.name === name)
    if (present && this.#again) return Boolean(memory.handMade.set(present.id ?? name, { kind, name, members }))
    if (present || this.#player.isDeclared(`${kind}/${name}`) || (await this.#player.ownedId(`${kind}/${name}`)))
      return false
    const { policy: _, ...plain } = members
    const body = kind === 'policies' ? plain : await this.#asSent(kind, plain)
    if (body === null) return false
    const made = await this.#make(kind, name, body)
    if (made.status >= 300) return false
    memory.handMade.set(kind === 'policies' ? name : made.body.id, { kind, name, members })
    return true
  }

  #make(kind: Kind, name: string, body: Members): Promise<Reply<AgentRecord & WorkflowRecord>> {
    if (kind === 'policies') return this.#ask('PUT', `/policies/${name}`, body)
    if (kind === 'workflows')
      return this.#ask('POST', '/workflows', { name, trigger_config: { type: 'manual' }, ...body })
    const place = { runtime: 'scripted', working_dir: this.#player.stand.project, shell: 'bash' }
    return this.#ask('POST', '/agents', { name, ...place, ...body })
  }

  async delete(id: Id, purge: boolean): Promise<boolean> {
    const liveId = await this.#player.ownedId(id)
    if (liveId === null) return false
    const { kind } = parts(id)
    const isEnded = kind === 'agents' && !purge
    this.#hand.existed ??= (await this.#ask('GET', `/${kind}/${liveId}`)).status === 200
    const { status } = await this.#ask('DELETE', `/${kind}/${liveId}${kind === 'agents' && purge ? '?purge=true' : ''}`)
    if (status >= 300 && !(status === 404 && this.#again && this.#hand.existed)) return false
    this.#notes.started.add(id)
    this.#wrote(id, isEnded ? 'status' : '', isEnded ? 'stopped' : null)
    return true
  }

  async restart(id: Id): Promise<boolean> {
    const liveId = await this.#player.ownedId(id)
    if (liveId === null) return false
    this.#notes.started.add(id)
    const { status } = await this.#ask('POST', `/agents/${liveId}/restart`)
    if (status >= 300) return false
    this.#wrote(id, 'status', 'running')
    return true
  }

  async endProcess(id: Id): Promise<boolean> {
    const liveId = await this.#player.ownedId(id)
    const pid = liveId && (await this.#player.stand.panes())[`svc-orch-${liveId}`]
    if (!pid) return false
    this.#notes.started.add(id)
    try {
      process.kill(Number(pid), 'SIGKILL')
      return true
    } catch {
      return false // it has already exited
    }
  }

  async prompt(id: Id, ms: number): Promise<boolean> {
    const liveId = await this.#player.ownedId(id)
    if (liveId === null) return false
    const { prompts } = this.#notes
    const before = prompts.get(liveId)?.before ?? (await turnsOf(this.#player.stand, liveId))
    const { status } = await this.#ask('POST', `/agents/${liveId}/message`, { content: `SLOW ${ms}` })
    if (status >= 300) return false
    const { accepted = 0 } = prompts.get(liveId) ?? {}
    prompts.set(liveId, { before, accepted: accepted + 1 })
    return true
  }

  async sync(source: string): Promise<boolean> {
    this.#notes.asked.add(source as Id)
    const { status, body } = await this.#askController<{ run_id: string }>('POST', `/sources/${source}/sync`)
    if (status >= 300) return false
    // A snapshot taken during the run could mix old and new state.
    for (;;) {
      const run = await this.#askController<Run>('GET', `/runs/${body.run_id}`)
      if (run.status !== 200 || run.body.status !== 'running') return true
      await sleep(POLL_MS)
    }
  }

  async revert(id: Id): Promise<boolean> {
    this.#notes.asked.add(id)
    return (await this.#askController('POST', `/drift/${id}/revert`)).status < 300
  }
}
