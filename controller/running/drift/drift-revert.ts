import { randomUUID } from 'node:crypto'
import type { Actor } from '../../../platform/core/actor.ts'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import { conflict } from '../../../platform/core/problem.ts'
import type { Plan } from '../../../schemas/plan.ts'
import type { Drift } from '../../../schemas/resource.ts'
import type { SourceSync } from '../../../schemas/source.ts'
import type { Run } from '../../../schemas/run.ts'
import type { FieldRevert } from '../../face.ts'
import type { Owned } from '../../planning/ownership.ts'
import type { ExactRevert, Preview } from '../../planning/preview.ts'
import { refuseStale } from '../../planning/reviewed-plan.ts'
import type { DesiredState } from '../../reading/desired-state.ts'
import { idOf } from '../../reading/graph.ts'
import type { DriftRecords } from '../../watching/drift-records.ts'
import type { Wakes } from '../../watching/wake-queue.ts'
import type { Inventory } from '../inventory.ts'
import type { Convergence } from '../passes/convergence.ts'
import type { Planner } from '../passes/planner.ts'
import type { StepParts } from '../runs/step-runner.ts'
import type { SourceState } from '../sources/source-state.ts'
import type { Sources } from '../sources/sources.ts'
import { settleContest } from './contest-records.ts'

interface Parts {
  steps: Pick<StepParts, 'watch' | 'runs'>
  inventory: Inventory
  drift: DriftRecords
  sources: Sources
  planner: Planner
  convergence: Convergence
  /** By source. */
  turns: SerialQueues
  wakes: Wakes
}

interface Reverting {
  /** What the revert overrules. */
  rules: SourceSync
  exactly?: ExactRevert
  /** Of the reviewed plan. */
  planHash?: string | undefined
}

const WHOLE: Reverting = { rules: { drift: 'heal' } }

/** Ignores the source's rules, and changes nothing. Throws 409 if nothing was ever applied. */
export async function planRevert(owned: Owned, parts: Parts): Promise<Plan> {
  return (await previewOf(owned, WHOLE.rules, parts)).preview.plan
}

/**
 * Ignores the source's rules. Throws 409 if nothing was ever applied, or if the plan is not the reviewed one. Without a
 * reviewed plan, a revert that would interrupt work is made when the work ends.
 */
export function revertDrift(owned: Owned, by: Actor, planHash: string | undefined, parts: Parts): Promise<Run> {
  const reverting = planHash === undefined ? WHOLE : { ...WHOLE, planHash, exactly: { reviewed: true } }
  return inTurnOf(owned, parts, (now) => revertNow(now, by, reverting, parts))
}

/** Changes nothing. Throws 404 for an unknown record, 409 for a closed one. */
export async function planFieldRevert(id: string, parts: Parts): Promise<Plan> {
  const record = await parts.drift.requireOpen(id)
  return (await previewOf(parts.inventory.require(record), rulesFor(record), parts)).preview.plan
}

/** Also throws 409 if the plan is not the reviewed one. */
export async function revertField({ id, planHash }: FieldRevert, by: Actor, parts: Parts): Promise<Run> {
  const { drift, inventory } = parts
  const owned = inventory.require(await drift.requireOpen(id))
  return inTurnOf(owned, parts, async (now) => {
    const rules = rulesFor(await drift.requireOpen(id))
    return revertNow(now, by, { rules, planHash, exactly: { reviewed: planHash !== undefined } }, parts)
  })
}

/** A missing resource has no path. */
const rulesFor = ({ path }: Drift): SourceSync => (path === '' ? WHOLE.rules : { fields: { [path]: 'heal' } })

async function inTurnOf(owned: Owned, parts: Parts, work: (now: Owned) => Promise<Run>): Promise<Run> {
  const { steps, turns, inventory } = parts
  const run = await turns.run(owned.source, async () => {
    const now = inventory.require(owned)
    return now.source === owned.source ? steps.watch.whileReverting([idOf(now)], () => work(now)) : null
  })
  // Moved to another source meanwhile: use the turn of that source.
  return run ?? inTurnOf(inventory.find(idOf(owned)) ?? owned, parts, work)
}

async function revertNow(
  found: Owned,
  { actor }: Actor,
  { rules, exactly, planHash }: Reverting,
  parts: Parts,
): Promise<Run> {
  const { steps, sources, convergence, inventory, wakes } = parts
  const { preview, source } = await previewOf(found, rules, parts)
  sources.refuseOutsideWindow(source)
  refuseStale(preview.plan, planHash, `revert ${idOf(found)}`)
  await settleContest(found, inventory)
  const run = await convergence.converge(
    { ...preview, exactly },
    await steps.runs.open(randomUUID(), source.name, actor),
  )
  if (run.status === 'succeeded') wakes.wakeSource(source.name)
  else wakes.retrySource(source.name)
  return run
}

async function previewOf(
  owned: Owned,
  rules: SourceSync,
  { sources, planner }: Parts,
): Promise<{ preview: Preview; source: SourceState }> {
  const source = sources.find(owned.source)
  if (!source || owned.applied === null)
    throw conflict(`${idOf(owned)} was never applied: there is nothing to revert`, 'never-applied')
  const options = { targets: [idOf(owned)], only: new Set([idOf(owned)]), overruling: rules }
  return { preview: await planner(source, asApplied(owned, source), options), source }
}

function asApplied(owned: Owned, source: SourceState): DesiredState {
  const position = { line: owned.line, column: owned.column }
  return {
    // The source's, because a rollback to this run restores the whole source.
    revision: source.applied ?? owned.revision ?? '',
    diagnostics: [],
    complete: false,
    sync: source.declared,
    resources: [{ ...owned, spec: owned.applied, position: () => position }],
  }
}
