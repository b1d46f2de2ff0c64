// A pass over one source: read, plan, converge. It knows no kind by name.
import { randomUUID } from 'node:crypto'
import type { Plan } from '../../schemas/plan.ts'
import type { Run } from '../../schemas/run.ts'
import type { ControllerEvent } from '../face.ts'
import type { SpecMasker } from '../planning/masking.ts'
import { heldBack } from '../planning/plan.ts'
import type { PassOptions, Preview } from '../planning/preview.ts'
import { SourceError, type DesiredState } from '../reading/desired.ts'
import { idOf } from '../reading/graph.ts'
import type { LiveWatch } from '../watching/live-watch.ts'
import type { Wakes } from '../watching/wakes.ts'
import type { DesiredStates } from './desired-states.ts'
import { stillWaiting } from './drain.ts'
import { recordIntent } from './intent.ts'
import type { Planner } from './planner.ts'
import { recordSeen } from './seen.ts'
import { suspended, type Sources, type SourceState } from './sources.ts'
import { StepRunner, type StepParts } from './steps.ts'

interface Parts extends StepParts {
  sources: Sources
  desired: DesiredStates
  planner: Planner
  masker: SpecMasker
  watch: LiveWatch
  wakes: Wakes
  publish(event: ControllerEvent): void
}

export class Passes {
  /** Passes that came to their end. */
  count = 0
  /** How long the last pass took, in milliseconds. */
  lastMs: number | null = null
  readonly #parts: Parts
  /** By kind/name: what somebody asked for and waits until it is idle, or for what it depends on. */
  readonly #owed = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** `asked` is the run somebody waits for; without one, a pass that finds nothing new to do leaves no run. */
  async pass(source: SourceState, asked: Run | null, options: PassOptions): Promise<Run | null> {
    const { clock, log, inventory, wakes } = this.#parts
    const startedAt = clock.now()
    const preview = await this.#plan(source, options.automatic ? { ...options, owed: this.#owed } : options).catch(
      (error: Error) => this.#fail(source, asked, error),
    )
    // Looked at once more where acting begins: who was told that it is suspended saw the last of it.
    if (!preview || source.suspended) return asked && this.#fail(source, asked, suspended(source))
    if (options.automatic) this.#settleOwed(preview.plan)
    const waitMs = asked ? null : stillWaiting(preview.plan, inventory, this.#parts)
    if (waitMs !== null) {
      wakes.source(source.name, waitMs)
      return null
    }
    const run = asked || preview.plan.steps.length > 0 ? await this.#carryOut(source, preview, asked) : null
    this.lastMs = clock.now() - startedAt
    this.count++
    if (run) {
      const { id, status, summary } = run
      log.info({ source: source.name, run: id, status, ...summary, took_ms: this.lastMs }, 'reconciled')
    }
    return run
  }

  /** Null for a source that was suspended meanwhile: what was read may have been saved after that was answered. */
  async #plan(source: SourceState, options: PassOptions): Promise<Preview | null> {
    const { sources, desired, planner } = this.#parts
    const state = await desired.ofSource(source)
    if (source.suspended) return null
    await sources.observed(source, state)
    const preview = await planner.preview(source, state, options)
    source.held = preview.plan.guard && heldBack(preview.plan.guard)
    await this.recordSeen(preview, state)
    return preview
  }

  async #fail(source: SourceState, asked: Run | null, error: Error): Promise<never> {
    if (error instanceof SourceError) source.error = error.message
    if (asked) await this.#parts.runs.close(Object.assign(asked, { status: 'failed', error: error.message }))
    throw error
  }

  async #carryOut(source: SourceState, preview: Preview, asked: Run | null): Promise<Run> {
    const run = asked ?? (await this.#parts.runs.open(randomUUID(), source.name, CONTROLLER))
    return asked ? this.convergeAsked(preview, run) : this.converge(preview, run)
  }

  /** What a preview has seen is put on record: before anything is changed. */
  async recordSeen(preview: Preview, { revision }: Pick<DesiredState, 'revision'>): Promise<void> {
    await recordSeen(preview, revision, this.#parts)
  }

  /**
   * The same for somebody who asked: what it puts back is reverted, and a fault in the manifests is a failure of
   * the run.
   */
  async convergeAsked(preview: Preview, run: Run, progress?: Progress): Promise<Run> {
    const { plan } = preview
    const drifted = new Set(plan.drift.map(idOf))
    const putBack = plan.steps.map(idOf).filter((id) => drifted.has(id))
    return this.#parts.watch.reverting(putBack, () => this.converge(preview, run, progress, faultsOf(plan)))
  }

  /**
   * Carries a plan out as `run`: apply, prune, and close the run, whatever becomes of it. `failure` fails it at its
   * end.
   */
  async converge(preview: Preview, run: Run, progress: Progress = () => {}, failure?: string | null): Promise<Run> {
    const { publish, runs, wakes } = this.#parts
    const say = (event: ControllerEvent) => {
      publish(event)
      progress(event)
    }
    const { plan } = preview
    run.diagnostics = plan.diagnostics
    say({ type: 'plan', source: plan.source, plan })
    try {
      await recordIntent(run, preview, this.#parts)
      const sayStep = (step: Run['steps'][number]) => say({ type: 'step', run_id: run.id, step: { ...step } })
      await new StepRunner(this.#parts, run, preview, sayStep).takeAll()
      if (plan.guard) run.error = heldBack(plan.guard)
      if (failure) Object.assign(run, { status: 'failed', error: failure })
      this.#remember(run)
    } catch (error) {
      Object.assign(run, { status: 'failed', error: (error as Error).message })
    }
    await runs.close(run)
    say({ type: 'run', run })
    for (const step of run.steps) if (step.status === 'done' && step.action !== 'delete') wakes.changed(idOf(step))
    return run
  }

  /** What a plan has no step for needs nothing any more. */
  #settleOwed({ source, steps }: Plan): void {
    const open = new Set(steps.map(idOf))
    for (const id of this.#owed)
      if (!open.has(id) && this.#parts.inventory.find(id)?.source === source) this.#owed.delete(id)
  }

  /** What was asked for and had to wait is owed until it is done, or fails. */
  #remember({ actor, steps }: Run): void {
    for (const step of steps) {
      const waits = step.status === 'deferred' || step.status === 'blocked'
      if (!waits) this.#owed.delete(idOf(step))
      else if (actor !== CONTROLLER) this.#owed.add(idOf(step))
    }
  }
}

/** Who runs a pass that nobody asked for. */
const CONTROLLER = 'controller'

type Progress = (event: ControllerEvent) => void

/** The first faults of the manifests in words; null when there are none. */
function faultsOf({ diagnostics }: Plan): string | null {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return null
  const shown = errors.slice(0, 3).map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
  const more = errors.length > shown.length ? `; and ${errors.length - shown.length} more` : ''
  return `the manifests have ${errors.length === 1 ? 'a fault' : `${errors.length} faults`}; what is sound was applied, and nothing was pruned: ${shown.join('; ')}${more}`
}
