// Runs as history: each step is recorded before it acts and closed after.
import { timestamp, type Clock } from '../platform/clock.ts'
import { write, type Knex } from '../platform/database.ts'
import { Problem } from '../platform/problem.ts'
import type { PlanSummary } from '../schemas/plan.ts'
import type { Run, RunStep } from '../schemas/run.ts'

/** Runs kept; older ones go when a new one ends. */
const KEPT_RUNS = 1000

const NOTHING: PlanSummary = { create: 0, update: 0, restart: 0, replace: 0, adopt: 0, delete: 0, unchanged: 0 }

export class Runs {
  readonly #db: Knex
  readonly #clock: Clock

  constructor(db: Knex, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Records a run before anything is done for it. */
  async open(id: string, source: string, actor: string): Promise<Run> {
    const run: Run = {
      id,
      source,
      revision: null,
      status: 'running',
      actor,
      started_at: timestamp(this.#clock),
      ended_at: null,
      steps: [],
      summary: NOTHING,
      error: null,
    }
    await write(this.#db, (transaction) =>
      transaction('controller_runs').insert({ ...withoutSteps(run), summary: JSON.stringify(run.summary) }),
    )
    return run
  }

  /** The rows of intent for a run's steps, to be written in the transaction that reserves their ids. */
  async intend(transaction: Knex.Transaction, run: Run): Promise<void> {
    await transaction('controller_runs')
      .where({ id: run.id })
      .update({ revision: run.revision, summary: JSON.stringify(run.summary) })
    for (let at = 0; at < run.steps.length; at += 50) {
      await transaction('controller_steps').insert(
        run.steps.slice(at, at + 50).map((step, index) => ({ run_id: run.id, seq: at + index, ...step })),
      )
    }
  }

  async closeStep(transaction: Knex.Transaction, run: Run, step: RunStep): Promise<void> {
    const { status, live_id, error, started_at, ended_at } = step
    await transaction('controller_steps')
      .where({ run_id: run.id, seq: run.steps.indexOf(step) })
      .update({ status, live_id, error, started_at, ended_at })
  }

  /** Closes a step that leaves no other trace. */
  async saveStep(run: Run, step: RunStep): Promise<void> {
    await write(this.#db, (transaction) => this.closeStep(transaction, run, step))
  }

  async close(run: Run): Promise<void> {
    run.ended_at = timestamp(this.#clock)
    await write(this.#db, async (transaction) => {
      await transaction('controller_runs')
        .where({ id: run.id })
        .update({
          status: run.status,
          revision: run.revision,
          ended_at: run.ended_at,
          error: run.error,
          summary: JSON.stringify(run.summary),
        })
      const oldest = await transaction('controller_runs')
        .orderBy('started_at', 'desc')
        .offset(KEPT_RUNS)
        .first('started_at')
      if (!oldest) return
      const old = transaction('controller_runs').where('started_at', '<=', oldest.started_at).select('id')
      await transaction('controller_steps').whereIn('run_id', old).delete()
      await transaction('controller_runs').where('started_at', '<=', oldest.started_at).delete()
    })
  }

  /** Runs that a crash left open are closed as interrupted; what they began is observed again by the next pass. */
  async closeInterrupted(): Promise<number> {
    return write(this.#db, (transaction) =>
      transaction('controller_runs')
        .where({ status: 'running' })
        .update({
          status: 'interrupted',
          ended_at: timestamp(this.#clock),
          error: 'the daemon ended before the run did',
        }),
    )
  }

  /** Newest first. */
  async list({
    limit = 50,
    offset = 0,
  }: {
    limit?: number
    offset?: number
  }): Promise<{ items: Run[]; total: number }> {
    const rows = await this.#db('controller_runs')
      .orderBy([
        { column: 'started_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit)
      .offset(offset)
    const counted = await this.#db('controller_runs').count({ total: '*' }).first()
    const steps = await this.#db('controller_steps')
      .whereIn(
        'run_id',
        rows.map((row) => row.id),
      )
      .orderBy('seq')
    return {
      items: rows.map((row) =>
        fromRow(
          row,
          steps.filter((step) => step.run_id === row.id),
        ),
      ),
      total: Number(counted?.total ?? 0),
    }
  }

  async get(id: string): Promise<Run> {
    const row = await this.#db('controller_runs').where({ id }).first()
    if (!row) throw new Problem(404, `run ${id} does not exist; GET /runs lists them`)
    return fromRow(row, await this.#db('controller_steps').where({ run_id: id }).orderBy('seq'))
  }

  /** What was done to one resource, newest first. */
  async historyOf(
    kind: string,
    name: string,
  ): Promise<{ run_id: string; action: string; status: string; revision: string | null; at: string | null }[]> {
    const rows = await this.#db('controller_steps')
      .join('controller_runs', 'controller_runs.id', 'controller_steps.run_id')
      .where({ kind, name })
      .orderBy('controller_runs.started_at', 'desc')
      .limit(50)
      .select('run_id', 'action', 'controller_steps.status as status', 'revision', 'controller_steps.ended_at as at')
    return rows as { run_id: string; action: string; status: string; revision: string | null; at: string | null }[]
  }
}

function withoutSteps({ steps: _, ...run }: Run): Omit<Run, 'steps'> {
  return run
}

function fromRow(row: Record<string, any>, steps: Record<string, any>[]): Run {
  return {
    id: row.id,
    source: row.source,
    revision: row.revision,
    status: row.status,
    actor: row.actor,
    started_at: row.started_at,
    ended_at: row.ended_at,
    steps: steps.map(({ run_id: _run, seq: _seq, ...step }) => step as RunStep),
    summary: JSON.parse(row.summary),
    error: row.error,
  }
}
