// Decided tool requests, kept for policy tests. Nothing else depends on them, so a decision never waits for a write.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import { RecentMap } from '../../../platform/core/recent.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { MOST_RECORDED } from '../../../schemas/tools/policy-test.ts'
import { mainArgument } from '../policy/main-argument.ts'
import type { Decision } from '../policy/judge.ts'
import type { ToolCallRow } from '../record/tables.ts'
import { now, type RecordWorld } from '../record/world.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { ToolRequest } from './approval-store.ts'

/** Bytes of JSON. */
export const LARGEST_STORED = 16 * 1024
const LONGEST_TEXT = 200
/** Maximum delay before a call is written. */
const GATHER_MS = 250
const MOST_AT_ONCE = 100
/** Calls buffered while the database is unavailable; above it, the oldest are dropped. */
const MOST_WAITING = 1000
/** New calls of an agent until its oldest are deleted. */
const PRUNED_AFTER = 100
const MOST_AGENTS = 1000

export class RecordedCalls {
  readonly #record: RecordWorld
  readonly #turns = new SerialQueue()
  /** Calls written since the last deletion, by agent. */
  readonly #written = new RecentMap<number>(MOST_AGENTS)
  #waiting: ToolCallRow[] = []
  #dropped = 0
  #timer: Timer | null = null

  constructor(record: RecordWorld) {
    this.#record = record
  }

  /** Buffers the call. `decision`: of the policy. */
  take({ agentId, prompt }: AgentSession, request: ToolRequest, decision: Decision): void {
    const call = { agent_id: agentId, decision, dispatch_id: prompt?.dispatch_id ?? null }
    this.#waiting.push({ ...call, ...storedPart(request), created_at: now(this.#record) })
    if (this.#waiting.length > MOST_WAITING) {
      this.#waiting.shift()
      this.#dropped++
    }
    if (this.#waiting.length >= MOST_AT_ONCE && this.#turns.idle) void this.flush()
    else this.#timer ??= this.#record.clock.after(GATHER_MS, () => void this.flush())
  }

  /** Newest first, of all agents by default. */
  async newest(limit: number, agentId?: string): Promise<ToolCallRow[]> {
    await this.flush()
    return (await this.#record.tables.toolCalls.page({ where: { agent_id: agentId }, limit, offset: 0 })).items
  }

  /** Never rejects. */
  flush(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = null
    const rows = this.#waiting
    this.#waiting = []
    return this.#turns.run(() => (rows.length > 0 ? this.#write(rows) : Promise.resolve()))
  }

  async #write(rows: readonly ToolCallRow[]): Promise<void> {
    const { db, log, tables } = this.#record
    const dropped = this.#dropped
    this.#dropped = 0
    try {
      const counts = this.#countsWith(rows)
      await write(db, async (transaction) => {
        await tables.toolCalls.insertAll(rows, transaction)
        for (const [agentId, count] of counts) if (count >= PRUNED_AFTER) await this.#prune(agentId, transaction)
      })
      for (const [agentId, count] of counts) this.#written.set(agentId, count >= PRUNED_AFTER ? 0 : count)
      if (dropped > 0) log.warn({ calls: dropped }, 'buffer of recorded tool calls full: calls dropped')
    } catch (error) {
      const facts = { calls: dropped + rows.length, error: (error as Error).message }
      log.warn(facts, 'failed to record tool calls: calls dropped')
    }
  }

  /** An agent that is not known yet may have too many. */
  #countsWith(rows: readonly ToolCallRow[]): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { agent_id: id } of rows) counts.set(id, (counts.get(id) ?? this.#written.get(id) ?? PRUNED_AFTER) + 1)
    return counts
  }

  async #prune(agentId: string, transaction: Knex): Promise<void> {
    const calls = () => transaction(this.#record.tables.toolCalls.name).where({ agent_id: agentId })
    const [last] = await calls().orderBy('seq', 'desc').offset(MOST_RECORDED).limit(1).pluck('seq')
    if (last !== undefined) await calls().where('seq', '<=', last).delete()
  }
}

function storedPart({ tool, input, original }: ToolRequest): Pick<ToolCallRow, 'tool' | 'about' | 'input' | 'omitted'> {
  const text = JSON.stringify(input ?? {})
  const isLarge = tool.length > LONGEST_TEXT || Buffer.byteLength(text) > LARGEST_STORED
  const omitted = original !== null ? 'secret' : isLarge ? 'size' : null
  const about = shortened(mainArgument(tool, input))
  return { tool: shortened(tool), about, input: omitted === null ? text : null, omitted }
}

export const shortened = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
