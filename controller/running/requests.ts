import type { Actor } from '../../platform/core/actor.ts'
import type { SerialQueues } from '../../platform/async/serial-queue.ts'
import { conflict, invalid } from '../../platform/core/problem.ts'
import { PlanChoices, type Plan, type PlanInput, type SavedPlan } from '../../schemas/plan.ts'
import type { Run } from '../../schemas/run.ts'
import type { ControllerEvent, SyncAsked } from '../face.ts'
import type { PassOptions } from '../planning/preview.ts'
import { refuseStale } from '../planning/reviewed-plan.ts'
import type { DesiredState } from '../reading/desired-state.ts'
import type { Answered } from '../reading/environment.ts'
import type { Wakes } from '../watching/wake-queue.ts'
import type { Passes } from './passes/passes.ts'
import type { Planner } from './passes/planner.ts'
import type { DesiredStates } from './sources/desired-states.ts'
import { PostedPlans } from './sources/posted-plans.ts'
import type { SentManifests } from './sources/sent-manifests.ts'
import type { Moves } from './sources/source-moves.ts'
import { refuseUnreadable, suspendedProblem, syncTitle, type SourceState } from './sources/source-state.ts'
import { shellWord } from '../../platform/core/shell-word.ts'
import { APPLY_PREFIX, appliedPath } from '../../schemas/sync/applied-source.ts'
import type { Sources } from './sources/sources.ts'

interface Parts {
  sources: Sources
  desired: DesiredStates
  planner: Planner
  passes: Passes
  moves: Moves
  sent: SentManifests
  /** By source. */
  turns: SerialQueues
  wakes: Wakes
}

export class Requests {
  readonly #parts: Parts
  readonly #posted = new PostedPlans()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Returns the run's id. */
  async sync(name: string, by: Actor, { plan_hash: planHash, ...choices }: SyncAsked): Promise<string> {
    const { sources, passes } = this.#parts
    const source = sources.get(name)
    if (source.suspended) throw suspendedProblem(source)
    if (!source.reader)
      throw conflict(
        `source ${name} is not watched; apply its manifests with: agent apply ${shellWord(appliedPath(name) ?? 'PATH')}`,
      )
    sources.refuseOutsideWindow(source)
    const options = optionsOf(choices)
    if (planHash === undefined) return (await passes.begin(source, by, options)).id
    await this.#refuseStale(source, planHash, options)
    // The pass compares again: the plan may change before its turn.
    return (await passes.begin(source, by, { ...options, planHash, asRead: true })).id
  }

  async #refuseStale(source: SourceState, planHash: string, options: PassOptions): Promise<void> {
    const { turns, planner } = this.#parts
    await this.#desired({}, source)
    await turns.run(source.name, async () => {
      const { plan } = await planner(source, source.read!, options)
      refuseStale(plan, planHash, syncTitle(source))
    })
  }

  async suspend(name: string, isSuspended: boolean): Promise<SourceState> {
    const { sources, wakes } = this.#parts
    const source = sources.get(name)
    await sources.suspend(source, isSuspended)
    if (!isSuspended) wakes.wakeSource(name)
    return source
  }

  async plan(input: PlanInput): Promise<Plan> {
    const source = this.#sourceFor(input, true)
    const state = await this.#desired(input, source)
    const { plan } = await this.#parts.planner(source, state, optionsOf(input))
    if (input.manifests && !source.reader) this.#posted.keep(plan, input)
    // The plan may have fetched a commit, which is applied like any newer revision.
    if (!input.manifests && source.reader?.remote) this.#parts.wakes.wakeSource(source.name)
    return { ...plan, choices: choicesOf(input) }
  }

  /** `input`: sent manifests, a source, or a saved plan. */
  async apply(input: PlanInput, by: Actor, progress: (event: ControllerEvent) => void): Promise<Run> {
    const { sources, passes, planner, moves, sent, turns } = this.#parts
    const saved = input.plan
    const wanted = saved ? this.#inputOf(saved, input) : input
    const source = this.#sourceFor(wanted, false)
    const answers: Answered[] = []
    const read = await this.#desired(wanted, source, (answered) => answers.push(answered))
    return turns.run(source.name, async () => {
      // An earlier turn may have used a newer read of the folder.
      const state = source.reader ? source.read! : read
      if (source.suspended) throw suspendedProblem(source)
      sources.refuseOutsideWindow(source, state.sync)
      const options = optionsOf(wanted)
      const preview = await planner(source, state, options)
      if (saved && saved.hash !== preview.plan.hash) throw conflict(staleReason(saved, preview.plan), 'stale-plan')
      if (!source.reader) {
        sources.add(source)
        await sources.recordRead(source, state)
        if (!wanted.targets) source.read = wanted.delete_all ? undefined : state
        if (!wanted.delete_all) await sent.keep(source.name, wanted, answers)
      }
      await moves.settle(source, state)
      return passes.apply(source, { preview, state, options }, by, progress)
    })
  }

  #inputOf(saved: SavedPlan, input: PlanInput): PlanInput {
    const { plan: _, ...sent } = input
    const place = { source: saved.source, root: saved.root ?? input.root }
    if (input.manifests || this.#parts.sources.find(saved.source)?.reader)
      return { ...saved.choices, ...sent, ...place }
    const posted = this.#posted.inputOf(saved)
    if (!posted)
      throw conflict(
        'the manifests of this plan are no longer stored; nothing was changed: send them again, or make a new plan',
        'stale-plan',
      )
    return { ...posted, ...sent }
  }

  async #desired(
    input: PlanInput,
    source: SourceState,
    onAnswer?: (answered: Answered) => void,
  ): Promise<DesiredState> {
    const { desired } = this.#parts
    if (input.manifests) return desired.ofManifests(input, source, onAnswer)
    if (!source.reader) throw conflict(`source ${source.name} is not watched: send its manifests`)
    return desired.ofSource(source, { fresh: true }).catch(refuseUnreadable)
  }

  #sourceFor(input: PlanInput, planOnly: boolean): SourceState {
    const { sources } = this.#parts
    const named = input.source === undefined ? undefined : sources.find(input.source)
    // Manifests of another checkout: the plan shows what a merge would do.
    if (input.manifests && planOnly && named?.reader) return named
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

function staleReason(saved: SavedPlan, current: Plan): string {
  const ids = new Set([...Object.keys(saved.preconditions), ...Object.keys(current.preconditions)])
  const moved = [...ids].filter((id) => saved.preconditions[id] !== current.preconditions[id])
  const what =
    moved.length > 0
      ? `${moved.join(', ')} changed`
      : saved.revision === current.revision
        ? 'its steps have changed'
        : `the manifests are at ${current.revision} and no longer at ${saved.revision}`
  return `the plan is stale: ${what}; nothing was changed; make a new plan`
}
