// Carries a plan out: intent first, then each step after those it depends on, deletions last.
import { randomUUID } from 'node:crypto'
import { timestamp } from '../platform/clock.ts'
import type { Plan, PlanStep } from '../schemas/plan.ts'
import type { Run, RunStep } from '../schemas/run.ts'
import type { DesiredResource } from './desired.ts'
import { withMembers } from './diff.ts'
import type { Inventory, Owned } from './inventory.ts'
import type { ControllerParts } from './parts.ts'
import { idOf } from './plan.ts'
import type { Lookup, Observed, Reconciler } from './reconciler.ts'
import type { Runs } from './runs.ts'

/** Steps carried out at once within one level of the graph. */
const CONCURRENCY = 8

export interface Execution {
  parts: ControllerParts
  inventory: Inventory
  runs: Runs
  lookup: Lookup
  run: Run
  plan: Plan
  /** By kind/name, for every step but deletions. */
  desired: ReadonlyMap<string, DesiredResource>
  /** What the plan's observation found, by kind/name. */
  live: Map<string, Observed<any, any>>
  /** Steps that change something, by kind/name; filled when intent is recorded. */
  changing: Map<string, RunStep>
  /** kind/name of what is being changed at this moment; observations of it wait. */
  inFlight: Set<string>
  signal: AbortSignal
  progress(step: RunStep): void
}

/** Records what will be done, with the id each new resource shall have, in one write before the first effect. */
export async function recordIntent(execution: Execution): Promise<void> {
  const { run, plan, inventory } = execution
  const reserved: Owned[] = []
  run.revision = plan.revision
  run.summary = plan.summary
  run.steps = plan.steps.map((step) => {
    const owned = inventory.get(step.kind, step.name)
    const liveId =
      execution.live.get(idOf(step))?.liveId ?? owned?.liveId ?? (step.action === 'create' ? randomUUID() : null)
    if (step.action === 'create' && !owned?.liveId) reserved.push(reservation(execution, step, liveId))
    return {
      kind: step.kind,
      name: step.name,
      action: step.action,
      status: 'intended',
      live_id: liveId,
      error: null,
      started_at: null,
      ended_at: null,
    }
  })
  for (const step of run.steps) if (step.action !== 'delete') execution.changing.set(idOf(step), step)
  await inventory.put(reserved, (transaction) => execution.runs.intend(transaction, run))
}

/** An inventory entry whose `applied` is null: something was begun under this id. */
function reservation(execution: Execution, step: PlanStep, liveId: string | null): Owned {
  const desired = execution.desired.get(idOf(step))!
  const { kind, name, file, line, column, sync, dependsOn, spec } = desired
  return {
    kind,
    name,
    source: execution.plan.source,
    file,
    line,
    column,
    liveId,
    revision: execution.plan.revision,
    sync,
    dependsOn,
    desired: spec,
    applied: null,
    conditions: [],
    deferredSince: null,
  }
}

/** Takes every step and closes the run; a step that fails does not stop those that do not depend on it. */
export async function takeSteps(execution: Execution): Promise<void> {
  const { run } = execution
  for (const level of levels([...execution.changing.values()], execution.desired))
    await inParallel(level, (step) => takeStep(execution, step))
  for (const step of run.steps) if (step.action === 'delete') await takeStep(execution, step)
  const statuses = new Set(run.steps.map((step) => step.status))
  if (statuses.has('intended')) run.error = 'the daemon was stopped before the run ended'
  run.status = statuses.has('failed')
    ? 'failed'
    : statuses.has('intended')
      ? 'interrupted'
      : statuses.has('deferred') || statuses.has('blocked')
        ? 'waiting'
        : 'succeeded'
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

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  let failure: unknown
  const worker = async () => {
    for (const item of rest) {
      if (failure) return
      await work(item).catch((error: unknown) => (failure ??= error))
    }
  }
  // What runs is waited for also when the rest is given up: nobody acts on after a run has ended.
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker))
  if (failure) throw failure
}

async function takeStep(execution: Execution, step: RunStep): Promise<void> {
  if (execution.signal.aborted) return
  const planned = execution.plan.steps[execution.run.steps.indexOf(step)]!
  const reconciler = execution.parts.reconcilers.find((candidate) => candidate.definition.kind === step.kind)!
  step.started_at = timestamp(execution.parts.clock)
  try {
    const held =
      blockedBy(execution, step) ??
      (await waitsForIdle(execution, await lookAgain(execution, reconciler, step, planned)))
    if (held) return await closeHeld(execution, step, held)
    execution.progress(step)
    execution.inFlight.add(idOf(step))
    await (step.action === 'delete'
      ? removeLive(execution, reconciler, step)
      : applyStep(execution, reconciler, step, planned))
  } catch (error) {
    await closeHeld(execution, step, { status: 'failed', error: (error as Error).message })
    execution.parts.log.warn(
      { run: execution.run.id, kind: step.kind, name: step.name, action: step.action, error: (error as Error).message },
      'step failed',
    )
  } finally {
    execution.inFlight.delete(idOf(step))
  }
  execution.progress(step)
}

/** The plan's look may be seconds old: what is changed or ended is looked at once more just before. */
async function lookAgain(
  execution: Execution,
  reconciler: Reconciler,
  step: RunStep,
  planned: PlanStep,
): Promise<PlanStep> {
  if (!step.live_id || !execution.live.has(idOf(step))) return planned
  const now = await reconciler.observe({ name: step.name, liveId: step.live_id }, execution.lookup, execution.signal)
  if (!now) return planned
  execution.live.set(idOf(step), now)
  const costly = step.action === 'delete' || planned.changes.some((change) => change.cost !== 'in-place')
  return { ...planned, interrupts: costly ? reconciler.interrupts(now.live) : null }
}

async function applyStep(
  execution: Execution,
  reconciler: Reconciler,
  step: RunStep,
  planned: PlanStep,
): Promise<void> {
  const { inventory, plan, lookup, signal } = execution
  const desired = execution.desired.get(idOf(step))!
  const known = inventory.get(step.kind, step.name)
  const liveId = step.live_id ?? ''
  const action = planned.action as Exclude<PlanStep['action'], 'delete'>
  const spec =
    action === 'update' || action === 'restart'
      ? withMembers(
          execution.live.get(idOf(step))!.spec,
          desired.spec,
          planned.changes.map((change) => change.path),
        )
      : desired.spec
  const applied = await reconciler.apply(
    { action, name: step.name, liveId, spec, changes: planned.changes, requestId: execution.run.id },
    lookup,
    signal,
  )
  Object.assign(step, { status: 'done', live_id: applied.liveId, ended_at: timestamp(execution.parts.clock) })
  const entry: Owned = {
    ...(known ?? reservation(execution, planned, null)),
    ...positionOf(desired),
    source: plan.source,
    revision: plan.revision,
    liveId: applied.liveId,
    desired: desired.spec,
    applied: desired.spec,
    deferredSince: null,
  }
  await inventory.put([entry], (transaction) => execution.runs.closeStep(transaction, execution.run, step))
}

function positionOf({
  file,
  line,
  column,
  sync,
  dependsOn,
}: DesiredResource): Pick<Owned, 'file' | 'line' | 'column' | 'sync' | 'dependsOn'> {
  return { file, line, column, sync, dependsOn }
}

async function removeLive(execution: Execution, reconciler: Reconciler, step: RunStep): Promise<void> {
  // A creation that was begun and never seen made nothing: whatever bears that name is not ours.
  const made = execution.inventory.get(step.kind, step.name)?.applied !== null || execution.live.has(idOf(step))
  if (made && step.live_id)
    await reconciler.remove({ name: step.name, liveId: step.live_id }, execution.run.id, execution.signal)
  Object.assign(step, { status: 'done', ended_at: timestamp(execution.parts.clock) })
  await execution.inventory.remove(step.kind, step.name, (transaction) =>
    execution.runs.closeStep(transaction, execution.run, step),
  )
}

/** What is no longer named may still be used by what could not be changed: then nothing is deleted in this run. */
function blockedDeletion({ run }: Execution): Held | null {
  const open = run.steps.find(
    (step) => step.action !== 'delete' && (step.status === 'failed' || step.status === 'blocked'),
  )
  return open ? { status: 'blocked', error: `waits for ${idOf(open)}, which could not be changed` } : null
}

type Held = { status: 'blocked' | 'deferred' | 'failed'; error: string }

async function closeHeld(execution: Execution, step: RunStep, held: Held): Promise<void> {
  Object.assign(step, held, { ended_at: timestamp(execution.parts.clock) })
  await execution.runs.saveStep(execution.run, step)
  execution.progress(step)
}

function blockedBy(execution: Execution, step: RunStep): Held | null {
  if (step.action === 'delete') return blockedDeletion(execution)
  const needs = (execution.desired.get(idOf(step))?.dependsOn ?? []).map((id) => execution.changing.get(id))
  const blocker = needs.find((other) => other?.status === 'failed' || other?.status === 'blocked')
  return blocker
    ? {
        status: 'blocked',
        error: `waits for ${idOf(blocker)}, which ${blocker.status === 'failed' ? `failed: ${blocker.error}` : 'waits itself'}`,
      }
    : null
}

/** Work is respected: what would interrupt it waits until the resource is idle or the drain deadline has passed. */
async function waitsForIdle(execution: Execution, planned: PlanStep): Promise<Held | null> {
  if (!planned.interrupts) return null
  const owned = execution.inventory.get(planned.kind, planned.name)
  if (!owned) return null
  const since = owned.deferredSince ?? timestamp(execution.parts.clock)
  const deadline = drainDeadline(since, execution.parts)
  if (execution.parts.clock.now() >= deadline) return null
  if (!owned.deferredSince) await execution.inventory.put([{ ...owned, deferredSince: since }])
  return {
    status: 'deferred',
    error: `waits for ${planned.interrupts} to end, at most until ${new Date(deadline).toISOString()}`,
  }
}

/** When what has waited since `since` is done all the same, in milliseconds since 1970. */
export function drainDeadline(since: string, { drainTimeoutSecs }: Pick<ControllerParts, 'drainTimeoutSecs'>): number {
  return Date.parse(since) + drainTimeoutSecs * 1000
}
