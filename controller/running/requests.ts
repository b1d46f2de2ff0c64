// What people and programs ask of the controller: plan, apply, sync, suspend, revert.
import { randomUUID } from 'node:crypto'
import type { Actor } from '../../platform/core/actor.ts'
import type { SerialQueues } from '../../platform/async/serial-queue.ts'
import { timestamp, type Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'
import { conflict, invalid, noSuch, unprocessable } from '../../platform/core/problem.ts'
import { PlanChoices, type Plan, type PlanInput, type SavedPlan } from '../../schemas/plan.ts'
import type { Run } from '../../schemas/run.ts'
import type { ControllerEvent } from '../face.ts'
import { contestOf, type Owned } from '../planning/ownership.ts'
import type { PassOptions } from '../planning/preview.ts'
import { SourceError, type DesiredState } from '../reading/desired.ts'
import type { Answered } from '../reading/environment.ts'
import { idOf } from '../reading/graph.ts'
import type { LiveWatch } from '../watching/live-watch.ts'
import type { Dirty } from '../watching/dirty-resources.ts'
import type { Wakes } from '../watching/wake-queue.ts'
import type { DesiredStates } from './sources/desired-states.ts'
import type { Contests } from './drift/contest-records.ts'
import type { Inventory } from './inventory/inventory.ts'
import type { Moves } from './sources/source-moves.ts'
import { WAITING_PASS_MS } from './runs/drain-wait.ts'
import type { Passes } from './passes/passes.ts'
import type { Planner } from './passes/planner.ts'
import { PostedPlans } from './sources/posted-plans.ts'
import type { Runs } from './runs/run-records.ts'
import type { SentManifests } from './sources/sent-manifests.ts'
import { recordApplied } from './passes/applied-revision.ts'
import { APPLY_PREFIX, outerSync, suspended, type Sources } from './sources/sources.ts'
import type { SourceState } from './sources/source-state.ts'
import { refusedByWindow, windowOf } from './sources/sync-window.ts'

interface Parts {
  clock: Clock
  log: Log
  sources: Sources
  inventory: Inventory
  runs: Runs
  desired: DesiredStates
  planner: Planner
  passes: Passes
  watch: LiveWatch
  wakes: Wakes
  moves: Moves
  dirty: Dirty
  sent: SentManifests
  contests: Contests
  /** Convergences, by source. */
  turns: SerialQueues
  /** Changes, by kind/name. */
  changing: SerialQueues
}

interface Applying {
  wanted: PlanInput
  saved: SavedPlan | undefined
  source: SourceState
  state: DesiredState
  /** What the manifests were told about the machine. */
  told: readonly Answered[]
  by: Actor
  progress(event: ControllerEvent): void
}

export class Requests {
  readonly #parts: Parts
  readonly #posted = new PostedPlans()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Starts a pass, after its run was recorded; returns the run's id. */
  async sync(
    name: string,
    by: Actor,
    options: Pick<PlanInput, 'targets' | 'prune_override' | 'confirm' | 'keep_drift'>,
  ): Promise<string> {
    const { sources, runs, passes, log } = this.#parts
    const source = sources.get(name)
    if (source.suspended) throw suspended(source)
    if (!source.reader)
      throw conflict(
        `source ${name} is read only when somebody applies it: run agent apply ${name.slice(APPLY_PREFIX.length)}`,
      )
    this.#mustBeOpen(source)
    const run = await runs.open(randomUUID(), name, by.actor)
    passes
      .pass(source, run, optionsOf(options))
      .catch((error: Error) => log.warn({ source: name, run: run.id, error: error.message }, 'pass failed'))
    return run.id
  }

  async suspend(name: string, isSuspended: boolean): Promise<SourceState> {
    const { sources, wakes } = this.#parts
    const source = sources.get(name)
    await sources.suspend(source, isSuspended)
    if (!isSuspended) wakes.source(name)
    return source
  }

  async plan(input: PlanInput): Promise<Plan> {
    const source = this.#sourceFor(input, true)
    const state = await this.#desired(input, source)
    const { plan } = await this.#parts.planner.preview(source, state, optionsOf(input))
    if (input.manifests && !source.reader) this.#posted.keep(plan, input)
    // What was fetched for the plan is taken as any newer revision is.
    if (!input.manifests && source.reader?.remote) this.#parts.wakes.source(source.name)
    return { ...plan, choices: choicesOf(input) }
  }

  /** Applies manifests that were sent, a source, or a saved plan if it still holds. */
  async apply(input: PlanInput, by: Actor, progress: (event: ControllerEvent) => void): Promise<Run> {
    const wanted = input.plan ? this.#again(input.plan, input) : input
    const source = this.#sourceFor(wanted, false)
    const told: Answered[] = []
    const read = await this.#desired(wanted, source, (answered) => told.push(answered))
    return this.#parts.turns.run(source.name, () => {
      // Of a folder the last reading counts: an earlier turn may have taken it.
      const state = source.reader ? source.read! : read
      return this.#applyNow({ wanted, saved: input.plan, source, state, told, by, progress })
    })
  }

  async #applyNow({ wanted, saved, source, state, told, by, progress }: Applying): Promise<Run> {
    const { sources, runs, passes, planner, moves, sent } = this.#parts
    if (source.suspended) throw suspended(source)
    this.#mustBeOpen(source, state.sync)
    const preview = await planner.preview(source, state, optionsOf(wanted))
    if (saved && saved.hash !== preview.plan.hash) throw conflict(whatMoved(saved, preview.plan), 'stale-plan')
    if (!source.reader) {
      sources.add(source)
      await sources.observed(source, state)
      if (!wanted.targets) source.read = wanted.delete_all ? undefined : state
      if (!wanted.delete_all) await sent.keep(source.name, wanted, told)
    }
    await moves.settle(source, state)
    await passes.recordSeen(preview, state)
    if (!wanted.targets) await passes.settleOwed(preview)
    const run = await passes.convergeAsked(preview, await runs.open(randomUUID(), source.name, by.actor), progress)
    await recordApplied(source, { preview, run, options: optionsOf(wanted) }, sources)
    if (wanted.delete_all) await this.#forgetIfEmpty(source)
    this.#followUp(source, run)
    return run
  }

  async #forgetIfEmpty({ name, reader }: SourceState): Promise<void> {
    const { sources, inventory, sent, dirty } = this.#parts
    if (reader || inventory.countOf(name) > 0) return
    dirty.forget(name)
    await sent.forget(name)
    await sources.forget(name)
  }

  /** What had to wait, or failed, is not left to whoever asks next. */
  #followUp({ name }: SourceState, { status }: Run): void {
    if (status !== 'succeeded') this.#parts.wakes.source(name, WAITING_PASS_MS)
  }

  /** What a saved plan was made from: its source, the manifests that are sent along, or those that were. */
  #again(saved: SavedPlan, input: PlanInput): PlanInput {
    const { plan: _, ...sent } = input
    const place = { source: saved.source, root: saved.root ?? input.root }
    if (input.manifests || this.#parts.sources.find(saved.source)?.reader)
      return { ...saved.choices, ...sent, ...place }
    const posted = this.#posted.inputOf(saved)
    if (!posted)
      throw conflict(
        'the manifests of this plan are not kept any more; nothing was changed: send them along, or make a new plan',
        'stale-plan',
      )
    return { ...posted, ...sent }
  }

  /** Puts one resource back to what was last applied, whatever its source's rules are. */
  async revert(owned: Owned, by: Actor): Promise<Run> {
    const { watch, turns, inventory } = this.#parts
    const run = await turns.run(owned.source, async () => {
      const now = inventory.find(idOf(owned))
      if (!now) throw noSuch('resource', idOf(owned), [])
      return now.source === owned.source ? watch.reverting([idOf(now)], () => this.#revertNow(now, by)) : null
    })
    // It may have moved to another source, whose turn it takes then.
    return run ?? this.revert(inventory.find(idOf(owned)) ?? owned, by)
  }

  /** A step of it that has begun ends first: who is told that it is suspended saw the last of it. */
  async suspendResource(owned: Owned, { actor }: Actor): Promise<Owned> {
    const { changing, inventory, clock, wakes } = this.#parts
    const suspended = await changing.run(idOf(owned), async () => {
      const now = inventory.find(idOf(owned))
      if (!now) throw noSuch('resource', idOf(owned), [])
      if (now.suspended) return now
      const entry = { ...now, suspended: { actor, since: timestamp(clock) } }
      await inventory.put([entry])
      return entry
    })
    wakes.live(idOf(owned))
    return suspended
  }

  /** Writes a suspended or contested resource again, and puts back at once what its rules say. */
  async resumeResource(owned: Owned): Promise<Owned> {
    const { contests, inventory, dirty, wakes } = this.#parts
    if (!owned.suspended && !contestOf(owned))
      throw conflict(`${idOf(owned)} is neither suspended nor contested: it is kept as its manifest says`)
    const settled = { ...(await contests.settle(owned)), suspended: null }
    await inventory.put([settled])
    dirty.moved(idOf(owned))
    wakes.source(owned.source)
    wakes.live(idOf(owned))
    return settled
  }

  async #revertNow(found: Owned, by: Actor): Promise<Run> {
    const { sources, runs, planner, passes, wakes } = this.#parts
    const source = sources.find(found.source)
    if (!source || found.applied === null)
      throw conflict(`${idOf(found)} was never applied: there is nothing to put back`, 'never-applied')
    this.#mustBeOpen(source)
    const owned = await this.#parts.contests.settle(found)
    const preview = await planner.preview(source, asApplied(owned, source), {
      targets: [idOf(owned)],
      overruling: { drift: 'heal' },
    })
    const run = await passes.converge(preview, await runs.open(randomUUID(), source.name, by.actor))
    wakes.source(source.name, run.status === 'succeeded' ? 0 : WAITING_PASS_MS)
    return run
  }

  /** Throws a 409 where the sync windows of the source let nobody write. */
  #mustBeOpen(source: SourceState, declared = source.declared): void {
    const window = windowOf([...outerSync(source), declared], this.#parts.clock.now())
    const refused = refusedByWindow(source.name, window)
    if (refused) throw refused
  }

  async #desired(input: PlanInput, source: SourceState, told?: (answered: Answered) => void): Promise<DesiredState> {
    return input.manifests ? this.#parts.desired.ofManifests(input, source, told) : this.#read(source)
  }

  async #read(source: SourceState): Promise<DesiredState> {
    if (!source.reader)
      throw conflict(`source ${source.name} is read only when somebody applies it: send its manifests`)
    return this.#parts.desired.ofSource(source, { anew: true }).catch((error: Error) => {
      throw error instanceof SourceError ? unprocessable(error.message, 'source-unreadable') : error
    })
  }

  /** The source that a plan or apply speaks of: a configured one, or the one its manifests are applied under. */
  #sourceFor(input: PlanInput, onlyLook: boolean): SourceState {
    const { sources } = this.#parts
    const named = input.source === undefined ? undefined : sources.find(input.source)
    // Another checkout of what a source watches: what would become of it is shown, and done when it is merged.
    if (input.manifests && onlyLook && named?.reader) return named
    if (input.manifests) return sources.forManifests(input.source ?? `${APPLY_PREFIX}${input.root ?? ''}`, input.root)
    if (!input.source)
      throw invalid('name a source, or send manifests', [
        { path: 'source', message: 'missing', code: 'missing-member' },
      ])
    return sources.get(input.source)
  }
}

function optionsOf(input: PlanInput): PassOptions {
  const { targets, prune, prune_override: pruneOverride, delete_all: teardown, keep_drift: keepDrift } = input
  return { targets, prune, pruneOverride, confirm: input.confirm, strict: input.strict, teardown, keepDrift }
}

function choicesOf(input: PlanInput): PlanChoices {
  const names = Object.keys(PlanChoices.properties) as (keyof PlanChoices)[]
  return Object.fromEntries(names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])))
}

/** A state of which one resource is known: as it was last applied. */
function asApplied(owned: Owned, source: SourceState): DesiredState {
  const position = { line: owned.line, column: owned.column }
  return {
    revision: owned.revision ?? '',
    diagnostics: [],
    complete: false,
    sync: source.declared,
    resources: [{ ...owned, spec: owned.applied, position: () => position }],
  }
}

/** Says what moved since a plan was saved. */
function whatMoved(saved: SavedPlan, current: Plan): string {
  const ids = new Set([...Object.keys(saved.preconditions), ...Object.keys(current.preconditions)])
  const moved = [...ids].filter((id) => saved.preconditions[id] !== current.preconditions[id])
  const what =
    moved.length > 0
      ? `${moved.join(', ')} moved`
      : saved.revision === current.revision
        ? 'its steps are others now'
        : `the manifests are at ${current.revision} and no longer at ${saved.revision}`
  return `the plan no longer holds: ${what}; nothing was changed; make a new plan`
}
