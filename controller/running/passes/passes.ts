// A pass over one source: read, plan, converge. It knows no kind by name.
import { randomUUID } from 'node:crypto'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import type { Run } from '../../../schemas/run.ts'
import type { ControllerEvent } from '../../face.ts'
import { faultsOf, heldText } from '../../planning/unfinished-steps.ts'
import type { Owned } from '../../planning/ownership.ts'
import { confirmedFor, heldIds } from '../../planning/policies/hold.ts'
import type { AskedFor, PassOptions, Preview } from '../../planning/preview.ts'
import { SourceError, type DesiredState } from '../../reading/desired.ts'
import { idOf } from '../../reading/graph.ts'
import type { Dirty } from '../../watching/dirty-resources.ts'
import { Users } from '../../watching/dependent-sources.ts'
import type { Wakes } from '../../watching/wake-queue.ts'
import type { DesiredStates } from '../sources/desired-states.ts'
import { stillWaiting } from '../runs/drain-wait.ts'
import { recordIntent } from '../runs/intent-records.ts'
import type { Moves } from '../sources/source-moves.ts'
import type { Planner } from './planner.ts'
import { Refreshed } from '../sources/remote-refresh.ts'
import { recordSeen } from './pass-record.ts'
import { recordApplied } from './applied-revision.ts'
import { asOnRecord, outerSync, suspended, type Sources } from '../sources/sources.ts'
import type { SourceState } from '../sources/source-state.ts'
import { refusedByWindow, untilChange, windowOf } from '../sources/sync-window.ts'
import { StepRunner, type StepParts } from '../runs/step-runner.ts'

interface Parts extends StepParts {
  sources: Sources
  desired: DesiredStates
  planner: Planner
  moves: Moves
  /** Convergences, by source: those of different ones go on side by side. */
  turns: SerialQueues
  wakes: Wakes
  dirty: Dirty
  publish(event: ControllerEvent): void
}

/** So long a pass that nobody asked for waits for other folders to come to rest, in milliseconds; then it goes on. */
const OTHERS_MS = 2000
/** After this long it looks at them again, in milliseconds. */
const OTHERS_AGAIN_MS = 1000

export class Passes {
  /** Passes that came to their end. */
  count = 0
  /** How long the last pass took, in milliseconds. */
  lastMs: number | null = null
  readonly #parts: Parts
  /** By kind/name: what somebody asked for and waits until it is idle, or for what it depends on; on record as well. */
  readonly #owed: Set<string>
  /** Of these, what was asked for. After a restart what needs a confirmation needs it again. */
  readonly #askedFor = new Map<string, AskedFor>()
  readonly #users: Users
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #refreshed: Refreshed

  constructor(parts: Parts) {
    this.#parts = parts
    this.#users = new Users(parts)
    this.#refreshed = new Refreshed((source) => parts.desired.refresh(source))
    const owed = [...parts.inventory.all()].filter((owned) => owned.owed)
    this.#owed = new Set(owed.map(idOf))
  }

  /** `asked` is the run somebody waits for; without one, a pass that finds nothing new to do leaves no run. */
  pass(source: SourceState, asked: Run | null, options: PassOptions): Promise<Run | null> {
    const passed = this.#readAndTurn(source, asked, options)
    const ended: Promise<unknown> = passed.catch(() => undefined).finally(() => this.#underWay.delete(ended))
    this.#underWay.add(ended)
    return passed
  }

  /** Resolves when every pass that is under way has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /** A folder may be long in coming to rest: it is read before the turn begins, which nobody waits for meanwhile. */
  async #readAndTurn(source: SourceState, asked: Run | null, options: PassOptions): Promise<Run | null> {
    const fail = (error: Error) => this.#fail(source, asked, error)
    this.#users.reads(source.name)
    const isSure = await this.#read(source, options, asked !== null).catch(fail)
    if (!isSure) this.#parts.wakes.source(source.name, OTHERS_AGAIN_MS)
    const allowed = isSure ? options : { ...options, prune: false }
    return this.#parts.turns.run(source.name, () => this.#turn(source, asked, allowed))
  }

  /**
   * What would be deleted may stand in another source by now: then the others are read as well, those that are
   * elsewhere as they are there now. False where one of them does not come to rest, or takes its time to answer, so
   * that nothing may be deleted yet.
   */
  async #read(source: SourceState, { automatic, asRead }: PassOptions, anew: boolean): Promise<boolean> {
    const { sources, desired, moves, clock } = this.#parts
    if (!source.reader) return true
    const state = (asRead && source.read) || (await desired.ofSource(source, { anew }))
    for (const other of sources.all()) if (other !== source) await desired.recall(other)
    if (moves.vanishing(source, state).length === 0) return true
    const others = sources.all().filter((other) => other.reader && other !== source)
    const readOther = async (other: SourceState) => {
      await (automatic ? this.#refreshed.since(source, state, other) : desired.refresh(other).catch(() => undefined))
      return desired.ofSource(other)
    }
    const read = Promise.allSettled(others.map(readOther)).then(() => true)
    if (!automatic) return read
    return Promise.race([read, new Promise<false>((resolve) => clock.after(OTHERS_MS, () => resolve(false)))])
  }

  async #turn(source: SourceState, asked: Run | null, options: PassOptions): Promise<Run | null> {
    const { clock, log, inventory, wakes } = this.#parts
    const startedAt = clock.monotonic()
    const preview = await this.#plan(
      source,
      options.automatic ? { ...options, owed: this.#owed, askedFor: this.#askedFor } : options,
    ).catch((error: Error) => this.#fail(source, asked, error))
    // Looked at once more where acting begins: who was told that it is suspended saw the last of it.
    if (!preview || source.suspended) return asked && this.#fail(source, asked, suspended(source))
    if (await this.#isClosed(source, asked)) {
      await recordApplied(source, { preview, run: null, options }, this.#parts.sources)
      return null
    }
    if (options.automatic && options.prune !== false) await this.settleOwed(preview)
    const waitMs = asked ? null : stillWaiting(preview.plan, inventory, this.#parts)
    if (waitMs !== null) {
      wakes.source(source.name, waitMs)
      return null
    }
    const run = asked || preview.plan.steps.length > 0 ? await this.#carryOut(source, preview, asked) : null
    await recordApplied(source, { preview, run, options }, this.#parts.sources)
    this.lastMs = clock.monotonic() - startedAt
    this.count++
    if (run) {
      const { id, status, summary } = run
      log.info({ source: source.name, run: id, status, ...summary, took_ms: this.lastMs }, 'reconciled')
    }
    return run
  }

  /**
   * Whether its sync windows let nothing be written now: what there is to do is known, and done when they open. Throws
   * for who asked.
   */
  async #isClosed(source: SourceState, asked: Run | null): Promise<boolean> {
    const now = this.#parts.clock.now()
    const window = windowOf([...outerSync(source), source.declared], now)
    if (!window || window.open || (asked && window.manual)) return false
    if (asked) return this.#fail(source, asked, refusedByWindow(source.name, window)!)
    this.#parts.wakes.source(source.name, untilChange(window, now))
    return true
  }

  /** What is live of a suspended source is observed: drift and health are on record, and nothing is changed. */
  async look(source: SourceState): Promise<void> {
    const { turns, planner, sources, dirty } = this.#parts
    await turns.run(source.name, async () => {
      // Who resumes it compares all of it with what its manifests say by then.
      dirty.everything(source.name)
      const state = asOnRecord(source)
      const preview = await planner.preview(source, state, { automatic: true })
      sources.planned(source, preview.plan, state)
      await this.recordSeen(preview, state)
    })
  }

  /** Null for a source that was suspended meanwhile: what was read may have been saved after that was answered. */
  async #plan(source: SourceState, options: PassOptions): Promise<Preview | null> {
    const { sources, planner, moves, desired, dirty } = this.#parts
    if (source.suspended) return null
    const state = source.reader ? source.read! : await desired.ofSent(source)
    const isKnown = options.automatic && options.asRead && state === dirty.stateOf(source.name)
    if (!isKnown) await sources.observed(source, state)
    this.#users.took(source.name, state)
    await moves.settle(source, state)
    const only = options.automatic ? dirty.take(source.name, state, this.#owed) : undefined
    const preview = await planner.preview(source, state, { ...options, only })
    source.held = heldText(preview.plan)
    sources.planned(source, preview.plan, state)
    await this.recordSeen(preview, state)
    if (options.automatic) dirty.looked(source.name, state, preview)
    return preview
  }

  async #fail(source: SourceState, asked: Run | null, error: Error): Promise<never> {
    if (error instanceof SourceError) source.error = error.message
    if (asked) await this.#parts.runs.close(Object.assign(asked, { status: 'failed', error: error.message }))
    throw error
  }

  async #carryOut(source: SourceState, preview: Preview, asked: Run | null): Promise<Run> {
    const run = asked ?? (await this.#parts.runs.open(randomUUID(), source.name, CONTROLLER))
    if (asked) return this.convergeAsked(preview, run)
    const drifted = new Set(preview.plan.drift.map(idOf))
    const putBack = preview.plan.steps.map(idOf).filter((id) => this.#owed.has(id) && drifted.has(id))
    return this.#parts.watch.reverting(putBack, () => this.converge(preview, run))
  }

  /** What a preview has seen is put on record: before anything is changed. */
  async recordSeen(preview: Preview, { revision }: Pick<DesiredState, 'revision'>): Promise<void> {
    await recordSeen(preview, revision, this.#parts)
    // Whoever asked may not have planned for what came about of an earlier step.
    for (const { entry } of preview.judged) this.#parts.dirty.moved(idOf(entry))
  }

  /**
   * The same for somebody who asked: what it puts back is reverted, and a fault in the manifests is a failure of
   * the run.
   */
  async convergeAsked(preview: Preview, run: Run, progress?: Progress): Promise<Run> {
    const { plan } = preview
    const drifted = new Set(plan.drift.map(idOf))
    const putBack = plan.steps.map(idOf).filter((id) => drifted.has(id))
    return this.#parts.watch.reverting(putBack, () => this.converge(preview, run, progress, faultsOf(preview)))
  }

  /**
   * Carries a plan out as `run`: apply, prune, and close the run, whatever becomes of it. `failure` fails it at its
   * end.
   */
  async converge(preview: Preview, run: Run, progress: Progress = () => {}, failure?: string | null): Promise<Run> {
    const { publish, runs, wakes, dirty, watch } = this.#parts
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
      run.error = heldText(plan) ?? run.error
      if (failure) Object.assign(run, { status: 'failed', error: failure })
      await this.#remember(run, preview)
      // Whoever waits for the end of the run reads how the drift has ended.
      await watch.recordReverted(run.steps.map(idOf))
    } catch (error) {
      Object.assign(run, { status: 'failed', error: (error as Error).message })
    }
    dirty.acted(run)
    await runs.close(run)
    say({ type: 'run', run })
    this.#users.wake({ plan, run })
    for (const step of run.steps) if (step.status === 'done' && step.action !== 'delete') wakes.changed(idOf(step))
    return run
  }

  /** What a plan has no step for needs nothing any more; what policies hold back is open. */
  async settleOwed({ plan: { source, steps, held }, unknown, waiting, only }: Preview): Promise<void> {
    const open = new Set([...[...steps, ...unknown].map(idOf), ...waiting, ...heldIds(held)])
    const settled = [...this.#owed].filter((id) => {
      const owned = this.#parts.inventory.find(id)
      if (owned?.suspended) return false
      return !open.has(id) && (!owned || (owned.source === source && (!only || only.has(id))))
    })
    await this.#owe(settled.map((id) => [id, null]))
  }

  /** What was asked for and had to wait is owed until it is done, or fails. */
  async #remember({ actor, steps }: Run, { desired, plan, policies }: Preview): Promise<void> {
    const owed = steps.flatMap((step): [string, Owned['owed']][] => {
      const waits = step.status === 'deferred' || step.status === 'blocked'
      if (!waits) return this.#owed.has(idOf(step)) ? [[idOf(step), null]] : []
      if (actor === CONTROLLER) return []
      const spec = step.action === 'delete' ? null : (desired.get(idOf(step))?.spec as object | undefined)
      const confirmed = confirmedFor(idOf(step), plan, policies)
      if (spec !== undefined) this.#askedFor.set(idOf(step), { spec, confirmed })
      return [[idOf(step), step.action === 'delete' ? 'delete' : 'change']]
    })
    await this.#owe(owed)
  }

  async #owe(owed: readonly [id: string, what: Owned['owed']][]): Promise<void> {
    const { inventory } = this.#parts
    const entries = owed.flatMap(([id, what]) => {
      const owned = inventory.find(id)
      return owned && (owned.owed ?? null) !== what ? [{ ...owned, owed: what }] : []
    })
    if (entries.length > 0) await inventory.put(entries)
    for (const [id, what] of owed)
      if (what && inventory.find(id)) this.#owed.add(id)
      else {
        this.#owed.delete(id)
        this.#askedFor.delete(id)
      }
  }
}

/** Who runs a pass that nobody asked for. */
const CONTROLLER = 'controller'

type Progress = (event: ControllerEvent) => void
