import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import { whenCommitted, type Knex } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/core/problem.ts'
import { RecentMap } from '../../../platform/core/recent.ts'
import type { CursorAsked } from '../../../platform/store/keyset.ts'
import type { RowPatch } from '../../../platform/store/rows.ts'
import { AGENT_STATUSES, completeAgent, type AgentSpec } from '../../../schemas/agent.ts'
import type { Slice } from '../../../schemas/operations/page.ts'
import type { AgentRow, AgentsTable } from './tables.ts'

export type { AgentRow } from './tables.ts'
export type AgentStatus = AgentRow['status']

export const sessionName = (id: string): string => `${SESSION_PREFIX}${id}`
export const SESSION_PREFIX = 'svc-orch-'

const KEPT = 1000

/** Every write goes through this cache, in a transaction: one daemon owns the state. */
export class AgentStore {
  readonly #table: AgentsTable
  readonly #db: Knex
  readonly #clock: Clock
  readonly #kept = new RecentMap<AgentRow>(KEPT)
  #open = 0
  /** Counts starts and ends of writes: a read that overlaps one is not cached. */
  #moves = 0

  constructor(world: { db: Knex; clock: Clock }, table: AgentsTable) {
    this.#table = table
    this.#db = world.db
    this.#clock = world.clock
  }

  /** Locks the row inside a transaction. */
  async find(id: string, transaction?: Knex): Promise<AgentRow | null> {
    if (transaction) return complete(await this.#table.find(id, transaction))
    const kept = this.#kept.get(id)
    if (kept) return kept
    const moves = this.#moves
    const row = complete(await this.#table.find(id))
    if (row && this.#open === 0 && moves === this.#moves) this.#kept.set(id, row)
    return row
  }

  async hold(ids: readonly string[], transaction: Knex.Transaction): Promise<Map<string, AgentRow>> {
    // A fixed order prevents deadlocks.
    const rows = await this.#table.list({ where: { id: ids }, order: ['id'], hold: true }, transaction)
    return new Map(rows.map((row) => [row.id, complete(row)]))
  }

  /** Keeps agents from being deleted until the end of the transaction. Returns the ids of those that exist. */
  async lock(ids: readonly string[], transaction: Knex.Transaction): Promise<Set<string>> {
    const rows = transaction(this.#table.name).whereIn('id', ids).orderBy('id').forUpdate()
    return new Set((await rows.pluck('id')) as string[])
  }

  /** Throws 404. */
  async get(id: string, transaction?: Knex): Promise<AgentRow> {
    const row = await this.find(id, transaction)
    if (!row) throw notFound('agent', id)
    return row
  }

  /** Newest first. */
  async list(where: { status?: AgentStatus; name?: string; purge_due?: boolean } = {}): Promise<AgentRow[]> {
    return (await this.#table.page({ where })).items.map(complete)
  }

  slice<T>(
    where: { status?: AgentStatus; name?: string },
    cursor: CursorAsked,
    shown: (agent: AgentRow) => T,
  ): Promise<Slice<T>> {
    return this.#table.listed({ where }, cursor, (row) => shown(complete(row)))
  }

  async insert(
    transaction: Knex.Transaction,
    agent: { id: string; spec: AgentSpec; token_hash: string },
  ): Promise<void> {
    this.#noteWrite(agent.id, transaction)
    const at = timestamp(this.#clock)
    const { name } = agent.spec
    const due = promptIsDue(agent.spec)
    await this.#table.insert(
      { ...agent, launched: agent.spec, name, status: 'pending', prompt_due: due, created_at: at, updated_at: at },
      transaction,
    )
  }

  /** Use `note` for fields that the API does not show. */
  async update(transaction: Knex.Transaction, id: string, patch: RowPatch<AgentRow>): Promise<void> {
    await this.note(transaction, id, { ...patch, updated_at: timestamp(this.#clock) })
  }

  async note(transaction: Knex.Transaction, id: string, patch: RowPatch<AgentRow>): Promise<void> {
    this.#noteWrite(id, transaction)
    await this.#table.update(id, patch, transaction)
  }

  async noteEach(transaction: Knex.Transaction, patches: ReadonlyMap<string, RowPatch<AgentRow>>): Promise<void> {
    for (const id of patches.keys()) this.#noteWrite(id, transaction)
    await this.#table.changeEach(patches, {}, transaction)
  }

  async delete(transaction: Knex.Transaction, id: string): Promise<void> {
    this.#noteWrite(id, transaction)
    await this.#table.delete(id, transaction)
  }

  idsOf(status: AgentStatus): Promise<string[]> {
    return this.#db(this.#table.name).where({ status }).pluck('id')
  }

  async countByStatus(): Promise<Record<AgentStatus, number>> {
    const rows: { status: string; count: number | string }[] = await this.#db(this.#table.name)
      .groupBy('status')
      .select('status')
      .count({ count: '*' })
    const counts = new Map(rows.map((row) => [row.status, Number(row.count)]))
    return Object.fromEntries(AGENT_STATUSES.map((status) => [status, counts.get(status) ?? 0])) as Record<
      AgentStatus,
      number
    >
  }

  async countSandboxed(): Promise<number> {
    const running = await this.list({ status: 'running' })
    return running.filter(({ sandbox }) => Boolean(sandbox?.launch)).length
  }

  #noteWrite(id: string, transaction: Knex.Transaction): void {
    this.#kept.delete(id)
    this.#open++
    this.#moves++
    const ended = () => {
      this.#open--
      this.#moves++
    }
    whenCommitted(transaction).then(ended, ended)
  }
}

function complete<Row extends AgentRow | null>(row: Row): Row {
  if (row === null) return row
  const spec = completeAgent(row.spec)
  return spec === row.spec ? row : { ...row, spec }
}

export function promptIsDue(spec: AgentSpec): boolean {
  return spec.prompt !== null && spec.prompt.trim() !== ''
}
