import type { Actor } from '../../platform/core/actor.ts'
import { ChangeFeed, type Unsubscribe } from '../../platform/async/change-feed.ts'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'
import type { AuditEntry } from '../../platform/store/audit.ts'
import { listen, type LiveChange } from '../../platform/store/change-log.ts'
import type { Seen } from '../../platform/store/write-preconditions.ts'
import type { IndexProgress, Repository, RepositoryInput } from '../../schemas/code-index/repository.ts'
import type { RepositorySpec } from '../../schemas/repository.ts'
import type { DeclaredRepositories, InspectedRepository, RepositoryNotice } from './face.ts'
import type { Repositories, RepositoryRow } from './repositories.ts'

interface Parts {
  clock: Clock
  log: Log
  repositories: Repositories
  progress(id: string): IndexProgress | null
  create(input: RepositoryInput, by: Actor, id: string): Promise<Repository>
  delete(id: string, by: Actor): Promise<void>
  /** Publishes a change and queues the indexing. */
  applyChange(row: RepositoryRow, members: readonly string[]): void
}

export class RepositoryDeclarations implements DeclaredRepositories {
  readonly #parts: Parts
  readonly #feed: ChangeFeed<LiveChange<'repositories'>>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#feed = new ChangeFeed(parts.log)
  }

  async inspect(id: string): Promise<InspectedRepository> {
    return this.#inspected(await this.#parts.repositories.get(id))
  }

  async find(name: string): Promise<InspectedRepository[]> {
    return (await this.#parts.repositories.named(name)).map((row) => this.#inspected(row))
  }

  async inspectAll(): Promise<InspectedRepository[]> {
    return (await this.#parts.repositories.all()).map((row) => this.#inspected(row))
  }

  async make(id: string, { name, path, languages, ignore }: RepositorySpec, by: Actor): Promise<void> {
    await this.#parts.create({ name, path, ignore, ...(languages === null ? {} : { languages }) }, by, id)
  }

  async assign(
    id: string,
    members: Partial<Omit<RepositorySpec, 'path'>>,
    { by, seen }: { by: Actor; seen: Seen<RepositorySpec> | undefined },
  ): Promise<void> {
    const { row, changed } = await this.#parts.repositories.update(id, members, by, seen)
    this.#parts.applyChange(row, changed)
  }

  remove(id: string, by: Actor): Promise<void> {
    return this.#parts.delete(id, by)
  }

  writer(id: string, path: string): Promise<AuditEntry | null> {
    return this.#parts.repositories.audit.latest('repositories', id, path)
  }

  changes(listener: (change: RepositoryNotice) => void, since: number | null = null): Unsubscribe {
    const { clock, log, repositories } = this.#parts
    const parts = { feed: this.#feed, audit: repositories.audit, clock, log }
    return listen(parts, listener, { kinds: ['repositories'], since })
  }

  announce(id: string, name: string): void {
    this.#feed.publish({ kind: 'repositories', id, name })
  }

  #inspected(row: RepositoryRow): InspectedRepository {
    const { repositories, progress } = this.#parts
    return { repository: repositories.record(row), version: row.version, progress: progress(row.id) }
  }
}
