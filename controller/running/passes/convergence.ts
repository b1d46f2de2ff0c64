import { randomUUID } from 'node:crypto'
import type { Run } from '../../../schemas/run.ts'
import type { ControllerEvent } from '../../face.ts'
import type { Preview } from '../../planning/preview.ts'
import { faultsOf, heldText } from '../../planning/unfinished-steps.ts'
import { idOf } from '../../reading/graph.ts'
import type { DependentSources } from '../../watching/dependent-sources.ts'
import type { Dirty } from '../../watching/dirty-resources.ts'
import type { Wakes } from '../../watching/wake-queue.ts'
import { recordIntent } from '../runs/intent-records.ts'
import { StepRunner, type StepParts } from '../runs/step-runner.ts'
import { CONTROLLER, OwedChanges } from './owed-changes.ts'
import { recordSeen } from './pass-record.ts'

interface Parts {
  steps: StepParts
  dependents: DependentSources
  dirty: Dirty
  wakes: Wakes
  publish(event: ControllerEvent): void
}

type Progress = (event: ControllerEvent) => void

export class Convergence {
  readonly owed: OwedChanges
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
    this.owed = new OwedChanges(parts.steps.inventory)
  }

  /** Call before anything changes. */
  async recordSeen(preview: Preview, revision: string): Promise<void> {
    const { steps, wakes, dirty } = this.#parts
    await recordSeen(preview, revision, { ...steps, wakes })
    // The plan may not include the outcome of an earlier step.
    for (const { entry } of preview.judged) dirty.markMoved(idOf(entry))
  }

  async begin(preview: Preview, actor: string, progress?: Progress): Promise<Run> {
    const run = await this.#parts.steps.runs.open(randomUUID(), preview.plan.source, actor)
    return actor === CONTROLLER ? this.#convergeOwed(preview, run) : this.convergeAsked(preview, run, progress)
  }

  /** Reverted drift ends as `reverted`, and manifest errors fail the run. */
  convergeAsked(preview: Preview, run: Run, progress?: Progress): Promise<Run> {
    const ids = preview.plan.steps.map(idOf)
    return this.#whileReverting(preview, ids, () => this.converge(preview, run, progress, faultsOf(preview)))
  }

  #convergeOwed(preview: Preview, run: Run): Promise<Run> {
    const ids = preview.plan.steps.map(idOf).filter((id) => this.owed.options.owed.has(id))
    return this.#whileReverting(preview, ids, () => this.converge(preview, run))
  }

  /** Drift of `ids` counts as reverted, not healed. */
  #whileReverting(preview: Preview, ids: readonly string[], work: () => Promise<Run>): Promise<Run> {
    const drifted = new Set(preview.plan.drift.map(idOf))
    return this.#parts.steps.watch.whileReverting(
      ids.filter((id) => drifted.has(id)),
      work,
    )
  }

  /** Always closes the run; `failure` fails it at the end. */
  async converge(preview: Preview, run: Run, progress: Progress = () => {}, failure?: string | null): Promise<Run> {
    const { publish, steps, wakes, dirty, dependents } = this.#parts
    const say = (event: ControllerEvent) => {
      publish(event)
      progress(event)
    }
    const { plan } = preview
    run.diagnostics = plan.diagnostics
    say({ type: 'plan', source: plan.source, plan })
    try {
      await recordIntent(run, preview, steps)
      const sayStep = (step: Run['steps'][number]) => say({ type: 'step', run_id: run.id, step: { ...step } })
      await new StepRunner(steps, run, preview, sayStep).takeAll()
      run.error = heldText(plan) ?? run.error
      if (failure) Object.assign(run, { status: 'failed', error: failure })
      await this.owed.record(run, preview)
      // Waiting callers must see how drift ended.
      await steps.watch.recordReverted(run.steps.map(idOf))
    } catch (error) {
      Object.assign(run, { status: 'failed', error: (error as Error).message })
    }
    dirty.recordRun(run)
    await steps.runs.close(run)
    say({ type: 'run', run })
    dependents.wake({ plan, run })
    for (const step of run.steps) if (step.status === 'done' && step.action !== 'delete') wakes.observe(idOf(step))
    return run
  }
}
