import type { Actor } from '../../platform/core/actor.ts'
import { background, type Background } from '../../platform/async/background.ts'
import { ClosedSet } from '../../platform/files/closed-set.ts'
import { counter, gauge } from '../../platform/metrics/metrics.ts'
import { notFound } from '../../platform/core/problem.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import type { World } from '../../platform/service/world.ts'
import { indexOperations } from '../../schemas/operations/code-index.ts'
import type { Repository } from '../../schemas/code-index/repository.ts'
import type { AgenticReply, AgenticRequest, SearchReply, SearchRequest } from '../../schemas/code-index/search.ts'
import type { CodeIndex } from './face.ts'
import { readFileLines } from './file-requests.ts'
import { IndexWorkers } from './index-workers.ts'
import { Indexing } from './indexing.ts'
import { migrations } from './migrations.ts'
import { Repositories, type RepositoryRow } from './repositories.ts'
import { RepositoryDeclarations } from './repository-declarations.ts'
import { ownDirectories, reachOf, type DirectoriesOf } from './search-reach.ts'
import { search, searchByExpression } from './search-requests.ts'
import { settings, workingDirectory } from './settings.ts'

export interface IndexParts {
  /** Path of the worker program, next to the grep program. */
  program: string
  /** Path of the builtin weights. */
  weights: string
  directoriesOf: DirectoriesOf
}

export const index = defineService({
  operations: indexOperations,
  settings,
  migrations,
  open: (world: World<typeof settings>, parts: IndexParts): CodeIndex & Opened => new IndexService(world, parts),
})

class IndexService implements CodeIndex, Opened {
  readonly #world: World<typeof settings>
  readonly #closed: ClosedSet
  readonly #directoriesOf: DirectoriesOf
  readonly #repositories: Repositories
  readonly #workers: IndexWorkers
  readonly #indexing: Indexing
  readonly declared: RepositoryDeclarations
  readonly #searches: Record<string, number> = { vector: 0, hybrid: 0, keyword: 0, agentic: 0 }
  readonly #reranks = { done: 0, skipped: 0 }
  #watching: Background | null = null

  constructor(world: World<typeof settings>, parts: IndexParts) {
    this.#world = world
    this.#directoriesOf = parts.directoriesOf
    this.#closed = new ClosedSet(world.config)
    this.#repositories = new Repositories({ ...world, closed: this.#closed })
    this.#workers = new IndexWorkers(world, parts)
    this.#indexing = new Indexing(world, {
      repositories: this.#repositories,
      closed: this.#closed,
      workers: this.#workers,
      announce: ({ id, name }) => this.declared.announce(id, name),
    })
    this.declared = new RepositoryDeclarations({
      clock: world.clock,
      log: world.log,
      repositories: this.#repositories,
      progress: (id) => this.#indexing.progress(id),
      create: (input, by, id) => this.create(input, by, id),
      delete: (id, by) => this.delete(id, by),
      applyChange: (row, members) => this.#applyChange(row, members),
    })
  }

  readonly metrics = [
    gauge('svc_index_repositories', 'Registered repositories', () => this.#repositories.counts(), 'status'),
    gauge('svc_index_chunks', 'Searchable chunks', () => this.#indexing.chunks),
    gauge('svc_index_stores', 'Searchable repositories by store', () => this.#indexing.stores, 'store'),
    gauge('svc_index_files_remaining', 'Files left in the current runs', () => this.#indexing.remaining),
    counter('svc_index_embedded_total', 'Passages embedded since start', () => this.#indexing.embedded),
    counter('svc_index_summaries_total', 'Chunks sent for a summary', () => this.#indexing.summaries.counts, 'outcome'),
    counter('svc_index_reranks_total', 'Searches reranked by a model', () => this.#reranks, 'outcome'),
    counter('svc_index_runs_total', 'Indexing runs since start', () => this.#indexing.outcomes, 'outcome'),
    counter('svc_index_searches_total', 'Searches since start', () => this.#searches, 'mode'),
  ]

  async start(): Promise<void> {
    const { clock, log, settings: values } = this.#world
    await this.#indexing.resume()
    this.#watching = background({
      clock,
      log,
      name: 'file scan',
      everyMs: values.watchInterval * 1000,
      longestMs: values.watchInterval * 1000,
      work: (signal) => this.#indexing.look(signal),
    })
  }

  async stop(): Promise<void> {
    // An interrupted run has not been committed; it is repeated at the next start.
    await this.#workers.stop()
    await this.#watching?.stop()
    await this.#indexing.drained()
  }

  async health(): Promise<Record<string, unknown>> {
    return { repositories: await this.#repositories.counts() }
  }

  async search(request: SearchRequest): Promise<SearchReply> {
    this.#searches[request.search_mode ?? 'vector']!++
    const all = await this.#repositories.all()
    const among = all
      .filter(({ id }) => request.repo_id === undefined || id === request.repo_id)
      .map(({ id, root }) => ({ repoId: id, root }))
    if (request.repo_id !== undefined && among.length === 0) throw notFound('repository', request.repo_id)
    const { clock, log } = this.#world
    return search(request, among, { workers: this.#workers, clock, log, reranks: this.#reranks })
  }

  async searchAgentic(request: AgenticRequest, by: Actor): Promise<AgenticReply> {
    this.#searches.agentic!++
    const { clock, settings: values, config } = this.#world
    const reach = await reachOf(by, {
      closed: this.#closed,
      ...workingDirectory(values, config),
      repositories: await this.#repositories.all(),
      directoriesOf: this.#directoriesOf,
    })
    return searchByExpression(request, { clock, values, workers: this.#workers, reach })
  }

  async create(input: Parameters<CodeIndex['create']>[0], by?: Actor, id = this.#world.ids()): Promise<Repository> {
    const own = by && (await ownDirectories(by, this.#directoriesOf))
    const row = await this.#repositories.create(input, by, { id, own })
    this.declared.announce(id, row.name)
    this.#indexing.want(id, { anew: false })
    return this.#repositories.record(row)
  }

  readonly list: CodeIndex['list'] = (part) => this.#repositories.page(part)
  readonly get: CodeIndex['get'] = async (id) => this.#repositories.record(await this.#repositories.get(id))

  readonly update: CodeIndex['update'] = async (id, change, by) => {
    const { row, changed } = await this.#repositories.update(id, change, by)
    this.#applyChange(row, changed)
    return this.#repositories.record(row)
  }

  readonly delete: CodeIndex['delete'] = async (id, by) => {
    const { name } = await this.#repositories.delete(id, by)
    await this.#indexing.forget(id)
    this.declared.announce(id, name)
  }

  readonly status: CodeIndex['status'] = async (id) => {
    const { status, last_indexed, error_message, model } = await this.#repositories.get(id)
    const store = this.#indexing.store(id)
    return { id, status, last_indexed, error_message, model, store, progress: this.#indexing.progress(id) }
  }

  readonly readFileLines: CodeIndex['readFileLines'] = async (id, query) => {
    const { settings: values } = this.#world
    return readFileLines(await this.#repositories.get(id), query, {
      closed: this.#closed,
      values,
      workers: this.#workers,
    })
  }

  readonly reindex: CodeIndex['reindex'] = async (id) => {
    const { name } = await this.#repositories.get(id)
    await this.#repositories.note(id, { status: 'pending' })
    this.declared.announce(id, name)
    this.#indexing.want(id, { anew: true })
  }

  #applyChange(row: RepositoryRow, members: readonly string[]): void {
    if (members.length > 0) this.declared.announce(row.id, row.name)
    if (row.status === 'pending') this.#indexing.want(row.id, { anew: false })
  }
}
