// Ended runs, kept for 90 days; a dry run is never stored.
import * as Type from 'typebox'
import { write, type Knex } from '../../platform/database/database.ts'
import type { World } from '../../platform/service/world.ts'
import type { Listed, Part } from '../../platform/store/page.ts'
import { table } from '../../platform/store/table.ts'
import { ConductorRun } from '../../schemas/conductor/run.ts'
import type { RunFilter } from './face.ts'
import { RUNS } from './migrations.ts'

export const RUN_DAYS = 90
/** Rows per transaction; bounds how long requests wait. */
const BATCH = 50
/** Newest runs of a repository that keep their items: those of 300 pull requests have 200 KB. */
const RUNS_WITH_ITEMS = 20

/** Forges ignore case in the names of owners and repositories. */
export const keyOf = (repository: string): string => repository.toLowerCase()

const rowsOf = (world: Pick<World, 'db' | 'vault'>) =>
  table(world, RUNS, ConductorRun, { what: 'run', private: { repository_key: Type.String() } })

export class Runs {
  readonly #db: Knex
  readonly #rows: ReturnType<typeof rowsOf>

  constructor(world: Pick<World, 'db' | 'vault'>) {
    this.#db = world.db
    this.#rows = rowsOf(world)
  }

  async keep(run: ConductorRun): Promise<void> {
    const repository_key = keyOf(run.repository)
    await write(this.#db, async (transaction) => {
      await this.#rows.insert({ ...run, repository_key }, transaction)
      const newest = transaction(RUNS).where({ repository_key }).orderBy('seq', 'desc')
      const next = newest.offset(RUNS_WITH_ITEMS).limit(1).select('seq')
      await transaction(RUNS).whereIn('seq', next).update({ items: '[]' })
    })
  }

  /** Newest first. */
  list<P extends Part>({ repository, id }: RunFilter, part: P): Promise<Listed<ConductorRun, P>> {
    const where = (query: Knex.QueryBuilder) => {
      if (repository !== undefined) void query.where({ repository_key: keyOf(repository) })
      if (id !== undefined) void query.whereRaw('substr(id, 1, ?) = ?', [id.length, id.toLowerCase()])
    }
    return this.#rows.listed({ where }, part)
  }

  /** Throws 404. */
  async get(id: string): Promise<ConductorRun> {
    return this.#rows.record(await this.#rows.get(id))
  }

  /** Latest run that was not interrupted, and whether it stored its record; null if there is none. */
  async lastEnded(repository: string): Promise<{ id: string; isRemembered: boolean } | null> {
    const which = { repository_key: keyOf(repository), status: ['done', 'stopped'] as const }
    const row = await this.#rows.find(which, this.#db, { order: ['seq'] })
    if (row === null) return null
    const { id, actions } = this.#rows.record(row)
    return { id, isRemembered: actions.some(({ action, outcome }) => action === 'remember' && outcome === 'done') }
  }

  /** Latest run of a repository, or of any if null. */
  async latest(repository: string | null): Promise<ConductorRun | null> {
    const page = await this.list(repository === null ? {} : { repository }, { limit: 1, offset: 0 })
    return page.items[0] ?? null
  }

  /** Deletes runs that ended before `before` (RFC 3339); returns their number. */
  async trim(before: string, signal: AbortSignal): Promise<number> {
    let deleted = 0
    for (let batch = BATCH; batch === BATCH && !signal.aborted; deleted += batch)
      batch = await write(this.#db, (transaction) => {
        const some = transaction(RUNS).where('ended_at', '<', before).orderBy('seq').limit(BATCH).select('seq')
        return transaction(RUNS).whereIn('seq', some).delete()
      })
    return deleted
  }
}
