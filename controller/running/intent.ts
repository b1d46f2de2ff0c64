// Intent before effect: a run's steps, and the id of each resource that it will make, in one write before anything is
// done.
import { randomUUID } from 'node:crypto'
import type { PlanStep } from '../../schemas/plan.ts'
import type { Run, RunStep } from '../../schemas/run.ts'
import { declarationOf, type Owned } from '../planning/owned.ts'
import type { Preview } from '../planning/preview.ts'
import type { DesiredResource } from '../reading/desired.ts'
import { idOf } from '../reading/graph.ts'
import type { Inventory } from './inventory.ts'
import type { Runs } from './runs.ts'

/** Records what will be done; `run` has its steps from then on, each `intended`. */
export async function recordIntent(
  run: Run,
  { plan, live, desired }: Preview,
  { inventory, runs }: { inventory: Inventory; runs: Runs },
): Promise<void> {
  const reserved: Owned[] = []
  run.revision = plan.revision
  run.summary = plan.summary
  run.steps = plan.steps.map((step) => {
    const owned = inventory.get(step.kind, step.name)
    const known = live.get(idOf(step))?.liveId ?? owned?.liveId
    const liveId = known ?? (step.action === 'create' ? randomUUID() : null)
    if (step.action === 'create' && !owned?.liveId)
      reserved.push({ ...begun(desired.get(idOf(step))!, plan.source, plan.revision), liveId })
    return intended(step, liveId)
  })
  await inventory.put(reserved, (transaction) => runs.intend(transaction, run))
}

function intended({ kind, name, action }: PlanStep, liveId: string | null): RunStep {
  return {
    kind,
    name,
    action,
    status: 'intended',
    live_id: liveId,
    error: null,
    started_at: null,
    ended_at: null,
  }
}

/** An inventory entry whose `applied` is null: something was begun, and is not closed. */
export function begun(desired: DesiredResource, source: string, revision: string | null): Owned {
  return {
    kind: desired.kind,
    name: desired.name,
    source,
    ...declarationOf(desired),
    liveId: null,
    revision,
    desired: desired.spec,
    applied: null,
    conditions: [],
    deferredSince: null,
  }
}
