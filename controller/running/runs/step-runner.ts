// Runs steps in dependency order, deletions last. Steps of busy resources are deferred.
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
import { waitStart, drainDeadline, type Drain } from '../../watching/pending-work.ts'
import { contestOf, entryAfter, type Owned } from '../../planning/ownership.ts'
import { contestText } from '../../watching/contest-detection.ts'
import type { Runs } from './run-records.ts'
import { writeStep, type WriteParts } from './step-writes.ts'
import { suspendedText } from '../../watching/verdicts.ts'
import type { Intents } from './intent-records.ts'

/** Per dependency level. */
const CONCURRENCY = 8

export interface StepParts extends WriteParts {
  drain: Drain
  intents: Intents
  runs: Runs
  log: Log
  /** By kind/name: sources never change one resource concurrently. */
  changing: SerialQueues
}

type Held = { status: 'blocked' | 'deferred' | 'failed'; error: string; since?: string }

/** The intent of each step is already recorded. */
export class StepRunner {
  readonly #parts: StepParts
  readonly #run: Run
  readonly #preview: Preview
  readonly #progress: (step: RunStep) => void
  /** Without deletions; by kind/name. */
  readonly #changing: ReadonlyMap<string, RunStep>

  constructor(parts: StepParts, run: Run, preview: Preview, progress: (step: RunStep) => void) {
    this.#parts = parts
    this.#run = run
    this.#preview = preview
    this.#progress = progress
    this.#changing = new Map(
      run.steps.filter((step) => step.action !== 'delete').map((step) => [idOf(step), step] as const),
    )
  }

  /** Sets the run's status. A failed step stops only its dependents. */
  async takeAll(): Promise<void> {
    const { steps } = this.#run
    for (const level of levels([...this.#changing.values()], this.#preview.desired)) await this.#takeLevel(level)
    for (const step of steps) if (step.action === 'delete') await this.#takeAlone(step)
    const statuses = new Set(steps.map((step) => step.status))
    if (statuses.has('intended')) this.#run.error = 'the daemon was stopped before the run ended'
    this.#run.status = outcomeOf(statuses)
  }

  /** If a step cannot be recorded, drops the rest and awaits running steps, so that nothing acts after the run. */
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

  /** The resource may have been taken over or released since the plan. */
  #takeAlone(step: RunStep): Promise<void> {
    const { changing, inventory } = this.#parts
    return changing.run(idOf(step), async () => {
      const makes = step.action === 'create' || step.action === 'adopt'
      const owned = inventory.get(step.kind, step.name)
      const why = owned && this.#stopReason(owned)
      if (why) return this.#closeHeld(step, { status: 'blocked', error: why })
      const owner = owned?.source ?? (makes ? this.#preview.plan.source : null)
      if (owner === this.#preview.plan.source) return this.#take(step)
      const ownerText = owner === null ? 'no source' : `source "${owner}"`
      await this.#closeHeld(step, { status: 'blocked', error: `now belongs to ${ownerText}` })
    })
  }

  /** Why writes were stopped since the plan; null if they were not. */
  #stopReason(owned: Owned): string | null {
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
      if (held && !(held.status === 'deferred' && takesEffectNow(planned))) return await this.#closeHeld(step, held)
      this.#progress(step)
      watch.pause(idOf(step))
      if (held) await this.#apply(reconciler, step, step.action === 'adopt' ? planned : withoutRestart(planned), held)
      else await (step.action === 'delete' ? this.#remove(reconciler, step) : this.#apply(reconciler, step, planned))
    } catch (error) {
      // The next daemon checks whether it was done.
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

  /** Observes again: the plan may be seconds old. */
  async #interrupted(reconciler: Reconciler, step: RunStep, planned: PlanStep): Promise<string | null> {
    if (!step.live_id || !this.#preview.live.has(idOf(step))) return planned.interrupts
    const now = await this.#parts.live.observe({ ...step, liveId: step.live_id })
    if (!now) return planned.interrupts
    const costly = step.action === 'delete' || planned.changes.some((change) => change.cost !== 'in-place')
    return costly ? reconciler.interrupts(now.live) : null
  }

  /** `held`: the part left to a later step. */
  async #apply(reconciler: Reconciler, step: RunStep, planned: PlanStep, held: Held | null = null): Promise<void> {
    const { inventory, drain, intents } = this.#parts
    const { plan, exactly } = this.#preview
    const desired = this.#preview.desired.get(idOf(step))!
    const write = { planned, step, requestId: this.#run.id, withoutRestart: held !== null }
    const applied = await writeStep(write, this.#preview, this.#parts)
    const { status, error } = held ?? { status: 'done', error: null }
    Object.assign(step, { status, error, live_id: applied.liveId, ended_at: timestamp(drain.clock) })
    const owned = inventory.get(step.kind, step.name)
    const after = {
      ...entryAfter(desired, plan, owned),
      applied: this.#appliedBy(reconciler, planned, desired, held),
      deferredSince: held?.since ?? null,
    }
    const entry = { ...(exactly && owned ? owned : after), liveId: applied.liveId }
    await inventory.put([entry], (transaction) => this.#close(transaction, step))
    intents.forget([step])
  }

  async #close(transaction: Knex.Transaction, step: RunStep): Promise<void> {
    await this.#parts.runs.closeStep(transaction, this.#run, step)
    await this.#parts.intents.close(transaction, [step])
  }

  /** The waiting part is not applied yet, except for an adopted resource, which is already configured. */
  #appliedBy({ definition }: Reconciler, planned: PlanStep, desired: DesiredResource, held: Held | null): unknown {
    const before = this.#parts.inventory.get(planned.kind, planned.name)?.applied
    if (!held || planned.action === 'adopt' || !before) return desired.spec
    const paths = planned.changes.map(({ path }) => path)
    return withMembers(before, desired.spec, paths, definition)
  }

  async #remove(reconciler: Reconciler, step: RunStep): Promise<void> {
    const { inventory, live, drain } = this.#parts
    const { kind, name, live_id: liveId } = step
    // An unobserved creation made nothing: a live resource with that name is not ours.
    const made = inventory.get(kind, name)?.applied !== null || this.#preview.live.has(idOf(step))
    if (made && liveId) await reconciler.remove({ name, liveId }, this.#run.id, live.signal)
    Object.assign(step, { status: 'done', ended_at: timestamp(drain.clock) })
    await inventory.remove(kind, name, (transaction) => this.#close(transaction, step))
    this.#parts.intents.forget([step])
  }

  async #closeHeld(step: RunStep, { status, error }: Held): Promise<void> {
    const { runs, intents, drain } = this.#parts
    Object.assign(step, { status, error, ended_at: timestamp(drain.clock) })
    // A failed step may have had an effect: the next pass checks.
    const isOpen = status === 'failed'
    await runs.saveStep(this.#run, step, async (transaction) => {
      if (!isOpen) await intents.close(transaction, [step])
    })
    if (!isOpen) intents.forget([step])
    this.#progress(step)
  }

  #blockedBy(step: RunStep): Held | null {
    if (step.action === 'delete') {
      // Unchanged resources may still use the resource: delete nothing in this run.
      const open = [...this.#changing.values()].find(({ status }) => status === 'failed' || status === 'blocked')
      return open ? { status: 'blocked', error: `waits for ${idOf(open)}, which could not be changed` } : null
    }
    const needs = (this.#preview.desired.get(idOf(step))?.dependsOn ?? []).map((id) => this.#changing.get(id))
    const blocker = needs.find((other) => other?.status === 'failed' || other?.status === 'blocked')
    if (!blocker) return null
    const why = blocker.status === 'failed' ? `failed: ${blocker.error}` : 'is also waiting'
    return { status: 'blocked', error: `waits for ${idOf(blocker)}, which ${why}` }
  }

  async #waitsForIdle(reconciler: Reconciler, step: RunStep, planned: PlanStep): Promise<Held | null> {
    const { inventory, drain } = this.#parts
    const { clock } = drain
    const work = await this.#interrupted(reconciler, step, planned)
    const owned = inventory.get(step.kind, step.name)
    if (work === null || (!owned && step.action !== 'adopt')) return null
    if (this.#preview.exactly) return { status: 'deferred', error: `waits for ${work} to end: revert it again then` }
    const since = waitStart(clock.now(), owned?.deferredSince) ?? timestamp(clock)
    const deadline = drainDeadline(since, drain)
    if (clock.now() >= deadline) return null
    if (owned && owned.deferredSince !== since) {
      await inventory.put([{ ...owned, deferredSince: since }])
      // It may have become idle just before the wait was recorded.
      if ((await this.#interrupted(reconciler, step, planned)) === null) return null
    }
    const until = new Date(deadline).toISOString()
    return { status: 'deferred', error: `waits for ${work} to end, at most until ${until}`, since }
  }
}

/** Ownership and changes without a restart take effect while work continues: a stricter policy does not wait. */
function withoutRestart(planned: PlanStep): PlanStep {
  const changes = planned.changes.filter(({ cost }) => cost === 'in-place')
  return { ...planned, action: 'update', changes }
}

const takesEffectNow = (planned: PlanStep): boolean =>
  planned.action === 'adopt' || (planned.action !== 'delete' && withoutRestart(planned).changes.length > 0)

function outcomeOf(statuses: ReadonlySet<RunStep['status']>): Run['status'] {
  if (statuses.has('failed')) return 'failed'
  if (statuses.has('intended')) return 'interrupted'
  return statuses.has('deferred') || statuses.has('blocked') ? 'waiting' : 'succeeded'
}

/** Expects steps in dependency order. */
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
