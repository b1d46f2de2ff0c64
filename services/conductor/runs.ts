// Ended runs, kept for 90 days; a dry run is never stored.
import * as Type from 'typebox'
import { write, type Knex } from '../../platform/database/database.ts'
import type { World } from '../../platform/service/world.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import { table } from '../../platform/store/table.ts'
import { ConductorRun } from '../../schemas/conductor/run.ts'
import { RUNS } from './migrations.ts'

export const RUN_DAYS = 90
/** Rows per transaction; bounds how long requests wait. */
const PIECE = 50

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
    await this.#rows.insert({ ...run, repository_key: keyOf(run.repository) })
  }

  /** Newest first. */
  list({ repository }: { repository?: string | undefined }, part: Partial<PageLimits>): Promise<Page<ConductorRun>> {
    const where = repository === undefined ? {} : { repository_key: keyOf(repository) }
    return this.#rows.records({ where, ...part })
  }

  /** Throws 404. */
  async get(id: string): Promise<ConductorRun> {
    return this.#rows.record(await this.#rows.get(id))
  }

  /** Latest run that was not cut short; null if there is none. */
  async lastEnded(repository: string): Promise<ConductorRun | null> {
    const which = { repository_key: keyOf(repository), status: ['done', 'stopped'] as const }
    const row = await this.#rows.find(which, this.#db, { order: ['seq'] })
    return row && this.#rows.record(row)
  }

  /** Latest run of a repository, or of any if null. */
  async latest(repository: string | null): Promise<ConductorRun | null> {
    const page = await this.list(repository === null ? {} : { repository }, { limit: 1, offset: 0 })
    return page.items[0] ?? null
  }

  /** Deletes runs that ended before `before` (RFC 3339); returns their number. */
  async trim(before: string, signal: AbortSignal): Promise<number> {
    let deleted = 0
    for (let part = PIECE; part === PIECE && !signal.aborted; deleted += part)
      part = await write(this.#db, (transaction) => {
        const some = transaction(RUNS).where('ended_at', '<', before).orderBy('seq').limit(PIECE).select('seq')
        return transaction(RUNS).whereIn('seq', some).delete()
      })
    return deleted
  }
}
