import { write } from '../../../platform/database/database.ts'
import { PROMPTS_FAIL } from '../../../schemas/agent.ts'
import type { Announcer } from '../session/announcer.ts'
import type { AgentRow } from '../record/agent-store.ts'
import { remedyFor, withRemedy } from '../agents/known-failures.ts'
import { costReason } from '../record/usage.ts'
import type { DispatchRecorder } from '../events/dispatch-recorder.ts'
import type { RecordWorld } from '../record/world.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { Frame } from '../session/frame.ts'
import { outcomeOf, TurnEnds, withFrame } from './turn-ends.ts'

const LONGEST_ERROR = 500

export class Results {
  readonly #record: RecordWorld
  readonly #dispatches: DispatchRecorder
  readonly #announcer: Announcer
  readonly #ends: TurnEnds

  constructor(record: RecordWorld, dispatches: DispatchRecorder, announcer: Announcer) {
    this.#record = record
    this.#dispatches = dispatches
    this.#announcer = announcer
    this.#ends = new TurnEnds(record, dispatches)
  }

  /** A result with an `origin` was not requested and completes no prompt. Returns false for a repeat. */
  async take(session: AgentSession, frame: Frame): Promise<boolean> {
    const agent = await this.#record.agents.find(session.agentId)
    if (!agent) return false
    const prompt = frame.origin ? null : session.prompt
    const ended = await this.#ends.record({ agent, prompt, frame })
    if (ended.repeated) return false
    if (!frame.origin) session.endTurn()
    this.#dispatches.announce([ended.dispatch])
    this.#announcer.announceActivity(agent, session)
    await this.#noteInability(agent, frame)
    await this.#noteCost(agent)
    return true
  }

  /** Returns false for a repeat and for our own `/clear`. */
  async isNewReset(session: AgentSession, frame: Frame): Promise<boolean> {
    const ours = session.prompt?.kind === 'clear'
    const { agents, db } = this.#record
    const isNew = await write(db, async (transaction) => {
      const agent = await agents.find(session.agentId, transaction)
      const seen_frames = agent && withFrame(agent, frame)
      if (!agent || !seen_frames) return false
      if (seen_frames !== agent.seen_frames) await agents.note(transaction, agent.id, { seen_frames })
      return true
    })
    return !ours && isNew
  }

  async rememberProgram(
    session: AgentSession,
    { conversation, version }: { conversation?: unknown; version?: unknown },
  ): Promise<void> {
    const { agents, db } = this.#record
    const agent = await agents.find(session.agentId)
    if (!agent) return
    const news: Partial<Pick<AgentRow, 'program_session' | 'program_version'>> = {}
    if (typeof conversation === 'string' && conversation !== '' && conversation !== agent.program_session)
      news.program_session = conversation
    if (typeof version === 'string' && version !== agent.program_version) news.program_version = version
    if (Object.keys(news).length > 0) await write(db, (transaction) => agents.note(transaction, agent.id, news))
  }

  /** Keeps an error with a known remedy until a prompt succeeds: every prompt fails with it. */
  async #noteInability({ id }: AgentRow, frame: Frame): Promise<void> {
    const error = outcomeOf(frame).error?.slice(0, LONGEST_ERROR) ?? null
    const isKnown = error !== null && remedyFor(error) !== null
    const agent = await this.#record.agents.find(id)
    const last_error = isKnown ? withRemedy(`${PROMPTS_FAIL}${error}`) : null
    if (!agent || last_error === agent.last_error) return
    if (last_error === null && (error !== null || !agent.last_error?.startsWith(PROMPTS_FAIL))) return
    await this.#noteError(agent, last_error)
  }

  async #noteCost({ id }: AgentRow): Promise<void> {
    const agent = await this.#record.agents.find(id)
    const reason = agent && (await costReason(this.#record, agent))
    if (agent && reason && reason !== agent.last_error) await this.#noteError(agent, reason)
  }

  async #noteError(agent: AgentRow, last_error: string | null): Promise<void> {
    const { agents, db } = this.#record
    await write(db, (transaction) => agents.update(transaction, agent.id, { last_error }))
    this.#announcer.announceAgent(agent)
  }
}
