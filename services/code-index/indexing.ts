import { SerialQueue } from '../../platform/async/serial-queue.ts'
import { timestamp } from '../../platform/core/clock.ts'
import type { ClosedSet } from '../../platform/files/closed-set.ts'
import type { World } from '../../platform/service/world.ts'
import type { IndexProgress } from '../../schemas/code-index/repository.ts'
import type { IndexJob, IndexOutcome, Progress } from './engine/indexer.ts'
import { faultyFilesNote } from './faulty-files.ts'
import { WorkerFailure } from './workers/rpc.ts'
import type { IndexWorkers } from './index-workers.ts'
import type { Repositories, RepositoryRow } from './repositories.ts'
import { SummaryQueue } from './summary-queue.ts'
import { embeddingOf, indexedFiles, type settings } from './settings.ts'
import type { StoreKind } from './store/port.ts'

type IndexingWorld = Pick<World<typeof settings>, 'clock' | 'log' | 'config' | 'settings'>

interface Parts {
  repositories: Repositories
  closed: ClosedSet
  workers: IndexWorkers
  announce(row: RepositoryRow): void
}

interface Run {
  began: number
  progress: Progress | null
  /** The write of status `indexing`; awaited when the run ends. */
  noted: Promise<void> | null
}

export class Indexing {
  readonly #world: IndexingWorld
  readonly #parts: Parts
  readonly #queue = new SerialQueue()
  /** Ids of queued repositories; true for a full reindex. */
  readonly #wanted = new Map<string, boolean>()
  #running: string | null = null
  /** Ids of repositories that scans leave out, because their last run was stopped. */
  readonly #stopped = new Set<string>()
  #resumed: Promise<unknown> = Promise.resolve()
  readonly #runs = new Map<string, Run>()
  readonly #done = new Map<string, { files: number; chunks: number; store: StoreKind; note: string | null }>()
  /** The last logged reason, to log it only once. */
  #reportedReason: string | null = null
  readonly outcomes = { indexed: 0, unchanged: 0, failed: 0 }
  readonly summaries: SummaryQueue
  embedded = 0

  constructor(world: IndexingWorld, parts: Parts) {
    this.#world = world
    this.#parts = parts
    this.summaries = new SummaryQueue(world.log, parts.workers)
  }

  get chunks(): number {
    return [...this.#done.values()].reduce((sum, { chunks }) => sum + chunks, 0)
  }

  get remaining(): number {
    const left = [...this.#runs.values()].map(({ progress }) => (progress ? progress.files_total - progress.files : 0))
    return left.reduce((sum, each) => sum + each, 0)
  }

  /** Loads existing indexes after a start and resumes interrupted runs. */
  async resume(): Promise<void> {
    const rows = await this.#parts.repositories.all()
    const taken = rows.map(async (row) => {
      const { id } = row
      try {
        const isThere = await this.#isLoaded(row)
        // An unreadable index is rebuilt by its queued run; until then the repository is not ready.
        if (!isThere && row.status === 'ready') await this.#parts.repositories.note(id, { status: 'pending' })
        if (isThere) this.summaries.want(row)
        this.want(id, { anew: false })
      } catch (error) {
        await this.#recordFailure(id, error)
      }
    })
    this.#resumed = Promise.all(taken)
  }

  /** Queues every repository whose last run was not stopped; resolves when all changes are indexed. */
  async look(signal: AbortSignal): Promise<void> {
    for (const { id } of await this.#parts.repositories.all())
      if (!signal.aborted && id !== this.#running && !this.#stopped.has(id)) this.want(id, { anew: false })
    await this.#queue.drained()
  }

  want(id: string, { anew }: { anew: boolean }): void {
    const waits = this.#wanted.has(id)
    this.#wanted.set(id, anew || this.#wanted.get(id) === true)
    if (!waits) void this.#queue.run(() => this.#runTurn(id)).catch((error) => this.#recordFailure(id, error))
  }

  async forget(id: string): Promise<void> {
    this.#stopped.delete(id)
    this.#done.delete(id)
    if (this.#parts.workers.searching.running)
      await this.#parts.workers.searching.call('unload', id).catch(() => undefined)
  }

  async drained(): Promise<void> {
    await this.#resumed
    await this.#queue.drained()
    await this.summaries.drained()
  }

  /** Null if no index is loaded. */
  store(id: string): StoreKind | null {
    return this.#done.get(id)?.store ?? null
  }

  get stores(): Record<StoreKind, number> {
    const counts: Record<StoreKind, number> = { files: 0, lancedb: 0 }
    for (const { store } of this.#done.values()) counts[store]++
    return counts
  }

  progress(id: string): IndexProgress | null {
    const run = this.#runs.get(id)
    if (!run?.progress) {
      const done = this.#done.get(id)
      if (!done) return null
      const { files, chunks } = done
      return { files, files_total: files, chunks, chunks_per_second: null, remaining_secs: null }
    }
    const { files, files_total, chunks } = run.progress
    const secs = (this.#world.clock.monotonic() - run.began) / 1000
    const isKnown = files > 0 && secs > 0
    return {
      files,
      files_total,
      chunks,
      chunks_per_second: isKnown ? Math.round(chunks / secs) : null,
      remaining_secs: isKnown ? Math.round(((files_total - files) * secs) / files) : null,
    }
  }

  async #runTurn(id: string): Promise<void> {
    const anew = this.#wanted.get(id) ?? false
    this.#wanted.delete(id)
    this.#stopped.delete(id)
    this.#running = id
    try {
      const row = await this.#parts.repositories.find(id)
      if (!row) return
      const outcome = await this.#index(row, anew)
      this.outcomes[outcome.about ? 'indexed' : 'unchanged']++
    } catch (error) {
      await this.#recordFailure(id, error)
    } finally {
      await this.#runs.get(id)?.noted?.catch(() => undefined)
      this.#runs.delete(id)
      this.#running = null
    }
  }

  async #index(row: RepositoryRow, anew: boolean): Promise<IndexOutcome> {
    const { repositories, workers, announce } = this.#parts
    const { clock, log } = this.#world
    const run: Run = { began: clock.monotonic(), progress: null, noted: null }
    this.#runs.set(row.id, run)
    const noteBegun = () => {
      run.noted ??= this.#note(row, 'indexing')
      // Prevents an unhandled rejection until the await below.
      run.noted.catch(() => undefined)
    }
    // A pending repository certainly has work; otherwise the status changes with the first file.
    if (row.status === 'pending') noteBegun()
    const note = (progress: Progress) => {
      run.progress = progress
      noteBegun()
    }
    const ask = async (how: Pick<IndexJob, 'anew' | 'distrusted'>) => {
      const deadlineMs = this.#world.settings.timeoutSecs * 1000
      const asked = await workers.indexing
        .call('index', this.#job(row, how), { note, deadlineMs })
        .catch((error: unknown) => {
          throw this.#stoppedRun(row, error)
        })
      this.embedded += asked.embedded
      return asked
    }
    let outcome = await ask({ anew, distrusted: false })
    const isRead = outcome.about !== null || !this.#done.has(row.id)
    if (isRead && !(await this.#isLoaded(row))) {
      outcome = await ask({ anew: true, distrusted: true })
      if (!(await this.#load(row))) throw new Error('the new index is unreadable: check the free disk space')
    }
    await run.noted
    if (outcome.instead !== null) log.warn({ repository: row.name }, outcome.instead)
    await workers.indexing.call('tidy', row.root)
    if (outcome.about !== null) this.summaries.want(row)
    const wasWell = row.status === 'ready' && run.noted === null
    if (!wasWell) {
      const last = outcome.about ? { last_indexed: timestamp(clock) } : {}
      // Requested again meanwhile: pending until that run ends.
      const status = this.#wanted.has(row.id) ? 'pending' : 'ready'
      const faulty = this.#done.get(row.id)?.note ?? null
      if (faulty !== null && faulty !== row.error_message) log.warn({ repository: row.name }, faulty)
      await repositories.note(row.id, { status, error_message: faulty, ...last })
      announce(row)
    }
    return outcome
  }

  /** Explains the failure of a run that was stopped; returns other errors as they are. */
  #stoppedRun({ id }: RepositoryRow, error: unknown): unknown {
    if (!(error instanceof WorkerFailure) || error.kind !== 'Late') return error
    this.#stopped.add(id)
    const progress = this.#runs.get(id)?.progress
    const where = progress ? `after ${progress.files} of ${progress.files_total} files` : 'before its first file'
    const { timeoutSecs } = this.#world.settings
    return new Error(
      `indexing made no progress for ${timeoutSecs} s ${where} and was stopped: exclude files with "ignore" of the repository, or raise SVC_INDEX_TIMEOUT_SECS, then reindex it`,
    )
  }

  #job(row: RepositoryRow, how: Pick<IndexJob, 'anew' | 'distrusted'>): IndexJob {
    const { settings: values, config } = this.#world
    const { closed } = this.#parts
    const { root } = row
    closed.refuse('path', root, { real: root })
    return {
      root,
      hidden: closed.hiddenIn(root),
      ...how,
      ...indexedFiles(row, values),
      embedding: embeddingOf(values, config, this.#parts.workers.weights),
    }
  }

  /** False if the index is missing, unreadable or inconsistent. */
  async #isLoaded(row: RepositoryRow): Promise<boolean> {
    return this.#load(row).catch((error: unknown) => {
      if (error instanceof WorkerFailure && error.kind === 'Stopped') throw error
      this.#world.log.warn({ repository: row.name, error: (error as Error).message }, 'rebuilding index')
      return false
    })
  }

  async #load({ id, root }: RepositoryRow): Promise<boolean> {
    const loaded = await this.#parts.workers.searching.call('load', { repoId: id, root })
    if (!loaded) return false
    const { files, rows, store, faulty } = loaded
    this.#done.set(id, { files, chunks: rows.symbol, store, note: faultyFilesNote(faulty) })
    if (loaded.instead !== this.#reportedReason && loaded.instead !== null) this.#world.log.warn({}, loaded.instead)
    this.#reportedReason = loaded.instead
    const { provider, model } = loaded.model
    // The repository was removed meanwhile.
    if (!(await this.#parts.repositories.note(id, { model: `${provider}/${model}` }))) await this.forget(id)
    return true
  }

  async #note(row: RepositoryRow, status: 'indexing'): Promise<void> {
    await this.#parts.repositories.note(row.id, { status })
    this.#parts.announce(row)
  }

  async #recordFailure(id: string, error: unknown): Promise<void> {
    if (error instanceof WorkerFailure && error.kind === 'Stopped') return
    const { message } = error as Error
    this.outcomes.failed++
    this.#world.log.warn({ repository: id, error: message }, 'failed to index repository')
    const { repositories, announce } = this.#parts
    await repositories.note(id, { status: 'error', error_message: message }).catch(() => undefined)
    const row = await repositories.find(id).catch(() => null)
    if (row) announce(row)
  }
}
