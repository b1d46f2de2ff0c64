// A rollback applies the revision of a past run and holds it until a newer one arrives.
import type { Actor } from '../../../platform/core/actor.ts'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { conflict, type Problem } from '../../../platform/core/problem.ts'
import type { Plan } from '../../../schemas/plan.ts'
import type { SourceHold } from '../../../schemas/source.ts'
import type { RollbackAsked } from '../../face.ts'
import type { PassOptions } from '../../planning/preview.ts'
import type { RemoteReading } from '../../reading/desired-state.ts'
import type { DesiredStates } from '../sources/desired-states.ts'
import type { Passes } from './passes.ts'
import type { Planner } from './planner.ts'
import type { Runs } from '../runs/run-records.ts'
import type { Sources } from '../sources/sources.ts'
import { suspendedProblem, refuseUnreadable, type SourceState } from '../sources/source-state.ts'

interface Parts {
  clock: Clock
  log: Log
  sources: Sources
  runs: Runs
  desired: DesiredStates
  planner: Planner
  passes: Passes
  /** By source. */
  turns: SerialQueues
}

interface Past {
  source: SourceState
  remote: RemoteReading
  revision: string
  runId: string
}

export class Rollbacks {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async plan(asked: RollbackAsked): Promise<Plan> {
    return this.#preview(await this.#past(asked.run_id), asked)
  }

  /**
   * Holds the revision and starts a pass; returns the run's id. A rollback to the newest revision removes the hold
   * instead.
   */
  async begin(asked: RollbackAsked, by: Actor): Promise<string> {
    const { turns, sources, passes, log } = this.#parts
    const past = await this.#past(asked.run_id)
    const { source, revision } = past
    sources.refuseOutsideWindow(source)
    const newest = await past.remote.fetchNewest()
    await turns.run(source.name, async () => {
      const { hash } = await this.#preview(past, asked)
      if (asked.plan_hash !== undefined && asked.plan_hash !== hash)
        throw conflict(
          `the plan to roll back to ${revision} is stale: live state has changed since it was made; nothing was changed: plan again`,
          'stale-plan',
        )
      await this.#hold(past, newest === revision ? null : this.#holdOf(past, newest, by))
    })
    log.info({ source: source.name, revision, by: by.actor, newest }, 'rolled back')
    return (await passes.begin(source, by, { ...overrides(asked), asRead: true }, true)).id
  }

  /** Throws a Problem that names the alternative if a rollback is impossible. */
  async #past(id: string): Promise<Past> {
    const { runs, sources } = this.#parts
    const { source: name, revision, status } = await runs.get(id)
    const source = sources.get(name)
    if (source.suspended) throw suspendedProblem(source)
    const remote = source.reader?.remote
    if (!remote) throw withoutRevisions(source)
    if (revision === null || revision === '')
      throw conflict(`run ${id} (${status}) applied no revision: choose one of GET /runs that has a revision`)
    return { source, remote, revision, runId: id }
  }

  async #preview({ source, remote, revision }: Past, asked: RollbackAsked): Promise<Plan> {
    const { desired, planner } = this.#parts
    if (source.suspended) throw suspendedProblem(source)
    const state = await desired.ofRevision(source, remote, revision).catch(refuseUnreadable)
    return (await planner(source, state, overrides(asked))).plan
  }

  #holdOf({ revision, runId }: Past, against: string | null, by: Actor): SourceHold {
    return { revision, against, run_id: runId, actor: by.actor, since: timestamp(this.#parts.clock) }
  }

  /** Reads the revision for the next pass; on failure restores the earlier hold. */
  async #hold({ source, revision }: Past, hold: SourceHold | null): Promise<void> {
    const { sources, desired } = this.#parts
    const before = source.hold
    await sources.hold(source, hold)
    try {
      const state = await desired.ofSource(source)
      if (state.revision !== revision)
        throw conflict(
          `${state.revision} became the newest revision meanwhile; nothing was changed: plan again`,
          'stale-plan',
        )
    } catch (error) {
      await sources.hold(source, before)
      return refuseUnreadable(error)
    }
  }
}

const overrides = ({ prune_override: pruneOverride, confirm }: RollbackAsked): PassOptions => ({
  pruneOverride,
  confirm,
})

function withoutRevisions({ name, location, reader, orphaned }: SourceState): Problem {
  const wayOut = orphaned
    ? 'it is no longer configured (svc sources adopt, or svc sources forget)'
    : reader
      ? `restore the files of ${location} (with git revert in a working tree), or make it a git source (--manifests git+file://…)`
      : 'apply the earlier manifests again'
  return conflict(`source ${name} keeps no earlier revisions to roll back to: ${wayOut}`, 'no-revisions')
}
