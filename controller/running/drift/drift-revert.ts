import { randomUUID } from 'node:crypto'
import type { Actor } from '../../../platform/core/actor.ts'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import { conflict } from '../../../platform/core/problem.ts'
import type { Run } from '../../../schemas/run.ts'
import type { Owned } from '../../planning/ownership.ts'
import type { DesiredState } from '../../reading/desired-state.ts'
import { idOf } from '../../reading/graph.ts'
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
  sources: Sources
  planner: Planner
  convergence: Convergence
  /** By source. */
  turns: SerialQueues
  wakes: Wakes
}

/** Ignores the source's rules. Throws 409 if nothing was ever applied. */
export async function revertDrift(owned: Owned, by: Actor, parts: Parts): Promise<Run> {
  const { steps, turns, inventory } = parts
  const run = await turns.run(owned.source, async () => {
    const now = inventory.require(owned)
    return now.source === owned.source ? steps.watch.whileReverting([idOf(now)], () => revertNow(now, by, parts)) : null
  })
  // Moved to another source meanwhile: use the turn of that source.
  return run ?? revertDrift(inventory.find(idOf(owned)) ?? owned, by, parts)
}

async function revertNow(found: Owned, { actor }: Actor, parts: Parts): Promise<Run> {
  const { steps, sources, planner, convergence, inventory, wakes } = parts
  const source = sources.find(found.source)
  if (!source || found.applied === null)
    throw conflict(`${idOf(found)} was never applied: there is nothing to revert`, 'never-applied')
  sources.refuseOutsideWindow(source)
  const owned = await settleContest(found, inventory)
  const options = { targets: [idOf(owned)], overruling: { drift: 'heal' } } as const
  const preview = await planner(source, asApplied(owned, source), options)
  const run = await convergence.converge(preview, await steps.runs.open(randomUUID(), source.name, actor))
  if (run.status === 'succeeded') wakes.wakeSource(source.name)
  else wakes.retrySource(source.name)
  return run
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
