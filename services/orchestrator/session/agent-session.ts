// What the daemon knows of a running agent beyond its record: connection, turn, timers. The one owner of all of it.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import type { RefusalReason } from '../../../schemas/frames/refusal.ts'
import { AgentConnection, CLOSE } from './connection.ts'
import { FrameQueue, type FrameQueueWorld } from './frame-queue.ts'
import type { Prompt } from '../record/tables.ts'

/** What the bridge found out about the program; null where it has not said. */
export interface Capabilities {
  /** It asks before every tool. */
  guarded: boolean | null
  guardReason: string | null
  /** `/clear` empties its conversation. */
  clearsContext: boolean | null
}

const NOTHING_KNOWN: Capabilities = { guarded: null, guardReason: null, clearsContext: null }

export type Activity = 'idle' | 'busy'

/** Milliseconds that a new process has to connect. */
export const CONNECT_WITHIN_MS = 60_000

/** An agent whose process has not connected in time. */
export interface SilentAgent {
  agentId: string
  /** The process outlived an earlier daemon. */
  adopted: boolean
}

/** The prompt that waits for its result, and the connection it went out on. */
interface Turn {
  prompt: Prompt
  connection: number
}

export class AgentSession {
  readonly agentId: string
  /** Launch, restart, terminate: one at a time. May wait for `frames`; never the other way round. */
  readonly lifecycle = new SerialQueue()
  /** Frames of the agent and prompts for it: one at a time. */
  readonly frames: FrameQueue
  readonly connection = new AgentConnection()
  #synced = true
  #capabilities = NOTHING_KNOWN
  #turn: Turn | null = null
  #atWork = false
  #heldFor: string | null = null
  #shownActivity: Activity = 'idle'
  #launchedAt = 0
  #failures = 0
  #deadline: Timer | null = null
  #relaunch: Timer | null = null
  readonly #refused = new Set<RefusalReason>()

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

  /** False while it is not known whether the agent is at work: then it gets no prompt. */
  get synced(): boolean {
    return this.#synced
  }

  get capabilities(): Readonly<Capabilities> {
    return this.#capabilities
  }

  /** The prompt that waits for its result. */
  get prompt(): Prompt | null {
    return this.#turn?.prompt ?? null
  }

  /** A prompt is in hand, or the agent says that it works, asked or unasked. */
  get busy(): boolean {
    return this.#turn !== null || this.#atWork
  }

  get activity(): Activity {
    return this.busy ? 'busy' : 'idle'
  }

  /** When the present process was started, or found running, in milliseconds since 1970. */
  get launchedAt(): number {
    return this.#launchedAt
  }

  /** Failures in a row, for the back-off. */
  get failures(): number {
    return this.#failures
  }

  // The turn

  /** This prompt goes out now, and waits for its result. */
  beginTurn(prompt: Prompt): void {
    this.#turn = { prompt, connection: this.connection.number }
  }

  /** The prompt in hand did not go out, or will have no result. */
  dropPrompt(): void {
    this.#turn = null
  }

  /** A result came. */
  endTurn(): void {
    this.#turn = null
    this.#atWork = false
  }

  /** What the agent says of itself. */
  reportWork(atWork: boolean): void {
    this.#atWork = atWork
  }

  /** True when the prompt in hand went out on an earlier connection than this one. */
  sentBefore(connection: number): boolean {
    return this.#turn !== null && this.#turn.connection < connection
  }

  /** No prompt goes out until `confirmSync`. */
  awaitSync(): void {
    this.#synced = false
  }

  /** The agent has said whether it is at work. */
  confirmSync(): void {
    this.#synced = true
  }

  /** Notes why prompts are held, null when they are not; true when that is news. */
  holdPrompts(reason: string | null): boolean {
    const news = reason !== null && reason !== this.#heldFor
    this.#heldFor = reason
    return news
  }

  /** Notes that the present activity is shown; true when it is another one than before. */
  showActivity(): boolean {
    const news = this.#shownActivity !== this.activity
    this.#shownActivity = this.activity
    return news
  }

  learnCapabilities(found: Capabilities): void {
    this.#capabilities = found
  }

  /** True for the first refused frame of its reason since the process was started. */
  noteRefusal(reason: RefusalReason): boolean {
    if (this.#refused.has(reason)) return false
    this.#refused.add(reason)
    return true
  }

  // The process

  /** A new process is started: nothing that was known of a former one holds for it. */
  startAnew(now: number): void {
    this.connection.startAnew()
    this.cancelDeadline()
    this.#capabilities = NOTHING_KNOWN
    this.#refused.clear()
    this.#turn = null
    this.#launchedAt = now
    this.#rest()
  }

  /** A process that an earlier daemon started, and the prompt that was sent to it, go on. */
  adopt(now: number, prompt: Prompt | null): void {
    this.#launchedAt = now
    this.awaitSync()
    this.#turn = prompt && { prompt, connection: 0 }
  }

  /** The process is over: its socket and its deadline with it. What it had in hand is settled by `rest`, in turn. */
  leave(): void {
    this.connection.close(CLOSE.ended, 'the agent has ended')
    this.cancelDeadline()
  }

  /** The process is over and its frames are taken: nothing is at work any more. */
  rest(): void {
    this.#turn = null
    this.#rest()
  }

  #rest(): void {
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

  /** Reports the agent as silent unless it connects in time. */
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

  /** Sets the next start, in place of a former one. */
  planRelaunch(timer: Timer): void {
    this.cancelRelaunch()
    this.#relaunch = timer
  }

  cancelRelaunch(): void {
    this.#relaunch?.cancel()
    this.#relaunch = null
  }

  /** Resolves when all that was begun has ended. */
  async drained(): Promise<void> {
    await Promise.all([this.lifecycle.drained(), this.frames.drained()])
  }
}
