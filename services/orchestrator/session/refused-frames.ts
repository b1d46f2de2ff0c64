import { write } from '../../../platform/database/database.ts'
import type { FrameRefused, RefusalReason } from '../../../schemas/frames/refusal.ts'
import type { RecordWorld } from '../record/world.ts'
import type { Announcer } from './announcer.ts'
import type { AgentSession } from './agent-session.ts'
import { errorFrame, type Frame } from './frame.ts'
import type { Refused } from './frame-reader.ts'

const LONGEST_ID = 256

export class RefusedFrames {
  readonly #record: RecordWorld
  readonly #announcer: Announcer
  readonly #counts = new Map<RefusalReason, number>()
  #replaced = 0

  constructor(record: RecordWorld, announcer: Announcer) {
    this.#record = record
    this.#announcer = announcer
  }

  /** Characters of all agents that became U+FFFD. */
  get replaced(): number {
    return this.#replaced
  }

  /** Logs the first time since the launch. */
  noteReplaced(session: AgentSession, count: number): void {
    if (count === 0) return
    this.#replaced += count
    if (session.noteRefusal('replaced'))
      this.#record.log.warn({ agent_id: session.agentId, replaced: count }, 'characters of a frame cannot be stored')
  }

  get byReason(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  /**
   * The first refusal per reason since the launch is logged and set as `last_error`. A refused `result` still ends its
   * turn: `take` gets an error instead.
   */
  refuse(
    session: AgentSession,
    refused: Refused,
    take: (frame: Frame, length: number) => Promise<void> | void,
  ): Promise<void> | void {
    const { reason, message, number } = refused
    const type = textOf(refused.frame?.type)
    const answer: FrameRefused = { type: 'frame_refused', frame: number, reason, message, of: type }
    const requestId: unknown = refused.frame?.request_id
    if (type === 'control_request' && isId(requestId)) session.connection.send(errorFrame(requestId, message))
    session.connection.send(answer)
    // The bridge may resend before it reads the answer.
    if (refused.frame && textOf(refused.frame.uuid) !== null && !session.connection.isNews(refused.frame)) return
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
    const reported = this.#reportOnce(session, refused, type)
    if (type !== 'result') return reported
    const errors = [`the result of the agent was refused: ${message}`]
    const ended = { type, subtype: 'error_during_execution', is_error: true, errors, terminal_reason: 'frame_refused' }
    return Promise.all([reported, take(ended, 0)]).then(() => undefined)
  }

  #reportOnce(session: AgentSession, { reason, message }: Refused, type: string | null): Promise<void> | void {
    if (!session.noteRefusal(reason)) return
    const { agents, db, log } = this.#record
    log.warn({ agent_id: session.agentId, type, reason, fault: message }, 'a frame of the agent was refused')
    const error = `a frame of the agent${type === null ? '' : ` (${type})`} was refused: ${message} [${reason}]`
    return session.frames.take(async () => {
      const agent = await agents.find(session.agentId)
      if (!agent || agent.last_error === error) return
      await write(db, (transaction) => agents.update(transaction, agent.id, { last_error: error }))
      this.#announcer.announceAgent(agent)
    })
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === 'number' || textOf(value) !== null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST_ID ? value : null
}
