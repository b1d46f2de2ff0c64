// What has ended is forgotten after a time: the dispatches of workflows, what agents were given and asked for, and what
// became of the messages of rooms. Sessions of an agent that ended are added up into one.
import type { Background } from '../../platform/async/background.ts'
import { write, type Knex } from '../../platform/database/database.ts'
import { retention } from '../../platform/store/retention.ts'
import { foldSessions } from './record/usage.ts'
import type { RecordWorld } from './record/world.ts'
import { forLater } from './tools/approval-store.ts'

/** Rows that are looked at, and dropped, at once. */
const AT_ONCE = 500

interface Kept {
  table: string
  /** Of a row that nothing comes of any more. */
  ended: readonly string[]
  /** The column that says since when. */
  at: string
  /** Which of them somebody may still come back to. */
  open?(query: Knex.QueryBuilder): void
}

export class Retention {
  readonly #record: RecordWorld
  #trimming: Background | null = null

  constructor(record: RecordWorld) {
    this.#record = record
  }

  /** Forgets what ended more than `days` ago, from now on; what is open is kept, however old it is. */
  start(days: number): void {
    const { clock, log } = this.#record
    const trim = async (before: string, signal: AbortSignal) => {
      let dropped = 0
      for (const each of this.#kept()) dropped += await this.#trim(each, before, signal)
      return dropped + (await foldSessions(this.#record, before, signal))
    }
    this.#trimming = retention({ clock, log, name: 'history trim', days, trim })
  }

  async stop(): Promise<void> {
    await this.#trimming?.stop()
  }

  #kept(): Kept[] {
    const { dispatches, prompts, approvals, roomPrompts, chainEnds } = this.#record.tables
    // The end of a dispatch that a workflow has yet to follow on is not over.
    const followed = (query: Knex.QueryBuilder) =>
      void query.whereIn('id', this.#record.db(chainEnds.name).select('dispatch_id'))
    return [
      { table: dispatches.name, ended: ['completed', 'failed', 'skipped'], at: 'completed_at', open: followed },
      { table: prompts.name, ended: ['done', 'failed'], at: 'done_at' },
      {
        table: approvals.name,
        ended: ['approved', 'denied', 'timed_out'],
        at: 'decided_at',
        open: (query) => void forLater(query),
      },
      { table: roomPrompts.name, ended: ['done'], at: 'created_at' },
    ]
  }

  /** In the order they came in, until all of a batch came later than `before`: the young ones are not looked through. */
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
    // Asked of these rows alone: the condition has NULLs, of which NOT would say nothing.
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
