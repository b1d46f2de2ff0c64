// The face of the code index: what its routes and the controller may ask of it.
import type { Actor } from '../../platform/core/actor.ts'
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { AuditEntry } from '../../platform/store/audit.ts'
import type { ToldChange } from '../../platform/store/change-log.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { Seen } from '../../platform/store/write-preconditions.ts'
import type {
  IndexProgress,
  Repository,
  RepositoryInput,
  RepositoryState,
  RepositoryUpdate,
} from '../../schemas/code-index/repository.ts'
import type { RepositorySpec } from '../../schemas/repository.ts'
import type { AgenticReply, AgenticRequest, SearchReply, SearchRequest } from '../../schemas/code-index/search.ts'

export interface CodeIndex {
  /** Throws 422 for a blank query, 404 for an unknown repository, 500 where embedding or the store fails. */
  search(request: SearchRequest): Promise<SearchReply>
  /** Throws 422 for a blank or invalid expression, one that takes too long, and a path outside; 500 without grep. */
  searchAgentic(request: AgenticRequest): Promise<AgenticReply>
  /** Throws 400 for a path that is no directory, 409 for one that is registered. */
  create(input: RepositoryInput, by?: Actor, id?: string): Promise<Repository>
  list(part: Partial<PageLimits>): Promise<Page<Repository>>
  get(id: string): Promise<Repository>
  update(id: string, change: RepositoryUpdate, by?: Actor): Promise<Repository>
  delete(id: string, by?: Actor): Promise<void>
  status(id: string): Promise<RepositoryState>
  reindex(id: string): Promise<void>

  readonly declared: DeclaredRepositories
}

/** A repository as it is at one moment. */
export interface InspectedRepository {
  repository: Repository
  /** Counts every write to it, and every status it came to. */
  version: number
  progress: IndexProgress | null
}

export type ToldRepository = ToldChange<'repositories'>

/** Repositories as manifests declare them: for the reconciler, in the name of `by`. */
export interface DeclaredRepositories {
  /** Throws 404. */
  inspect(id: string): Promise<InspectedRepository>
  /** All of that name. */
  find(name: string): Promise<InspectedRepository[]>
  inspectAll(): Promise<InspectedRepository[]>
  /** Throws 400 for a path that is no directory, 409 for one that is registered. */
  make(id: string, spec: RepositorySpec, by: Actor): Promise<void>
  /** Gives members other values; 409 `moved` where one is not as it was seen. */
  assign(
    id: string,
    members: Partial<Omit<RepositorySpec, 'path'>>,
    options: { by: Actor; seen: Seen<RepositorySpec> | undefined },
  ): Promise<void>
  /** Throws 404. */
  remove(id: string, by: Actor): Promise<void>
  /** Who last wrote `path` of a repository. */
  writer(id: string, path: string): Promise<AuditEntry | null>
  /** Called after every write, and when one came to another status; with a cursor, first for what was written after it. */
  changes(listener: (change: ToldRepository) => void, since?: number | null): Unsubscribe
}
