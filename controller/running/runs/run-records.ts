// Run history: a step is recorded before it acts and closed after.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import * as Type from 'typebox'
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { Listed, Part } from '../../../platform/store/page.ts'
import { table, type TableWorld } from '../../../platform/store/table.ts'
import type { PlanSummary } from '../../../schemas/plan.ts'
import type { ResourceDetail } from '../../../schemas/resource.ts'
import { Run, RunStep } from '../../../schemas/run.ts'

/** Limits per sort of run; older ones are deleted when a run ends. */
const KEPT = { withSteps: 1000, failed: 100, nothingToDo: 100 }

/** Limit per ended run: an earlier version may have left more. */
const TRIMMED_AT_ONCE = 100

const NEWEST_FIRST = [
  { column: 'started_at', order: 'desc' as const },
  { column: 'id', order: 'desc' as const },
]

const FIRST_PAGE = { limit: 50, offset: 0 }

const AT_ONCE = 50

const STEPS_AT_ONCE = 500

const SHOWN_STEPS = 50

const NOTHING: PlanSummary = { create: 0, update: 0, restart: 0, replace: 0, adopt: 0, delete: 0, unchanged: 0 }

const runsTable = (world: TableWorld) =>
  table(world, 'controller_runs', Run, {
    what: 'run',
    computed: ['steps'],
    private: { has_steps: Type.Boolean() },
    order: ['started_at', 'id'],
  })

const stepsTable = (world: TableWorld) =>
  table(world, 'controller_steps', RunStep, {
    what: 'step',
    private: { run_id: Type.String(), seq: Type.Integer() },
    key: ['run_id', 'seq'],
    order: ['run_id', { column: 'seq', order: 'asc' }],
  })

export class Runs {
  readonly #db: Knex
  readonly #clock: Clock
  readonly #runs: ReturnType<typeof runsTable>
  readonly #steps: ReturnType<typeof stepsTable>

  constructor(world: TableWorld & { clock: Clock }) {
    this.#db = world.db
    this.#clock = world.clock
    this.#runs = runsTable(world)
    this.#steps = stepsTable(world)
  }

  /** Call before the run does anything. */
  async open(id: string, source: string, actor: string): Promise<Run> {
    const started = timestamp(this.#clock)
    const opened = { id, source, status: 'running' as const, actor, started_at: started }
    const row = await this.#runs.insert({ ...opened, has_steps: false, summary: NOTHING, diagnostics: [] })
    return { ...this.#runs.record(row), steps: [] }
  }

  /** Call in the transaction that reserves ids. */
  async intend(transaction: Knex.Transaction, { id, revision, summary, steps }: Run): Promise<void> {
    await this.#runs.update(id, { revision, summary, has_steps: steps.length > 0 }, transaction)
    for (let at = 0; at < steps.length; at += AT_ONCE) {
      const rows = steps.slice(at, at + AT_ONCE).map((step, index) => ({ run_id: id, seq: at + index, ...step }))
      await this.#steps.insertAll(rows, transaction)
      await turnOfTheLoop()
    }
  }

  async closeStep(transaction: Knex.Transaction, run: Run, step: RunStep): Promise<void> {
    const { status, live_id, error, started_at, ended_at } = step
    const which = { run_id: run.id, seq: run.steps.indexOf(step) }
    await this.#steps.update(which, { status, live_id, error, started_at, ended_at }, transaction)
  }

  async saveStep(
    run: Run,
    step: RunStep,
    alongside?: (transaction: Knex.Transaction) => Promise<unknown>,
  ): Promise<void> {
    await write(this.#db, async (transaction) => {
      await this.closeStep(transaction, run, step)
      await alongside?.(transaction)
    })
  }

  async close(run: Run): Promise<void> {
    run.ended_at = timestamp(this.#clock)
    const { id, status, revision, ended_at, error, summary, diagnostics, steps } = run
    await write(this.#db, async (transaction) => {
      await this.#runs.update(id, { status, revision, ended_at, error, summary, diagnostics }, transaction)
      await this.#trim(
        transaction,
        id,
        steps.length > 0 ? 'withSteps' : status === 'succeeded' ? 'nothingToDo' : 'failed',
      )
    })
  }

  /** Runs with nothing to do never displace runs that acted or failed. */
  async #trim(transaction: Knex.Transaction, ended: string, sort: keyof typeof KEPT): Promise<void> {
    const ofSort = transaction(this.#runs.name).where({ has_steps: sort === 'withSteps' })
    if (sort === 'nothingToDo') ofSort.where({ status: 'succeeded' })
    if (sort === 'failed') ofSort.whereNot({ status: 'succeeded' })
    const old: string[] = await ofSort.orderBy(NEWEST_FIRST).offset(KEPT[sort]).limit(TRIMMED_AT_ONCE).pluck('id')
    const dropped = old.filter((id) => id !== ended)
    if (dropped.length === 0) return
    if (sort === 'withSteps') await this.#steps.delete({ run_id: dropped }, transaction)
    await this.#runs.delete({ id: dropped }, transaction)
  }

  /** Closes runs that a crash left open. */
  async closeInterrupted(log: Log): Promise<void> {
    const [ended_at, error] = [timestamp(this.#clock), 'the daemon exited before the run ended']
    const closed = await this.#runs.update({ status: 'running' }, { status: 'interrupted', ended_at, error })
    if (closed > 0) log.warn({ runs: closed }, 'runs were interrupted; their resources are observed again')
  }

  /** Newest first; default the first 50. */
  async list<P extends Part = {}>(part?: P): Promise<Listed<Run, P>> {
    const asked: Part = part ?? FIRST_PAGE
    const listed = await this.#runs.listed({}, asked)
    const steps = await this.#stepsOf(listed.items.map(({ id }) => id))
    const items = listed.items.map((run) => ({ ...run, steps: steps.get(run.id)! }))
    return { ...listed, items } as unknown as Listed<Run, P>
  }

  /** In order. Many steps are read in batches, because converting rows blocks the event loop. */
  async #stepsOf(runs: readonly string[]): Promise<Map<string, RunStep[]>> {
    const found = new Map(runs.map((id) => [id, [] as RunStep[]]))
    if ((await this.#steps.count({ run_id: [...runs] })) > STEPS_AT_ONCE) {
      for (const [id, steps] of found) for await (const some of this.#stepsOfOne(id)) steps.push(...some)
      return found
    }
    for (const { run_id, seq: _, ...step } of await this.#steps.list({ where: { run_id: [...runs] } }))
      found.get(run_id)!.push(step)
    return found
  }

  async *#stepsOfOne(run_id: string): AsyncGenerator<RunStep[]> {
    for (let last = -1, isOver = false; !isOver;) {
      const after = this.#db(this.#steps.name).where({ run_id }).where('seq', '>', last)
      const rows = (await after.orderBy('seq').limit(STEPS_AT_ONCE).select('*')).map((row: object) =>
        this.#steps.fromColumns(row),
      )
      yield rows.map(({ run_id: _run, seq: _seq, ...step }) => step)
      isOver = rows.length < STEPS_AT_ONCE
      last = rows.at(-1)?.seq ?? last
    }
  }

  async get(id: string): Promise<Run> {
    const run = await this.#runs.find(id)
    if (!run) throw new Problem(404, `run ${id} does not exist; GET /runs lists them`)
    return { ...this.#runs.record(run), steps: (await this.#stepsOf([id])).get(id)! }
  }

  /** Runs without their steps as `runs/<id>`, and steps as `steps/<run>/<number>`. */
  async byIds(ids: readonly string[]): Promise<Map<string, object>> {
    const partsOf = ids.map((id) => id.split('/'))
    const ofRuns = partsOf.flatMap(([kind, id]) => (kind === 'runs' ? [id!] : []))
    const ofSteps = partsOf.flatMap(([kind, run, seq]) => (kind === 'steps' ? [[run!, Number(seq)]] : []))
    const runs = await this.#runs.list({ where: { id: ofRuns } })
    const steps = await this.#steps.list({ where: (query) => void query.whereIn(['run_id', 'seq'], ofSteps) })
    return new Map<string, object>([
      ...runs.map((run) => [`runs/${run.id}`, this.#runs.record(run)] as const),
      ...steps.map(({ run_id, seq, ...step }) => [`steps/${run_id}/${seq}`, { run_id, ...step }] as const),
    ])
  }

  /** Newest first. */
  async historyOf(kind: string, name: string): Promise<ResourceDetail['history']> {
    return this.#db(this.#steps.name)
      .join(this.#runs.name, 'controller_runs.id', 'controller_steps.run_id')
      .where({ kind, name })
      .orderBy('controller_runs.started_at', 'desc')
      .limit(SHOWN_STEPS)
      .select('run_id', 'action', 'controller_steps.status as status', 'revision', 'controller_steps.ended_at as at')
  }
}
