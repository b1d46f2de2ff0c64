// What has ended is forgotten after a time: the dispatches of workflows, and what agents were given.
import type { Background } from '../../platform/async/background.ts'
import { write, type Knex } from '../../platform/database.ts'
import { retention } from '../../platform/store/retention.ts'
import type { ServiceParts } from './parts.ts'

/** Rows that are looked at, and dropped, at once. */
const AT_ONCE = 500

interface Kept {
  table: string
  /** Of a row that nothing comes of any more. */
  ended: readonly string[]
  /** The column that says since when. */
  at: string
}

export class History {
  readonly #service: ServiceParts
  #trimming: Background | null = null

  constructor(service: ServiceParts) {
    this.#service = service
  }

  /** Forgets what ended more than `days` ago, from now on; what is open is kept, however old it is. */
  start(days: number): void {
    const { clock, log, tables } = this.#service
    const kept: Kept[] = [
      { table: tables.dispatches.name, ended: ['completed', 'failed', 'skipped'], at: 'completed_at' },
      { table: tables.prompts.name, ended: ['done', 'failed'], at: 'done_at' },
    ]
    const trim = async (before: string, signal: AbortSignal) => {
      let dropped = 0
      for (const each of kept) dropped += await this.#trim(each, before, signal)
      return dropped
    }
    this.#trimming = retention({ clock, log, name: 'history trim', days, trim })
  }

  async stop(): Promise<void> {
    await this.#trimming?.stop()
  }

  /** In the order they came in, until all of a batch came later than `before`: the young ones are not looked through. */
  async #trim(kept: Kept, before: string, signal: AbortSignal): Promise<number> {
    const { db } = this.#service
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

  /** The end of a dispatch that a workflow has yet to follow on is not over. */
  #drop(transaction: Knex, { table, ended, at }: Kept, seqs: number[], before: string): Promise<number> {
    const { dispatches, chainEnds } = this.#service.tables
    const rows = transaction(table)
      .whereIn('seq', seqs)
      .whereIn('status', [...ended])
      .where(at, '<', before)
    if (table === dispatches.name) void rows.whereNotIn('id', transaction(chainEnds.name).select('dispatch_id'))
    return rows.delete()
  }
}
