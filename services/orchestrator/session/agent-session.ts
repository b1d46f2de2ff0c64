import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { timestamp, type Timer } from '../../../platform/core/clock.ts'
import type { RefusalReason } from '../../../schemas/frames/refusal.ts'
import { AgentConnection, CLOSE } from './connection.ts'
import { FrameQueue, type FrameQueueWorld } from './frame-queue.ts'
import type { Prompt } from '../record/tables.ts'

/** Detected by the bridge; null if not reported. */
export interface Capabilities {
  /** Asks before every tool call. */
  guarded: boolean | null
  guardReason: string | null
  /** `/clear` empties the conversation. */
  clearsContext: boolean | null
}

const NOTHING_KNOWN: Capabilities = { guarded: null, guardReason: null, clearsContext: null }

export type Activity = 'idle' | 'busy'

export const CONNECT_WITHIN_MS = 60_000

export interface SilentAgent {
  agentId: string
  /** Started by an earlier daemon. */
  adopted: boolean
}

/** A text of the agent. Redacted. */
export interface Said {
  text: string
  at: string
}

/** Characters; of a longer text the end is kept. */
const LONGEST_SAID = 4000

interface Turn {
  prompt: Prompt
  connection: number
}

export class AgentSession {
  readonly agentId: string
  /** Serializes launch, restart and termination. May wait for `frames`, never the reverse. */
  readonly lifecycle = new SerialQueue()
  readonly frames: FrameQueue
  readonly connection = new AgentConnection()
  #synced = true
  #capabilities = NOTHING_KNOWN
  #turn: Turn | null = null
  #said: Said | null = null
  #atWork = false
  #heldFor: string | null = null
  #shownActivity: Activity = 'idle'
  #launchedAt = 0
  #failures = 0
  #deadline: Timer | null = null
  #relaunch: Timer | null = null
  readonly #refused = new Set<RefusalReason | 'replaced'>()

  readonly #world: FrameQueueWorld
  readonly #onSilent: (agent: SilentAgent) => void

  constructor(agentId: string, world: FrameQueueWorld, onSilent: (agent: SilentAgent) => void) {
    this.agentId = agentId
    this.frames = new FrameQueue(agentId, world)
    this.#world = world
    this.#onSilent = onSilent
  }

  get connected(): boolean {
    return this.connection.open
  }

  /** False while it is unknown whether the agent is working; prompts wait. */
  get synced(): boolean {
    return this.#synced
  }

  get capabilities(): Readonly<Capabilities> {
    return this.#capabilities
  }

  get prompt(): Prompt | null {
    return this.#turn?.prompt ?? null
  }

  /** Last text in the current turn. */
  get said(): Said | null {
    return this.#said
  }

  get busy(): boolean {
    return this.#turn !== null || this.#atWork
  }

  get activity(): Activity {
    return this.busy ? 'busy' : 'idle'
  }

  /** Milliseconds since 1970. */
  get launchedAt(): number {
    return this.#launchedAt
  }

  get failures(): number {
    return this.#failures
  }

  noteText(text: string): void {
    const kept = text.length > LONGEST_SAID ? `…${text.slice(-LONGEST_SAID)}` : text
    this.#said = { text: kept, at: timestamp(this.#world.clock) }
  }

  beginTurn(prompt: Prompt): void {
    this.#said = null
    this.#turn = { prompt, connection: this.connection.number }
  }

  dropPrompt(): void {
    this.#turn = null
  }

  endTurn(): void {
    this.#turn = null
    this.#atWork = false
  }

  reportWork(atWork: boolean): void {
    this.#atWork = atWork
  }

  sentBefore(connection: number): boolean {
    return this.#turn !== null && this.#turn.connection < connection
  }

  /** Holds prompts until `confirmSync`. */
  awaitSync(): void {
    this.#synced = false
  }

  confirmSync(): void {
    this.#synced = true
  }

  /** Returns true for a new reason. */
  holdPrompts(reason: string | null): boolean {
    const news = reason !== null && reason !== this.#heldFor
    this.#heldFor = reason
    return news
  }

  /** Returns true on a change. */
  showActivity(): boolean {
    const news = this.#shownActivity !== this.activity
    this.#shownActivity = this.activity
    return news
  }

  learnCapabilities(found: Capabilities): void {
    this.#capabilities = found
  }

  /** Returns true for the first such refusal, or replaced character, since the launch. */
  noteRefusal(reason: RefusalReason | 'replaced'): boolean {
    if (this.#refused.has(reason)) return false
    this.#refused.add(reason)
    return true
  }

  reset(now: number): void {
    this.connection.reset()
    this.cancelDeadline()
    this.#capabilities = NOTHING_KNOWN
    this.#refused.clear()
    this.#turn = null
    this.#launchedAt = now
    this.#rest()
  }

  adopt(now: number, prompt: Prompt | null): void {
    this.#launchedAt = now
    this.awaitSync()
    this.#turn = prompt && { prompt, connection: 0 }
  }

  /** Disconnects. Call `rest` once the frames of the ended process are handled. */
  leave(): void {
    this.connection.close(CLOSE.ended, 'the agent has ended')
    this.cancelDeadline()
  }

  rest(): void {
    this.#turn = null
    this.#rest()
  }

  #rest(): void {
    this.#said = null
    this.#atWork = false
    this.#heldFor = null
    this.#synced = true
  }

  recordFailure(): void {
    this.#failures++
  }

  forgetFailures(): void {
    this.#failures = 0
  }

  expectConnection({ adopted = false } = {}): void {
    this.cancelDeadline()
    const { clock, stopping } = this.#world
    if (stopping.aborted) return
    this.#deadline = clock.after(CONNECT_WITHIN_MS, () => this.#onSilent({ agentId: this.agentId, adopted }))
  }

  cancelDeadline(): void {
    this.#deadline?.cancel()
    this.#deadline = null
  }

  planRelaunch(timer: Timer): void {
    this.cancelRelaunch()
    this.#relaunch = timer
  }

  cancelRelaunch(): void {
    this.#relaunch?.cancel()
    this.#relaunch = null
  }

  async drained(): Promise<void> {
    await Promise.all([this.lifecycle.drained(), this.frames.drained()])
  }
}
