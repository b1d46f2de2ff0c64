// Intent before effect: a run's steps, what each is to make of its resource, and the id of each resource that it will
// make, in one write before anything is done.
import { randomUUID } from 'node:crypto'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import type { PlanStep } from '../../../schemas/plan.ts'
import type { Run, RunStep } from '../../../schemas/run.ts'
import type { Intent } from '../../planning/intents.ts'
import { declarationOf, type Owned } from '../../planning/ownership.ts'
import type { Preview } from '../../planning/preview.ts'
import type { DesiredResource } from '../../reading/desired.ts'
import { idOf } from '../../reading/graph.ts'
import type { Reconciler } from '../../reconciler.ts'
import type { Intents } from './open-intents.ts'
import type { Inventory } from '../inventory/inventory.ts'
import type { Runs } from './run-records.ts'

interface Parts {
  reconcilers: readonly Reconciler[]
  inventory: Inventory
  intents: Intents
  runs: Runs
  /** By kind/name: what another source is making meanwhile is seen before it is reserved once more. */
  changing: SerialQueues
}

/** What is put on record before anything is done. */
interface Reservation {
  /** Entries of what will be made. */
  reserved: Owned[]
  begins: Intent[]
}

/** Records what will be done; `run` has its steps from then on, each `intended`. */
export async function recordIntent(run: Run, preview: Preview, parts: Parts): Promise<void> {
  const { plan } = preview
  const { inventory, intents, runs, changing } = parts
  run.revision = plan.revision
  run.summary = plan.summary
  const made = plan.steps.filter(({ action }) => action === 'create').map(idOf)
  await changing.runAll(made, async () => {
    const { reserved, begins } = reserve(run, preview, parts)
    await inventory.put(reserved, async (transaction) => {
      await intents.begin(transaction, begins, reserved)
      await runs.intend(transaction, run)
    })
  })
}

/** Gives the run its steps. */
function reserve(run: Run, preview: Preview, parts: Parts): Reservation {
  const { plan, desired } = preview
  const { inventory } = parts
  const [reserved, begins]: [Owned[], Intent[]] = [[], []]
  run.steps = plan.steps.map((step) => {
    const owned = inventory.get(step.kind, step.name)
    const liveId = idFor(step, preview, parts)
    const resource = desired.get(idOf(step))
    // What another source has taken meanwhile is left to it.
    if (owned && owned.source !== plan.source) return intended(step, liveId)
    if (step.action === 'create' && !owned?.liveId)
      reserved.push({ ...begun(resource!, plan.source, plan.revision), liveId })
    const entry = step.action === 'delete' ? owned : { ...entryAfter(resource!, plan, owned), liveId }
    if (entry) begins.push({ action: step.action, paths: step.changes.map(({ path }) => path), entry })
    return intended(step, liveId)
  })
  return { reserved, begins }
}

/** Of what is live or was; of what is to be made, one that is chosen here. */
function idFor(step: PlanStep, { live }: Preview, { reconcilers, inventory }: Parts): string | null {
  const known = live.get(idOf(step))?.liveId ?? inventory.get(step.kind, step.name)?.liveId
  if (known || step.action !== 'create') return known ?? null
  const { definition } = reconcilers.find((candidate) => candidate.definition.kind === step.kind)!
  return definition.namedById ? step.name : randomUUID()
}

/** The entry of a resource that is as its manifest says. */
export function entryAfter(
  desired: DesiredResource,
  { source, revision }: { source: string; revision: string | null },
  owned: Owned | undefined,
): Owned {
  return {
    ...(owned ?? begun(desired, source, revision)),
    ...declarationOf(desired),
    source,
    revision,
    desired: desired.spec,
    applied: desired.spec,
    deferredSince: null,
  }
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
function begun(desired: DesiredResource, source: string, revision: string | null): Owned {
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
