import { inBatches } from '../../../platform/async/batches.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import type { AgentRow } from '../record/agent-store.ts'
import { addTurns } from '../record/usage.ts'
import type { Figures } from '../record/usage-tables.ts'
import type { RecordWorld } from '../record/world.ts'
import type { DispatchRecorder } from '../events/dispatch-recorder.ts'
import { errorTexts } from '../events/streams.ts'
import type { DispatchRow, Prompt } from '../record/tables.ts'
import type { Frame } from '../session/frame.ts'
import { answerRooms, endPrompts } from '../record/prompt-store.ts'

const AT_ONCE = 32
/** Kept per agent to detect repeats, even after a daemon restart. */
const REMEMBERED_FRAMES = 100

interface TurnEnd {
  agent: AgentRow
  /** Null for an unrequested result. */
  prompt: Prompt | null
  frame: Frame
}

/** `repeated`: the result was already counted. */
type Recorded = { repeated: true } | { repeated: false; dispatch: DispatchRow | null }

export class TurnEnds {
  readonly #record: RecordWorld
  readonly #dispatches: DispatchRecorder
  /** Do not call concurrently for one agent. */
  readonly record = inBatches(AT_ONCE, (ends: readonly TurnEnd[]) => this.#write(ends))

  constructor(record: RecordWorld, dispatches: DispatchRecorder) {
    this.#record = record
    this.#dispatches = dispatches
  }

  #write(ends: readonly TurnEnd[]): Promise<Recorded[]> {
    const record = this.#record
    return write(record.db, async (transaction) => {
      const ids = ends.map(({ agent }) => agent.id)
      const held = await record.agents.hold(ids, transaction)
      const fresh = ends.map((end) => ({ ...end, agent: held.get(end.agent.id) ?? end.agent }))
      const news = fresh.flatMap((end) => {
        const seen_frames = withFrame(end.agent, end.frame)
        return seen_frames === null ? [] : [{ ...end, result: end.frame, more: { seen_frames } }]
      })
      const used = await addTurns(record, transaction, news)
      const dispatches = await this.#completePrompts(transaction, news, used)
      const isNew = new Set(news.map(({ agent }) => agent.id))
      return ends.map(({ agent, prompt }): Recorded => {
        const dispatch = dispatches.find(({ id }) => id === prompt?.dispatch_id) ?? null
        return isNew.has(agent.id) ? { repeated: false, dispatch } : { repeated: true }
      })
    })
  }

  async #completePrompts(
    transaction: Knex.Transaction,
    ends: readonly TurnEnd[],
    used: readonly Figures[],
  ): Promise<DispatchRow[]> {
    const asked = ends.flatMap(({ agent, prompt, frame }, at) =>
      prompt ? [{ agent, prompt, usage: used[at]!, ...outcomeOf(frame) }] : [],
    )
    if (asked.length === 0) return []
    const record = this.#record
    const prompts = asked.map(({ prompt, error, text }) => {
      const status = error === null ? ('done' as const) : ('failed' as const)
      // Never null, which would mean a lost prompt.
      return [prompt.id, { status, error, result: text ?? '' }] as const
    })
    await endPrompts(record, transaction, new Map(prompts))
    // An answer ends the warnings about messages lost earlier.
    for (const { agent, prompt } of asked)
      if (prompt.kind === 'message' && agent.lost_messages.length > 0)
        await record.agents.update(transaction, agent.id, { lost_messages: [] })
    const answers = asked.map(({ prompt, error, text }) => [prompt.id, error === null ? { text } : { error }] as const)
    await answerRooms(record, transaction, new Map(answers))
    const verdicts = asked.flatMap(({ prompt, error, text, usage }) => {
      const status = error === null ? ('completed' as const) : ('failed' as const)
      return prompt.dispatch_id ? [[prompt.dispatch_id, { status, error, result: text, usage }] as const] : []
    })
    return this.#dispatches.endAttempts(transaction, new Map(verdicts))
  }
}

/** Returns null for a repeat. */
export function withFrame({ seen_frames }: AgentRow, { uuid }: Frame): string[] | null {
  if (typeof uuid !== 'string' || uuid === '') return seen_frames
  return seen_frames.includes(uuid) ? null : [...seen_frames, uuid].slice(-REMEMBERED_FRAMES)
}

export function outcomeOf(frame: Frame): { text: string | null; error: string | null } {
  const text = textOrNull(frame.result)
  if (!frame.is_error) return { text, error: null }
  const errors = errorTexts(frame.errors).join('; ')
  const word = textOrNull(frame.terminal_reason) ?? textOrNull(frame.subtype) ?? 'the agent reported an error'
  return { text, error: text || errors || word }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
