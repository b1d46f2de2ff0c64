import type { Knex } from '../../../platform/database/database.ts'
import type { Metric } from '../../../platform/metrics/metrics.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import type { Chains } from '../record/chains.ts'
import { dropPromptsOf } from '../record/prompt-store.ts'
import { settleQueueTasks } from '../record/queue-store.ts'
import { OLDEST_FIRST, type DispatchRow } from '../record/tables.ts'
import type { Figures } from '../record/usage-tables.ts'
import { now, type Creating } from '../record/world.ts'
import { DispatchMetrics } from './dispatch-metrics.ts'
import type { EventBus } from './event-bus.ts'
import type { StreamHub } from './streams.ts'

export const LONGEST_CHAIN = 32
/** Characters. */
const LONGEST_SHOWN = 32 * 1024

type NewDispatch = Pick<
  DispatchRow,
  'workflow_id' | 'source_id' | 'agent_id' | 'prompt_sent' | 'status' | 'trigger_type' | 'task' | 'depth'
>

interface Verdict {
  status: 'completed' | 'failed' | 'skipped'
  attempt?: number
  error?: string | null
  result?: string | null
  usage?: Figures
  /** The queue does not retry the task. */
  final?: boolean
}

interface Parts {
  chains: Chains
  streams: StreamHub
  events: EventBus
}

type Verdicts = ReadonlyMap<string, Verdict>

/** Pass the returned rows to `announce` after the commit. */
export class DispatchRecorder {
  readonly #record: Creating
  readonly #parts: Parts
  readonly #metrics = new DispatchMetrics()

  constructor(record: Creating, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  get metrics(): Metric[] {
    return this.#metrics.metrics
  }

  async add(
    transaction: Knex,
    dispatches: readonly (NewDispatch & { id?: string; error?: string; completed_at?: string })[],
  ): Promise<DispatchRow[]> {
    const at = now(this.#record)
    const rows = dispatches.map((dispatch) => {
      const dispatched_at = dispatch.status === 'dispatched' ? at : null
      return { id: this.#record.ids(), ...dispatch, attempt: 1, created_at: at, dispatched_at }
    })
    return this.#record.tables.dispatches.insertAll(rows, transaction)
  }

  async addSkipped(transaction: Knex, dispatch: Omit<NewDispatch, 'status'>, error: string): Promise<DispatchRow> {
    const skipped = { ...dispatch, status: 'skipped', error, completed_at: now(this.#record) } as const
    return (await this.add(transaction, [skipped]))[0]!
  }

  /** Returns null if it is no longer pending. */
  async send(transaction: Knex, id: string): Promise<DispatchRow | null> {
    const sent = { status: 'dispatched', dispatched_at: now(this.#record) } as const
    return this.#record.tables.dispatches.change({ id, status: 'pending' }, sent, transaction)
  }

  /** Returns null if it has already ended. */
  async end(transaction: Knex, id: string, verdict: Verdict): Promise<DispatchRow | null> {
    return (await this.#endAll(transaction, new Map([[id, verdict]])))[0] ?? null
  }

  /**
   * Ends sent dispatches. One that has been queued again is completed by a late result, and unaffected by other
   * verdicts.
   */
  async endAttempts(transaction: Knex, verdicts: Verdicts): Promise<DispatchRow[]> {
    const closed = await this.#endAll(transaction, verdicts, ['dispatched'])
    const ended = new Set(closed.map(({ id }) => id))
    for (const [id, verdict] of verdicts) {
      if (ended.has(id) || verdict.status !== 'completed') continue
      const dispatch = await this.#record.tables.dispatches.find({ id, status: 'pending' }, transaction)
      if (!dispatch) continue
      await dropPromptsOf(this.#record, transaction, [id], 'an earlier attempt completed the task')
      const former = { ...verdict, attempt: dispatch.attempt - 1 }
      closed.push(...(await this.#endAll(transaction, new Map([[id, former]]))))
    }
    return closed
  }

  async skip(
    transaction: Knex,
    owner: { workflow_id: string } | { agent_id: string },
    reason: string,
  ): Promise<DispatchRow[]> {
    const where = { ...owner, status: 'pending' as const }
    const pending = await this.#record.tables.dispatches.list({ where, order: OLDEST_FIRST }, transaction)
    const ids = pending.map(({ id }) => id)
    await dropPromptsOf(this.#record, transaction, ids, reason)
    const skipped = { status: 'skipped', error: reason } as const
    return this.#endAll(transaction, new Map(ids.map((id) => [id, skipped])))
  }

  announce(dispatches: readonly (DispatchRow | null)[]): void {
    for (const row of dispatches) if (row) this.#announce(row)
  }

  /** Returns only dispatches that had one of the statuses. */
  async #endAll(
    transaction: Knex,
    verdicts: Verdicts,
    status: readonly DispatchRow['status'][] = ['pending', 'dispatched'],
  ): Promise<DispatchRow[]> {
    const completed_at = now(this.#record)
    const patches = [...verdicts].map(([id, { final: _final, ...verdict }]) => {
      return [id, { error: null, result: null, usage: null, ...verdict, completed_at }] as const
    })
    const closed = await this.#record.tables.dispatches.changeEach(new Map(patches), { status }, transaction)
    const byId = new Map(closed.map((dispatch) => [dispatch.id, dispatch]))
    const inOrder = [...verdicts.keys()].flatMap((id) => byId.get(id) ?? [])
    const ofQueues = inOrder.filter(({ trigger_type }) => trigger_type === 'queue')
    const ends = ofQueues.map((dispatch) => ({ ...dispatch, final: verdicts.get(dispatch.id)!.final ?? false }))
    await settleQueueTasks(this.#record, transaction, ends)
    // A chain that is too long ends here.
    const firing = inOrder.filter(({ depth }) => depth <= LONGEST_CHAIN)
    await this.#parts.chains.note(this.#record, transaction, firing)
    return inOrder
  }

  #announce(row: DispatchRow): void {
    const dispatch: DispatchRecord = this.#record.tables.dispatches.record(row)
    const { id, workflow_id, status, agent_id, prompt_sent, result } = dispatch
    this.#metrics.count(row)
    const shown = { ...dispatch, prompt_sent: beginning(prompt_sent), result: result && beginning(result) }
    this.#parts.streams.publish(agent_id, 'dispatch', `dispatch ${id} ${status}`, { dispatch: shown })
    if (status === 'pending' || status === 'dispatched' || row.depth > LONGEST_CHAIN) return
    const source_id = row.task?.metadata?.original_source_id ?? dispatch.source_id
    const ended = { workflow_id, dispatch_id: id, status, source_id, depth: row.depth }
    this.#parts.events.publish({ type: 'DispatchCompleted', ...ended })
  }
}

function beginning(text: string): string {
  if (text.length <= LONGEST_SHOWN) return text
  return `${text.slice(0, LONGEST_SHOWN)}… (truncated; the text has ${text.length} characters)`
}
