import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import * as Type from 'typebox'
import type { Actor } from '../../platform/core/actor.ts'
import { timestamp } from '../../platform/core/clock.ts'
import { write, type Knex } from '../../platform/database/database.ts'
import { conflict, invalid } from '../../platform/core/problem.ts'
import type { World } from '../../platform/service/world.ts'
import { changedFields, Audit } from '../../platform/store/audit.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { ClosedSet } from '../../platform/files/closed-set.ts'
import { refuseMoved, type Seen } from '../../platform/store/write-preconditions.ts'
import { table, type RowIn } from '../../platform/store/table.ts'
import {
  Repository,
  REPOSITORY_STATUSES,
  type RepositoryInput,
  type RepositoryUpdate,
} from '../../schemas/code-index/repository.ts'
import { sortedSet } from '../../schemas/members.ts'
import type { RepositorySpec } from '../../schemas/repository.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])

type RepositoryWorld = Pick<World, 'db' | 'vault' | 'clock' | 'guards'> & { closed: ClosedSet }

const rowsOf = (world: Pick<World, 'db' | 'vault'>) =>
  table(world, 'index_repositories', Repository, {
    what: 'repository',
    versioned: true,
    private: { root: Type.String(), model: nullableText, version: Type.Integer() },
    defaults: { version: 0 },
  })
export type RepositoryRow = RowIn<ReturnType<typeof rowsOf>>

/** Undefined for the service itself, whose writes are not audited. */
type By = Actor | undefined

export class Repositories {
  readonly #world: RepositoryWorld
  readonly #rows: ReturnType<typeof rowsOf>
  readonly audit: Audit

  constructor(world: RepositoryWorld) {
    this.#world = world
    this.#rows = rowsOf(world)
    this.audit = new Audit({ db: world.db, clock: world.clock, prefix: 'index', guards: world.guards })
  }

  record(row: RepositoryRow): Repository {
    return this.#rows.record(row)
  }

  /** `own`: folders of the data directory that the caller may use; undefined: those of every agent. */
  async create(
    { name, path, languages, ignore }: RepositoryInput,
    by: By,
    { id, own }: { id: string; own: readonly string[] | undefined },
  ): Promise<RepositoryRow> {
    const root = await directoryAt(path)
    this.#world.closed.refuse('path', path, { real: root, own })
    const at = timestamp(this.#world.clock)
    return write(this.#world.db, async (transaction) => {
      const taken = await this.#rows.find({ root }, transaction)
      if (taken) throw conflict(`${path} is registered as repository ${taken.name} (${taken.id})`, 'name-taken')
      const row = await this.#rows.insert(
        {
          id,
          name,
          path: resolve(path),
          root,
          status: 'pending',
          languages: languages ?? null,
          ignore: ignore ?? [],
          created_at: at,
          updated_at: at,
        },
        transaction,
      )
      if (by) await this.audit.record(transaction, 'repositories', id, [''], by)
      return row
    })
  }

  page(part: Partial<PageLimits>): Promise<Page<Repository>> {
    return this.#rows.listed({}, part)
  }

  all(): Promise<RepositoryRow[]> {
    return this.#rows.list()
  }

  get(id: string, on?: Knex): Promise<RepositoryRow> {
    return this.#rows.get(id, on)
  }

  find(id: string): Promise<RepositoryRow | null> {
    return this.#rows.find(id)
  }

  /** Names are not unique. */
  named(name: string): Promise<RepositoryRow[]> {
    return this.#rows.list({ where: { name } })
  }

  /** Returns the changed fields. Throws 409 `moved` if a field differs from `seen`. */
  async update(
    id: string,
    change: RepositoryUpdate,
    by: By,
    seen?: Seen<RepositorySpec>,
  ): Promise<{ row: RepositoryRow; changed: string[] }> {
    return write(this.#world.db, async (transaction) => {
      const before = await this.#rows.get(id, transaction)
      refuseMoved<RepositorySpec>(`repository ${before.name}`, specOf(before), seen)
      const row = { ...before, ...withoutUndefined(change) }
      const changed = changedFields(this.#rows.record(before), this.#rows.record(row))
      const isIndexed = changed.some((member) => member !== 'name')
      const patch = {
        name: row.name,
        languages: row.languages,
        ignore: row.ignore,
        status: isIndexed ? ('pending' as const) : row.status,
        updated_at: timestamp(this.#world.clock),
      }
      if (changed.length > 0) await this.#rows.update(id, patch, transaction)
      if (by) await this.audit.record(transaction, 'repositories', id, changed, by)
      return { row: changed.length > 0 ? { ...row, ...patch } : before, changed }
    })
  }

  async delete(id: string, by: By): Promise<RepositoryRow> {
    return write(this.#world.db, async (transaction) => {
      const row = await this.#rows.get(id, transaction)
      await this.#rows.delete(id, transaction)
      if (by) await this.audit.record(transaction, 'repositories', id, [''], by)
      return row
    })
  }

  /** Returns false if the repository was removed meanwhile. */
  async note(
    id: string,
    noted: Partial<Pick<RepositoryRow, 'status' | 'error_message' | 'last_indexed' | 'model'>>,
  ): Promise<boolean> {
    return (await this.#rows.update(id, { ...noted, updated_at: timestamp(this.#world.clock) })) > 0
  }

  async counts(): Promise<Record<string, number>> {
    const counts = Object.fromEntries(REPOSITORY_STATUSES.map((status) => [status, 0]))
    for (const { status } of await this.all()) counts[status]!++
    return counts
  }
}

const specOf = ({ name, path, languages, ignore, version }: RepositoryRow): RepositorySpec & { version: number } => ({
  name,
  path,
  languages: languages && sortedSet(languages),
  ignore,
  version,
})

const withoutUndefined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T

/** Resolves links. Throws 400 unless the path is a directory. */
async function directoryAt(path: string): Promise<string> {
  const refuse = (what: string) => {
    const message = `${what}: use the absolute path of a directory`
    return invalid(`path ${message}`, [{ path: 'path', message, code: 'invalid-value' }])
  }
  if (!isAbsolute(path)) throw refuse(`${JSON.stringify(path)} is relative`)
  const root = await realpath(path).catch(() => null)
  const found = root === null ? null : await stat(root).catch(() => null)
  if (root === null || !found?.isDirectory()) throw refuse(`${path} ${found ? 'is not a directory' : 'does not exist'}`)
  return root
}
