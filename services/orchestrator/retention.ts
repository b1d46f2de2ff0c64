// Deletes ended rows after a time, and merges old sessions of agents.
import type { Background } from '../../platform/async/background.ts'
import { write, type Knex } from '../../platform/database/database.ts'
import { retention } from '../../platform/store/retention.ts'
import type { FiringLog } from './record/firing-log.ts'
import { USAGE_DAYS } from '../../schemas/agent/usage.ts'
import { deleteOlder } from './record/old-rows.ts'
import { foldSessions } from './record/usage.ts'
import { dropOldHours } from './record/usage-history.ts'
import type { RecordWorld } from './record/world.ts'
import { whereDecisionApplies } from './tools/approval-store.ts'

const AT_ONCE = 500

interface Kept {
  table: string
  ended: readonly string[]
  /** Column of the end time. */
  at: string
  /** Ended rows to keep. */
  open?(query: Knex.QueryBuilder): void
}

export class Retention {
  readonly #record: RecordWorld
  readonly #firingLog: FiringLog
  #trimming: readonly Background[] = []

  constructor(record: RecordWorld, firingLog: FiringLog) {
    this.#record = record
    this.#firingLog = firingLog
  }

  start(days: number): void {
    const { clock, db, log, tables } = this.#record
    const calls = { table: tables.toolCalls.name, key: 'seq', at: 'created_at' }
    const trim = async (before: string, signal: AbortSignal) => {
      let dropped = 0
      for (const each of this.#kept()) dropped += await this.#trim(each, before, signal)
      dropped += await deleteOlder(db, calls, before, signal)
      dropped += await this.#firingLog.trim(before, signal)
      return dropped + (await foldSessions(this.#record, before, signal))
    }
    const trimUsage = (before: string, signal: AbortSignal) => dropOldHours(this.#record, before, signal)
    this.#trimming = [
      retention({ clock, log, name: 'history trim', days, trim }),
      retention({ clock, log, name: 'usage trim', days: USAGE_DAYS, trim: trimUsage }),
    ]
  }

  async stop(): Promise<void> {
    await Promise.all(this.#trimming.map((each) => each.stop()))
  }

  #kept(): Kept[] {
    const { dispatches, prompts, approvals, roomPrompts, chainEnds } = this.#record.tables
    // Dispatches that a workflow has yet to follow.
    const followed = (query: Knex.QueryBuilder) =>
      void query.whereIn('id', this.#record.db(chainEnds.name).select('dispatch_id'))
    return [
      { table: dispatches.name, ended: ['completed', 'failed', 'skipped'], at: 'completed_at', open: followed },
      { table: prompts.name, ended: ['done', 'failed'], at: 'done_at' },
      {
        table: approvals.name,
        ended: ['approved', 'denied', 'timed_out'],
        at: 'decided_at',
        open: (query) => void whereDecisionApplies(query),
      },
      { table: roomPrompts.name, ended: ['done'], at: 'created_at' },
    ]
  }

  /** Stops at the first batch without an old row, so that recent rows are not scanned. */
  async #trim(kept: Kept, before: string, signal: AbortSignal): Promise<number> {
    const { db } = this.#record
    let dropped = 0
    for (let after = 0; !signal.aborted;) {
      const rows: { seq: number | string; created_at: string }[] = await db(kept.table)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(AT_ONCE)
        .select('seq', 'created_at')
      const old = rows.filter(({ created_at }) => created_at < before).map(({ seq }) => Number(seq))
      if (old.length === 0) break
      after = Number(rows.at(-1)!.seq)
      dropped += await write(db, (transaction) => this.#drop(transaction, kept, old, before))
    }
    return dropped
  }

  #drop(transaction: Knex, { table, ended, at, open }: Kept, seqs: number[], before: string): Promise<number> {
    const rows = transaction(table)
      .whereIn('seq', seqs)
      .whereIn('status', [...ended])
      .where(at, '<', before)
    // A subquery, because NOT would exclude rows where the condition is NULL.
    if (open)
      void rows.whereNotIn(
        'seq',
        transaction(table)
          .whereIn('seq', seqs)
          .where((query) => open(query))
          .select('seq'),
      )
    return rows.delete()
  }
}
