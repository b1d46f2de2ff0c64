import { outside } from '../../platform/async/detached.ts'
import type { Background } from '../../platform/async/background.ts'
import { conflict, Problem, unavailable } from '../../platform/core/problem.ts'
import { ForgeLimit } from '../../platform/forge/forge.ts'
import { forgeToken, withTrimmedTokens } from '../../platform/forge/token.ts'
import { counter } from '../../platform/metrics/metrics.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import type { World } from '../../platform/service/world.ts'
import type { ChangeSource } from '../../platform/store/change-triggers.ts'
import { retention } from '../../platform/store/retention.ts'
import type { LabelReply, LabelRequest } from '../../schemas/conductor/request.ts'
import type { ConductorRun } from '../../schemas/conductor/run.ts'
import { conductorOperations } from '../../schemas/operations/conductor.ts'
import { openConductorGit } from './clone/conductor-git.ts'
import { faultCode } from './execution/problems.ts'
import { performRun } from './execution/run.ts'
import type { Conductor } from './face.ts'
import { openForgeRepository } from './snapshot/forge-repository.ts'
import type { ForgeRepository } from './forge.ts'
import type { ConductorGit } from './git.ts'
import { migrations } from './migrations.ts'
import { mergeRulesOf } from './merge-rules.ts'
import { keyOf, RUN_DAYS, Runs } from './runs.ts'
import { RunCounts } from './run-counts.ts'
import { settings } from './settings.ts'
import { RunQueue } from './run-queue.ts'

export interface ConductorParts {
  /** Replaces the forge of the settings in tests. */
  forge?(repository: string): ForgeRepository
  /** Replaces the clone in tests. */
  git?(repository: string): ConductorGit
}

export const conductor = defineService({
  operations: conductorOperations,
  settings,
  migrations,
  open: (world: World<typeof settings>, parts: ConductorParts): Conductor & Opened =>
    new ConductorService(world, parts),
})

class ConductorService implements Conductor, Opened {
  readonly #world: World<typeof settings>
  readonly #parts: ConductorParts
  readonly #runs: Runs
  readonly #queue: RunQueue<ConductorRun>
  readonly #counts = new RunCounts()
  readonly #stopped = new AbortController()
  readonly #token: string | null
  /** Outlasts a run: the next one must not spend requests that are refused. */
  readonly #limit = new ForgeLimit()
  /** By repository. */
  readonly #dryRuns = new Map<string, Promise<ConductorRun>>()
  #trimming: Background | null = null

  constructor(world: World<typeof settings>, parts: ConductorParts) {
    this.#world = world
    this.#parts = parts
    this.#token = forgeToken(world.config.env)
    this.#runs = new Runs(world)
    this.#queue = new RunQueue(world, (repository, signal) => this.#runAndKeep(repository, signal))
  }

  readonly inboxSources: readonly ChangeSource[] = [
    { table: 'conductor_runs', topic: 'inbox', kind: 'gates', id: ['repository'], events: ['INSERT'] },
  ]

  readonly metrics = [
    counter('svc_conductor_runs_total', 'Ended runs since start, without dry runs', () => this.#counts.runs, 'status'),
    counter(
      'svc_conductor_actions_total',
      'Actions carried out since start, by name',
      () => this.#counts.actions,
      'action',
    ),
  ]

  async start(): Promise<void> {
    const { clock, log } = this.#world
    const trim = (before: string, signal: AbortSignal) => this.#runs.trim(before, signal)
    this.#trimming = retention({ clock, log, name: 'run trim', days: RUN_DAYS, trim })
  }

  /** A run that is interrupted is finished by the next one. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await Promise.all([this.#trimming?.stop(), this.#queue.stop()])
  }

  async health(): Promise<Record<string, unknown>> {
    const { repository } = this.#world.settings
    // A request for another repository, such as a misspelt one, says nothing about this one.
    const last = await this.#runs.latest(repository)
    return {
      repository,
      last_run: last && summaryOf(last),
      ...(last === null || last.health === 'ok' ? {} : { status: 'degraded', reason: reasonOf(last) }),
    }
  }

  readonly run: Conductor['run'] = async ({ repository: given, dry_run: isDry = false }) => {
    const repository = this.#repositoryOf(given)
    // Not as the caller: the conductor posts and remembers under its own name.
    return outside(() => (isDry ? this.#sharedDryRun(repository) : this.#queue.request(repository)))
  }

  readonly isConfigured: Conductor['isConfigured'] = (repository) => {
    const { repository: configured } = this.#world.settings
    return repository === undefined || (configured !== null && keyOf(repository) === keyOf(configured))
  }

  #sharedDryRun(repository: string): Promise<ConductorRun> {
    const key = keyOf(repository)
    const running = this.#dryRuns.get(key) ?? this.#dryRun(repository).finally(() => this.#dryRuns.delete(key))
    this.#dryRuns.set(key, running)
    return running
  }

  #dryRun(repository: string): Promise<ConductorRun> {
    return this.#perform(repository, this.#stopped.signal, true)
  }

  readonly list: Conductor['list'] = (filter, part) => this.#runs.list(filter, part)

  readonly get: Conductor['get'] = (id) => this.#runs.get(id)

  readonly addLabel: Conductor['addLabel'] = async (number, request) => {
    const repository = this.#repositoryOf(request.repository)
    const rules = request.if_eligible === true ? await this.#requireEligible(repository, number) : null
    const outcome = await this.#writeLabel(repository, number, request)
    return { repository, number, label: request.add, outcome, rules }
  }

  /** Throws 409 unless every rule but `label` holds. */
  async #requireEligible(repository: string, number: number): Promise<LabelReply['rules']> {
    // Not a shared one: that may have read the forge before what led to this request.
    const run = await outside(() => this.#dryRun(repository))
    const cause = run.waiting_for ? `${run.waiting_for.holder_name} holds a lock` : run.problems[0]?.detail
    if (run.status === 'failed' || run.status === 'deferred')
      throw unavailable(`the pull requests of ${repository} cannot be judged: ${cause}; retry later`)
    return mergeRulesOf(run, number)
  }

  async #writeLabel(repository: string, number: number, { add }: LabelRequest): Promise<LabelReply['outcome']> {
    try {
      return await this.#forgeOf(repository).addLabel(number, add, this.#stopped.signal)
    } catch (error) {
      const code = faultCode(error)
      if (code === null) throw error
      const detail = `label ${add} was not added to ${repository}#${number}: ${(error as Error).message}`
      throw code === 'forge-refused' ? conflict(detail) : unavailable(detail)
    }
  }

  async #runAndKeep(repository: string, signal: AbortSignal): Promise<ConductorRun> {
    const run = await this.#perform(repository, signal, false)
    this.#counts.add(run)
    this.#world.log.info({ run: run.id, repository, status: run.status, health: run.health }, 'conductor run ended')
    // A deferred run has done nothing, and the health is still that of the run before.
    if (run.status !== 'deferred') await this.#runs.keep(run)
    return run
  }

  async #perform(repository: string, signal: AbortSignal, isDry: boolean): Promise<ConductorRun> {
    const { mention } = this.#world.settings
    const forge = this.#forgeOf(repository)
    try {
      return await performRun({
        world: this.#world,
        repository,
        isDry,
        mention,
        forge,
        git: this.#gitOf(repository, forge),
        lastEnded: () => this.#runs.lastEnded(repository),
        signal,
      })
    } catch (error) {
      throw signal.aborted && !(error instanceof Problem) ? interruption(this.#stopped.signal) : error
    }
  }

  #repositoryOf(given: string | undefined): string {
    const repository = given ?? this.#world.settings.repository
    if (repository !== null) return repository
    throw conflict(
      'no repository: name one in the request, or set SVC_CONDUCTOR_REPOSITORY to owner/name and restart the daemon',
      'conductor-unconfigured',
    )
  }

  #forgeOf(repository: string): ForgeRepository {
    if (this.#parts.forge) return this.#parts.forge(repository)
    const { clock, settings } = this.#world
    const { forgeApiUrl: url, pipelineBase, reviewers } = settings
    return openForgeRepository({
      repository,
      url,
      token: this.#token,
      limit: this.#limit,
      pipelineBase,
      reviewers,
      clock,
    })
  }

  #gitOf(repository: string, forge: ForgeRepository): ConductorGit {
    if (this.#parts.git) return this.#parts.git(repository)
    const { config, settings } = this.#world
    const [owner, name] = repository.split('/') as [string, string]
    return openConductorGit({
      owner,
      name,
      remote: settings.remote ?? '',
      cloneUrl: (signal) => forge.cloneUrl(signal),
      dataDir: config.dataDir,
      home: config.home,
      env: withTrimmedTokens(config.env),
    })
  }
}

const summaryOf = ({ id, repository, status, health, ended_at }: ConductorRun) => ({
  id,
  repository,
  status,
  health,
  ended_at,
})

function reasonOf({ id, repository, status, health, stopped, problems }: ConductorRun): string {
  const why = stopped?.reason ?? problems[0]?.detail
  return `run ${id} of ${repository} is ${status} and ${health}${why === undefined ? '' : `: ${why}`}`
}

const interruption = (stopped: AbortSignal): Problem =>
  stopped.aborted
    ? unavailable('the daemon is stopping; the next run continues', 'stopping')
    : unavailable('another daemon has taken over the run: retry', 'lease-lost')
