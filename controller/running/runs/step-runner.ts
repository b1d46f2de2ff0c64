// Carries the steps of a run out: each after those it depends on, deletions last; busy resources are left alone.
import pLimit from 'p-limit'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import { timestamp } from '../../../platform/core/clock.ts'
import type { Knex } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import type { PlanStep } from '../../../schemas/plan.ts'
import type { Run, RunStep } from '../../../schemas/run.ts'
import { withMembers } from '../../planning/merge.ts'
import type { Preview } from '../../planning/preview.ts'
import type { DesiredResource } from '../../reading/desired-state.ts'
import { idOf } from '../../reading/graph.ts'
import type { Reconciler } from '../../reconciler.ts'
import { begunBy, drainDeadline, type Drain } from '../../watching/pending-work.ts'
import { contestOf, entryAfter, type Owned } from '../../planning/ownership.ts'
import { contestText } from '../../watching/contest-detection.ts'
import type { Runs } from './run-records.ts'
import { writeStep, type WriteParts } from './step-writes.ts'
import { suspendedText } from '../../watching/verdicts.ts'
import type { Intents } from './intent-records.ts'

/** Steps carried out at once within one level of the graph. */
const CONCURRENCY = 8

export interface StepParts extends WriteParts {
  drain: Drain
  intents: Intents
  runs: Runs
  log: Log
  /** By kind/name: two sources never change one resource at once. */
  changing: SerialQueues
}

type Held = { status: 'blocked' | 'deferred' | 'failed'; error: string; since?: string }

/** The steps of one run whose intent is recorded. */
export class StepRunner {
  readonly #parts: StepParts
  readonly #run: Run
  readonly #preview: Preview
  readonly #progress: (step: RunStep) => void
  /** All but deletions, by kind/name. */
  readonly #changing: ReadonlyMap<string, RunStep>

  /** `progress` is called as a step begins and as it ends. */
  constructor(parts: StepParts, run: Run, preview: Preview, progress: (step: RunStep) => void) {
    this.#parts = parts
    this.#run = run
    this.#preview = preview
    this.#progress = progress
    this.#changing = new Map(
      run.steps.filter((step) => step.action !== 'delete').map((step) => [idOf(step), step] as const),
    )
  }

  /** Takes every step and gives the run its status; a step that fails does not stop those that do not depend on it. */
  async takeAll(): Promise<void> {
    const { steps } = this.#run
    for (const level of levels([...this.#changing.values()], this.#preview.desired)) await this.#takeLevel(level)
    for (const step of steps) if (step.action === 'delete') await this.#takeAlone(step)
    const statuses = new Set(steps.map((step) => step.status))
    if (statuses.has('intended')) this.#run.error = 'the daemon was stopped before the run ended'
    this.#run.status = outcomeOf(statuses)
  }

  /**
   * When a step cannot even be recorded the rest is given up; what runs is waited for, so that nobody acts on after
   * the run.
   */
  async #takeLevel(level: readonly RunStep[]): Promise<void> {
    const limit = pLimit({ concurrency: CONCURRENCY, rejectOnClear: true })
    const taken = level.map((step) =>
      limit(() => this.#takeAlone(step)).catch((error: unknown) => {
        limit.clearQueue()
        throw error
      }),
    )
    const failed = (await Promise.allSettled(taken)).find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Since the plan was made another source may have taken the resource over, or nobody may own it any more. */
  #takeAlone(step: RunStep): Promise<void> {
    const { changing, inventory } = this.#parts
    return changing.run(idOf(step), async () => {
      const makes = step.action === 'create' || step.action === 'adopt'
      const owned = inventory.get(step.kind, step.name)
      const why = owned && this.#whyLeft(owned)
      if (why) return this.#closeHeld(step, { status: 'blocked', error: why })
      const owner = owned?.source ?? (makes ? this.#preview.plan.source : null)
      if (owner === this.#preview.plan.source) return this.#take(step)
      const whose = owner === null ? 'nobody' : `source "${owner}"`
      await this.#closeHeld(step, { status: 'blocked', error: `belongs to ${whose} by now` })
    })
  }

  /** Since the plan was made somebody may have stopped all writing of it. */
  #whyLeft(owned: Owned): string | null {
    if (owned.suspended && !this.#preview.byName) return suspendedText(owned.suspended)
    const contest = contestOf(owned)
    return contest && contestText(contest)
  }

  async #take(step: RunStep): Promise<void> {
    const { live, drain, watch } = this.#parts
    if (live.signal.aborted) return
    const planned = this.#preview.plan.steps[this.#run.steps.indexOf(step)]!
    const reconciler = live.reconcilerOf(step.kind)
    step.started_at = timestamp(drain.clock)
    try {
      const held = this.#blockedBy(step) ?? (await this.#waitsForIdle(reconciler, step, planned))
      if (held && !(held.status === 'deferred' && inForceAtOnce(planned))) return await this.#closeHeld(step, held)
      this.#progress(step)
      watch.pause(idOf(step))
      if (held) await this.#apply(reconciler, step, step.action === 'adopt' ? planned : withoutRestart(planned), held)
      else await (step.action === 'delete' ? this.#remove(reconciler, step) : this.#apply(reconciler, step, planned))
    } catch (error) {
      // Whether it was done is found out by the next start.
      if (!live.signal.aborted) await this.#fail(step, error as Error)
    } finally {
      watch.resume(idOf(step))
    }
    this.#progress(step)
  }

  async #fail(step: RunStep, { message }: Error): Promise<void> {
    const { kind, name, action } = step
    await this.#closeHeld(step, { status: 'failed', error: message })
    this.#parts.log.warn({ run: this.#run.id, kind, name, action, error: message }, 'step failed')
  }

  /**
   * The work that a step would interrupt. The plan's look may be seconds old: it is looked at once more just
   * before.
   */
  async #interrupted(reconciler: Reconciler, step: RunStep, planned: PlanStep): Promise<string | null> {
    if (!step.live_id || !this.#preview.live.has(idOf(step))) return planned.interrupts
    const now = await this.#parts.live.observe({ ...step, liveId: step.live_id })
    if (!now) return planned.interrupts
    const costly = step.action === 'delete' || planned.changes.some((change) => change.cost !== 'in-place')
    return costly ? reconciler.interrupts(now.live) : null
  }

  /** `held`: what of the step waits, and is left to a later one. */
  async #apply(reconciler: Reconciler, step: RunStep, planned: PlanStep, held: Held | null = null): Promise<void> {
    const { inventory, drain, intents } = this.#parts
    const { plan } = this.#preview
    const desired = this.#preview.desired.get(idOf(step))!
    const write = { planned, step, requestId: this.#run.id, withoutRestart: held !== null }
    const applied = await writeStep(write, this.#preview, this.#parts)
    const { status, error } = held ?? { status: 'done', error: null }
    Object.assign(step, { status, error, live_id: applied.liveId, ended_at: timestamp(drain.clock) })
    const entry = {
      ...entryAfter(desired, plan, inventory.get(step.kind, step.name)),
      liveId: applied.liveId,
      applied: this.#appliedBy(reconciler, planned, desired, held),
      deferredSince: held?.since ?? null,
    }
    await inventory.put([entry], (transaction) => this.#close(transaction, step))
    intents.forget([step])
  }

  /** What was intended is done, or will not be. */
  async #close(transaction: Knex.Transaction, step: RunStep): Promise<void> {
    await this.#parts.runs.closeStep(transaction, this.#run, step)
    await this.#parts.intents.close(transaction, [step])
  }

  /** Of a step that waits in part, what waits is not applied yet; what is adopted is, for it is configured. */
  #appliedBy({ definition }: Reconciler, planned: PlanStep, desired: DesiredResource, held: Held | null): unknown {
    const before = this.#parts.inventory.get(planned.kind, planned.name)?.applied
    if (!held || planned.action === 'adopt' || !before) return desired.spec
    const paths = planned.changes.map(({ path }) => path)
    return withMembers(before, desired.spec, paths, definition)
  }

  async #remove(reconciler: Reconciler, step: RunStep): Promise<void> {
    const { inventory, live, drain } = this.#parts
    const { kind, name, live_id: liveId } = step
    // A creation that was begun and never seen made nothing: whatever bears that name is not ours.
    const made = inventory.get(kind, name)?.applied !== null || this.#preview.live.has(idOf(step))
    if (made && liveId) await reconciler.remove({ name, liveId }, this.#run.id, live.signal)
    Object.assign(step, { status: 'done', ended_at: timestamp(drain.clock) })
    await inventory.remove(kind, name, (transaction) => this.#close(transaction, step))
    this.#parts.intents.forget([step])
  }

  async #closeHeld(step: RunStep, { status, error }: Held): Promise<void> {
    const { runs, intents, drain } = this.#parts
    Object.assign(step, { status, error, ended_at: timestamp(drain.clock) })
    // What failed may have been done all the same: the next pass looks.
    const isOpen = status === 'failed'
    await runs.saveStep(this.#run, step, async (transaction) => {
      if (!isOpen) await intents.close(transaction, [step])
    })
    if (!isOpen) intents.forget([step])
    this.#progress(step)
  }

  #blockedBy(step: RunStep): Held | null {
    if (step.action === 'delete') {
      // What is no longer named may still be used by what could not be changed: then nothing is deleted in this run.
      const open = [...this.#changing.values()].find(({ status }) => status === 'failed' || status === 'blocked')
      return open ? { status: 'blocked', error: `waits for ${idOf(open)}, which could not be changed` } : null
    }
    const needs = (this.#preview.desired.get(idOf(step))?.dependsOn ?? []).map((id) => this.#changing.get(id))
    const blocker = needs.find((other) => other?.status === 'failed' || other?.status === 'blocked')
    if (!blocker) return null
    const why = blocker.status === 'failed' ? `failed: ${blocker.error}` : 'waits itself'
    return { status: 'blocked', error: `waits for ${idOf(blocker)}, which ${why}` }
  }

  async #waitsForIdle(reconciler: Reconciler, step: RunStep, planned: PlanStep): Promise<Held | null> {
    const { inventory, drain } = this.#parts
    const { clock } = drain
    const work = await this.#interrupted(reconciler, step, planned)
    const owned = inventory.get(step.kind, step.name)
    if (work === null || (!owned && step.action !== 'adopt')) return null
    const since = begunBy(clock.now(), owned?.deferredSince) ?? timestamp(clock)
    const deadline = drainDeadline(since, drain)
    if (clock.now() >= deadline) return null
    if (owned && owned.deferredSince !== since) {
      await inventory.put([{ ...owned, deferredSince: since }])
      // From here on its becoming idle is heard of; it may have become so just before.
      if ((await this.#interrupted(reconciler, step, planned)) === null) return null
    }
    const until = new Date(deadline).toISOString()
    return { status: 'deferred', error: `waits for ${work} to end, at most until ${until}`, since }
  }
}

/**
 * A resource is owned, and what costs nothing is in force, before its work has ended: a policy that is tightened does
 * not wait. The restart is a step of its own.
 */
function withoutRestart(planned: PlanStep): PlanStep {
  const changes = planned.changes.filter(({ cost }) => cost === 'in-place')
  return { ...planned, action: 'update', changes }
}

const inForceAtOnce = (planned: PlanStep): boolean =>
  planned.action === 'adopt' || (planned.action !== 'delete' && withoutRestart(planned).changes.length > 0)

function outcomeOf(statuses: ReadonlySet<RunStep['status']>): Run['status'] {
  if (statuses.has('failed')) return 'failed'
  if (statuses.has('intended')) return 'interrupted'
  return statuses.has('deferred') || statuses.has('blocked') ? 'waiting' : 'succeeded'
}

/** Groups steps so that each comes after those it depends on. Steps arrive in dependency order already. */
function levels(steps: RunStep[], desired: ReadonlyMap<string, DesiredResource>): RunStep[][] {
  const depths = new Map<string, number>()
  const grouped: RunStep[][] = []
  for (const step of steps) {
    const depth = Math.max(0, ...(desired.get(idOf(step))?.dependsOn ?? []).map((id) => (depths.get(id) ?? -1) + 1))
    depths.set(idOf(step), depth)
    ;(grouped[depth] ??= []).push(step)
  }
  return grouped
}
