import type { Actor } from '../../platform/core/actor.ts'
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { AuditEntry } from '../../platform/store/audit.ts'
import type { ChangeNotice } from '../../platform/store/change-log.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { Seen } from '../../platform/store/write-preconditions.ts'
import type { FileLines, FileQuery } from '../../schemas/code-index/file.ts'
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
  /** Throws 422 for a blank query, 404 for an unknown repository, 500 if embedding or the store fails. */
  search(request: SearchRequest): Promise<SearchReply>
  /** Throws 422 for an invalid expression, a time-out or a path that is not open to the caller; 500 if grep fails. */
  searchAgentic(request: AgenticRequest, by: Actor): Promise<AgenticReply>
  /** Throws 400 if `path` is not a directory, 409 if it is registered, 422 if it is closed. */
  create(input: RepositoryInput, by?: Actor, id?: string): Promise<Repository>
  list(part: Partial<PageLimits>): Promise<Page<Repository>>
  get(id: string): Promise<Repository>
  update(id: string, change: RepositoryUpdate, by?: Actor): Promise<Repository>
  delete(id: string, by?: Actor): Promise<void>
  status(id: string): Promise<RepositoryState>
  /** Throws 404 for an unknown repository or a missing file, 422 for a file that is closed or not indexed. */
  readFileLines(id: string, query: FileQuery): Promise<FileLines>
  reindex(id: string): Promise<void>

  readonly declared: DeclaredRepositories
}

export interface InspectedRepository {
  repository: Repository
  /** Incremented by every write and status change. */
  version: number
  progress: IndexProgress | null
}

export type RepositoryNotice = ChangeNotice<'repositories'>

export interface DeclaredRepositories {
  inspect(id: string): Promise<InspectedRepository>
  /** Names are not unique. */
  find(name: string): Promise<InspectedRepository[]>
  inspectAll(): Promise<InspectedRepository[]>
  /** Throws 400 if `path` is not a directory, 409 if it is registered, 422 if it is closed. */
  make(id: string, spec: RepositorySpec, by: Actor): Promise<void>
  /** Throws 409 `moved` if a field differs from `seen`. */
  assign(
    id: string,
    members: Partial<Omit<RepositorySpec, 'path'>>,
    options: { by: Actor; seen: Seen<RepositorySpec> | undefined },
  ): Promise<void>
  remove(id: string, by: Actor): Promise<void>
  /** Returns the last audit entry for `path`. */
  writer(id: string, path: string): Promise<AuditEntry | null>
  /** Calls back after every write and status change; with `since`, first for the changes after that cursor. */
  changes(listener: (change: RepositoryNotice) => void, since?: number | null): Unsubscribe
}
