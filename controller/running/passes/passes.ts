import { randomUUID } from 'node:crypto'
import type { Actor } from '../../../platform/core/actor.ts'
import { timestamp } from '../../../platform/core/clock.ts'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import type { Run } from '../../../schemas/run.ts'
import type { ControllerEvent } from '../../face.ts'
import type { PassOptions, Preview } from '../../planning/preview.ts'
import { refuseStale } from '../../planning/reviewed-plan.ts'
import { SourceError, type DesiredState } from '../../reading/desired-state.ts'
import type { Dirty } from '../../watching/dirty-resources.ts'
import { stillWaiting } from '../../watching/pending-work.ts'
import type { Wakes } from '../../watching/wake-queue.ts'
import type { StepParts } from '../runs/step-runner.ts'
import { recordHeldBack } from '../sources/held-back.ts'
import type { PassReading } from '../sources/pass-reading.ts'
import { asOnRecord, suspendedProblem, syncTitle, type SourceState } from '../sources/source-state.ts'
import type { Sources } from '../sources/sources.ts'
import { refusedByWindow, untilChange } from '../sources/sync-window.ts'
import type { Convergence } from './convergence.ts'
import { CONTROLLER } from './owed-changes.ts'
import type { Planner } from './planner.ts'

interface Parts {
  steps: Pick<StepParts, 'drain' | 'inventory' | 'log' | 'runs'>
  sources: Sources
  reading: PassReading
  planner: Planner
  convergence: Convergence
  /** By source; different sources run in parallel. */
  turns: SerialQueues
  wakes: Wakes
  dirty: Dirty
}

/** Delay before unsettled sources are read again. */
const OTHERS_AGAIN_MS = 1000

export class Passes {
  count = 0
  lastMs: number | null = null
  readonly #parts: Parts
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** `asked`: a requested run. Without one, a pass with nothing to do leaves no run. */
  pass(source: SourceState, asked: Run | null, options: PassOptions): Promise<Run | null> {
    const passed = this.#readAndTurn(source, asked, options).finally(() => this.#parts.sources.announce(source))
    const ended: Promise<unknown> = passed.catch(() => undefined).finally(() => this.#underWay.delete(ended))
    this.#underWay.add(ended)
    return passed
  }

  /** With `retries`, deferred and failed steps are retried. */
  async begin(source: SourceState, { actor }: Actor, options: PassOptions, retries = false): Promise<Run> {
    const { steps, wakes } = this.#parts
    const run = await steps.runs.open(randomUUID(), source.name, actor)
    this.pass(source, run, options)
      .then((ended) => retries && ended?.status !== 'succeeded' && wakes.retrySource(source.name))
      .catch((error: Error) =>
        steps.log.warn({ source: source.name, run: run.id, error: error.message }, 'pass failed'),
      )
    return run
  }

  async waitUntilIdle(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /** Reads before the turn, which must not wait for a folder to settle. */
  async #readAndTurn(source: SourceState, asked: Run | null, options: PassOptions): Promise<Run | null> {
    const { reading, wakes, turns } = this.#parts
    const fail = (error: Error) => this.#fail(source, asked, error)
    const isSure = await reading.read(source, options, asked !== null).catch(fail)
    if (!isSure) wakes.wakeSource(source.name, OTHERS_AGAIN_MS)
    const allowed = isSure ? options : { ...options, prune: false }
    return turns.run(source.name, () => this.#turn(source, asked, allowed))
  }

  async #turn(source: SourceState, asked: Run | null, options: PassOptions): Promise<Run | null> {
    const { wakes, convergence, sources } = this.#parts
    const { drain, inventory, log } = this.#parts.steps
    const startedAt = drain.clock.monotonic()
    const preview = await this.#plan(
      source,
      options.automatic ? { ...options, ...convergence.owed.options } : options,
    ).catch((error: Error) => this.#fail(source, asked, error))
    // After the response to a suspend request, nothing is written.
    if (!preview || source.suspended) return asked && this.#fail(source, asked, suspendedProblem(source))
    if (await this.#isClosed(source, asked)) {
      await recordApplied(source, { preview, run: null, options }, sources)
      return null
    }
    if (options.automatic && options.prune !== false) await convergence.owed.settle(preview)
    const waitMs = asked ? null : stillWaiting(preview.plan, inventory, drain)
    if (waitMs !== null) {
      wakes.wakeSource(source.name, waitMs)
      return null
    }
    const run = asked
      ? await convergence.convergeAsked(preview, asked)
      : preview.plan.steps.length > 0
        ? await convergence.begin(preview, CONTROLLER)
        : null
    await recordApplied(source, { preview, run, options }, sources)
    this.lastMs = drain.clock.monotonic() - startedAt
    this.count++
    if (run) {
      const { id, status, summary } = run
      log.info({ source: source.name, run: id, status, ...summary, took_ms: this.lastMs }, 'reconciled')
    }
    return run
  }

  /**
   * True if the sync windows permit no writes now: the plan is recorded, and applied when they open. Throws for a
   * requested run.
   */
  async #isClosed(source: SourceState, asked: Run | null): Promise<boolean> {
    const { sources, steps, wakes } = this.#parts
    const window = sources.windowOf(source)
    if (!window || window.open || (asked && window.manual)) return false
    if (asked) return this.#fail(source, asked, refusedByWindow(source.name, window)!)
    wakes.wakeSource(source.name, untilChange(window, steps.drain.clock.now()))
    return true
  }

  /** Records drift and health of a suspended source; changes nothing. */
  async look(source: SourceState): Promise<void> {
    const { turns, planner, sources, dirty, convergence } = this.#parts
    await turns.run(source.name, async () => {
      // After a resume, everything must be compared again.
      dirty.markAll(source.name)
      const state = asOnRecord(source)
      const preview = await planner(source, state, { automatic: true })
      sources.recordPlanned(source, preview.plan, state)
      await convergence.recordSeen(preview, state.revision)
      sources.announce(source)
    })
  }

  /** Null if suspended meanwhile: the files read may be newer than the suspension. */
  async #plan(source: SourceState, options: PassOptions): Promise<Preview | null> {
    const { sources, reading, planner, convergence, dirty } = this.#parts
    if (source.suspended) return null
    const state = await reading.takeRead(source, options)
    const only = options.automatic ? dirty.beginPass(source.name, state, convergence.owed.options.owed) : undefined
    const preview = await planner(source, state, { ...options, only })
    refuseStale(preview.plan, options.planHash, syncTitle(source))
    recordHeldBack(source, preview.plan, timestamp(this.#parts.steps.drain.clock))
    sources.recordPlanned(source, preview.plan, state)
    await convergence.recordSeen(preview, state.revision)
    if (options.automatic) dirty.endPass(source.name, state, preview)
    return preview
  }

  async #fail(source: SourceState, asked: Run | null, error: Error): Promise<never> {
    if (error instanceof SourceError) source.error = error.message
    if (asked) await this.#parts.steps.runs.close(Object.assign(asked, { status: 'failed', error: error.message }))
    throw error
  }

  /** Call in the turn of the source. Deferred and failed steps are retried. */
  async apply(
    source: SourceState,
    { preview, state, options }: { preview: Preview; state: DesiredState; options: PassOptions },
    { actor }: Actor,
    progress: (event: ControllerEvent) => void,
  ): Promise<Run> {
    const { convergence, sources, steps, dirty, wakes } = this.#parts
    await convergence.recordSeen(preview, state.revision)
    if (!options.targets) await convergence.owed.settle(preview)
    const run = await convergence.begin(preview, actor, progress)
    await recordApplied(source, { preview, run, options }, sources)
    if (options.teardown && !source.reader && steps.inventory.ofSource(source.name).length === 0) {
      dirty.forget(source.name)
      await sources.forget(source.name)
    }
    if (run.status !== 'succeeded') wakes.retrySource(source.name)
    sources.announce(source)
    return run
  }
}

/** Records the revision if nothing is left to do. */
async function recordApplied(
  source: SourceState,
  { preview: { plan, unknown, waiting }, run, options }: { preview: Preview; run: Run | null; options: PassOptions },
  sources: Sources,
): Promise<void> {
  if (!source.reader || plan.revision === null || plan.guard || plan.held || options.targets || options.teardown) return
  if (options.automatic && sources.rulesOf({ source: source.name, sync: {} }).mode === 'manual') return
  if (unknown.length > 0 || waiting.size > 0 || plan.diagnostics.some(({ severity }) => severity === 'error')) return
  if (run === null ? plan.steps.length === 0 : run.status === 'succeeded')
    await sources.recordApplied(source, plan.revision)
}
