// Carries the steps of a run out: each after those it depends on, deletions last; busy resources are left alone.
import pLimit from 'p-limit'
import { timestamp } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { PlanStep } from '../../schemas/plan.ts'
import type { Run, RunStep } from '../../schemas/run.ts'
import { withMembers } from '../planning/diff.ts'
import { declarationOf, type Owned } from '../planning/owned.ts'
import type { Preview } from '../planning/preview.ts'
import type { DesiredResource } from '../reading/desired.ts'
import { idOf } from '../reading/graph.ts'
import type { Lookup, Reconciler } from '../reconciler.ts'
import { drainDeadline, type Drain } from '../watching/waiting.ts'
import { begun } from './intent.ts'
import type { Inventory } from './inventory.ts'
import type { Runs } from './runs.ts'

/** Steps carried out at once within one level of the graph. */
const CONCURRENCY = 8

export interface StepParts extends Drain {
  reconcilers: readonly Reconciler[]
  inventory: Inventory
  runs: Runs
  lookup: Lookup
  log: Log
  /** kind/name of what is being changed at this moment; observations of it wait. */
  inFlight: Set<string>
  signal: AbortSignal
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
    for (const step of steps) if (step.action === 'delete') await this.#take(step)
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
      limit(() => this.#take(step)).catch((error: unknown) => {
        limit.clearQueue()
        throw error
      }),
    )
    const failed = (await Promise.allSettled(taken)).find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  async #take(step: RunStep): Promise<void> {
    const { signal, reconcilers, clock, inFlight } = this.#parts
    if (signal.aborted) return
    const planned = this.#preview.plan.steps[this.#run.steps.indexOf(step)]!
    const reconciler = reconcilers.find((candidate) => candidate.definition.kind === step.kind)!
    step.started_at = timestamp(clock)
    try {
      const held = this.#blockedBy(step) ?? (await this.#waitsForIdle(reconciler, step, planned))
      const ownedAtOnce = held?.status === 'deferred' && step.action === 'adopt'
      if (held && !ownedAtOnce) return await this.#closeHeld(step, held)
      this.#progress(step)
      inFlight.add(idOf(step))
      if (held) await this.#apply(reconciler, step, withoutRestart(planned), held)
      else await (step.action === 'delete' ? this.#remove(reconciler, step) : this.#apply(reconciler, step, planned))
    } catch (error) {
      await this.#fail(step, error as Error)
    } finally {
      inFlight.delete(idOf(step))
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
    const { live } = this.#preview
    if (!step.live_id || !live.has(idOf(step))) return planned.interrupts
    const { lookup, signal } = this.#parts
    const now = await reconciler.observe({ name: step.name, liveId: step.live_id }, lookup, signal)
    if (!now) return planned.interrupts
    live.set(idOf(step), now)
    const costly = step.action === 'delete' || planned.changes.some((change) => change.cost !== 'in-place')
    return costly ? reconciler.interrupts(now.live) : null
  }

  /** `held`: what of the step waits, and is left to a later one. */
  async #apply(reconciler: Reconciler, step: RunStep, planned: PlanStep, held: Held | null = null): Promise<void> {
    const { inventory, runs, lookup, signal, clock } = this.#parts
    const { plan } = this.#preview
    const desired = this.#preview.desired.get(idOf(step))!
    const applied = await reconciler.apply(
      {
        action: planned.action as Exclude<PlanStep['action'], 'delete'>,
        name: step.name,
        liveId: step.live_id ?? '',
        spec: this.#specFor(planned, desired),
        changes: planned.changes,
        requestId: this.#run.id,
      },
      lookup,
      signal,
    )
    const { status, error } = held ?? { status: 'done', error: null }
    Object.assign(step, { status, error, live_id: applied.liveId, ended_at: timestamp(clock) })
    const entry: Owned = {
      ...(inventory.get(step.kind, step.name) ?? begun(desired, plan.source, plan.revision)),
      ...declarationOf(desired),
      source: plan.source,
      revision: plan.revision,
      liveId: applied.liveId,
      desired: desired.spec,
      applied: desired.spec,
      deferredSince: held?.since ?? null,
    }
    await inventory.put([entry], (transaction) => runs.closeStep(transaction, this.#run, step))
  }

  /** What a change converges to: live with the planned members moved, so that reported drift stays as it is. */
  #specFor({ kind, name, action, changes }: PlanStep, desired: DesiredResource): unknown {
    if (action !== 'update' && action !== 'restart') return desired.spec
    const live = this.#preview.live.get(idOf({ kind, name }))!
    return withMembers(
      live.spec,
      desired.spec,
      changes.map((change) => change.path),
    )
  }

  async #remove(reconciler: Reconciler, step: RunStep): Promise<void> {
    const { inventory, runs, signal, clock } = this.#parts
    const { kind, name, live_id: liveId } = step
    // A creation that was begun and never seen made nothing: whatever bears that name is not ours.
    const made = inventory.get(kind, name)?.applied !== null || this.#preview.live.has(idOf(step))
    if (made && liveId) await reconciler.remove({ name, liveId }, this.#run.id, signal)
    Object.assign(step, { status: 'done', ended_at: timestamp(clock) })
    await inventory.remove(kind, name, (transaction) => runs.closeStep(transaction, this.#run, step))
  }

  async #closeHeld(step: RunStep, { status, error }: Held): Promise<void> {
    Object.assign(step, { status, error }, { ended_at: timestamp(this.#parts.clock) })
    await this.#parts.runs.saveStep(this.#run, step)
    this.#progress(step)
  }

  #blockedBy(step: RunStep): Held | null {
    if (step.action === 'delete') return this.#blockedDeletion()
    const needs = (this.#preview.desired.get(idOf(step))?.dependsOn ?? []).map((id) => this.#changing.get(id))
    const blocker = needs.find((other) => other?.status === 'failed' || other?.status === 'blocked')
    if (!blocker) return null
    const why = blocker.status === 'failed' ? `failed: ${blocker.error}` : 'waits itself'
    return { status: 'blocked', error: `waits for ${idOf(blocker)}, which ${why}` }
  }

  /** What is no longer named may still be used by what could not be changed: then nothing is deleted in this run. */
  #blockedDeletion(): Held | null {
    const open = [...this.#changing.values()].find(({ status }) => status === 'failed' || status === 'blocked')
    return open ? { status: 'blocked', error: `waits for ${idOf(open)}, which could not be changed` } : null
  }

  async #waitsForIdle(reconciler: Reconciler, step: RunStep, planned: PlanStep): Promise<Held | null> {
    const { inventory, clock } = this.#parts
    const work = await this.#interrupted(reconciler, step, planned)
    const owned = inventory.get(step.kind, step.name)
    if (work === null || (!owned && step.action !== 'adopt')) return null
    const since = owned?.deferredSince ?? timestamp(clock)
    const deadline = drainDeadline(since, this.#parts)
    if (clock.now() >= deadline) return null
    if (owned && !owned.deferredSince) {
      await inventory.put([{ ...owned, deferredSince: since }])
      // From here on its becoming idle is heard of; it may have become so just before.
      if ((await this.#interrupted(reconciler, step, planned)) === null) return null
    }
    const until = new Date(deadline).toISOString()
    return { status: 'deferred', error: `waits for ${work} to end, at most until ${until}`, since }
  }
}

/**
 * A resource is owned, and what costs nothing is in force, before its work has ended: its restart is a step of its
 * own.
 */
function withoutRestart(planned: PlanStep): PlanStep {
  return { ...planned, changes: planned.changes.filter(({ cost }) => cost === 'in-place') }
}

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
