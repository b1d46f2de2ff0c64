// The sources of desired state and what is known of each: revision, error, suspension.
import { timestamp } from '../../../platform/core/clock.ts'
import { write } from '../../../platform/database/database.ts'
import { conflict, noSuch } from '../../../platform/core/problem.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import type { Plan } from '../../../schemas/plan.ts'
import type { Source, SourceHold, SourceSync } from '../../../schemas/source.ts'
import type { DesiredState } from '../../reading/desired-state.ts'
import type { Composition, ControllerWorld } from '../../parts.ts'
import type { Owned, OwnedResources } from '../../planning/ownership.ts'
import { syncRules, type SyncRules } from '../../planning/sync-rules.ts'
import type { SentManifests } from './sent-manifests.ts'
import { readerOf } from './source-reader.ts'
import {
  outerSync,
  newSource,
  APPLY_PREFIX,
  type SourceState,
  shownFaults,
  firstFaults,
  errorOf,
} from './source-state.ts'
import { refusedByWindow, windowOf } from './sync-window.ts'
import type { WindowState } from '../../../schemas/sync/window.ts'

type SourcesWorld = Pick<ControllerWorld, 'db' | 'clock' | 'log' | 'config' | 'settings'>

interface Known {
  inventory: OwnedResources
  sent: SentManifests
}

export class Sources {
  readonly #world: SourcesWorld
  readonly #known: Known
  readonly #states = new Map<string, SourceState>()

  private constructor(world: SourcesWorld, known: Known) {
    this.#world = world
    this.#known = known
  }

  static async load(world: SourcesWorld, { reconcilers, sources: given }: Composition, known: Known): Promise<Sources> {
    const { inventory, sent } = known
    const sources = new Sources(world, known)
    const kinds = reconcilers.map(({ definition }) => definition)
    for (const source of given)
      sources.#states.set(source.name, {
        ...newSource(source.name, ''),
        ...readerOf(source, world, { kinds }),
        configured: source.sync,
      })
    const isApplied = (name: string) => name.startsWith(APPLY_PREFIX) || sent.has(name)
    for (const row of await world.db('controller_sources').select()) {
      const onRecord = {
        revision: row.revision,
        attempted: row.attempted,
        applied: row.applied,
        observedAt: row.observed_at,
        suspended: Boolean(row.suspended),
        hold: row.hold === null ? null : JSON.parse(row.hold),
      }
      const known = sources.#states.get(row.name)
      if (known) Object.assign(known, onRecord)
      else if (isApplied(row.name) || inventory.ofSource(row.name).length > 0)
        sources.#states.set(row.name, {
          ...newSource(row.name, row.location),
          ...onRecord,
          orphaned: !isApplied(row.name),
        })
    }
    return sources
  }

  all(): SourceState[] {
    return [...this.#states.values()]
  }

  find(name: string): SourceState | undefined {
    return this.#states.get(name)
  }

  /** Throws a 404 that names the sources there are. */
  get(name: string): SourceState {
    const state = this.#states.get(name)
    if (!state) throw noSuch('source', name, this.#states.keys())
    return state
  }

  /**
   * The source that manifests are sent under; one that is new is known from `add` on. Throws a 409 for one that is
   * read.
   */
  forManifests(name: string, root = '/'): SourceState {
    const known = this.#states.get(name)
    if (known?.reader)
      throw conflict(
        `source ${name} is read from ${known.location}: change the files there, or plan these as its next revision (svc plan PATH --source ${name})`,
      )
    return known ?? newSource(name, root)
  }

  /** As it is shown. */
  view(state: SourceState): Source {
    const rules = syncRules(...outerSync(state), state.declared)
    const owned = this.#known.inventory.ofSource(state.name).length
    const condition = state.reader?.condition?.()
    return {
      name: state.name,
      type: state.reader?.remote ? 'git' : 'directory',
      location: state.location,
      revision: state.revision,
      attempted_revision: state.reader?.remote?.attempted() ?? state.attempted,
      applied_revision: state.applied,
      observed_at: state.observedAt,
      sync: { mode: rules.mode, drift: rules.drift, prune: rules.prune, max_delete: rules.maxDelete },
      suspended: state.suspended,
      hold: state.hold,
      window: this.windowOf(state),
      conditions: condition ? [condition] : [],
      owned,
      orphaned: state.orphaned ?? false,
      error: errorOf(state, owned),
    }
  }

  /** The sync window that the source is in now; null: it has none. */
  windowOf(state: SourceState, declared = state.declared): WindowState | null {
    return windowOf([...outerSync(state), declared], this.#world.clock.now())
  }

  /** Throws a 409 where the sync windows of the source let nobody write. */
  refuseOutsideWindow(state: SourceState, declared?: SourceSync): void {
    const refused = refusedByWindow(state.name, this.windowOf(state, declared))
    if (refused) throw refused
  }

  add(state: SourceState): void {
    if (!this.#states.has(state.name)) this.#states.set(state.name, state)
  }

  /** What may be done with a resource of the inventory. */
  rulesOf(owned: Pick<Owned, 'source' | 'sync'>): SyncRules {
    const source = this.#states.get(owned.source)
    return syncRules(...(source ? [...outerSync(source), source.declared] : []), owned.sync)
  }

  /**
   * Records that a revision was read; an incomplete one leaves the last whole revision in place. What was sent once
   * is not read again: its faults are the answer to who sent it, and no state that lasts.
   */
  async recordRead(state: SourceState, read: DesiredState): Promise<void> {
    state.declared = read.sync
    state.error = read.complete || !state.reader ? null : firstFaults(read)
    if (!read.complete && state.reader)
      this.#logFaults(state, 'reading', read.attempted ?? read.revision, errorsIn(read.diagnostics))
    if (read.complete) state.revision = read.revision
    // What is read is newer than what the hold was set against.
    if (read.complete && state.hold && state.hold.revision !== read.revision) {
      const { revision } = read
      this.#world.log.info(
        { source: state.name, revision, held: state.hold.revision },
        'a newer revision ends the hold',
      )
      state.hold = null
    }
    state.attempted = state.reader?.remote?.attempted() ?? read.attempted ?? read.revision
    state.observedAt = timestamp(this.#world.clock)
    await this.save(state)
  }

  /** Records that what is live is as a revision desires it. */
  async recordApplied(state: SourceState, revision: string): Promise<void> {
    if (state.applied === revision) return
    state.applied = revision
    await this.save(state)
  }

  /** Suspends a source, or follows it again: then it is held no more either. */
  suspend(state: SourceState, isSuspended: boolean): Promise<void> {
    return this.#put(state, isSuspended ? { suspended: true } : { suspended: false, hold: null })
  }

  hold(state: SourceState, hold: SourceHold | null): Promise<void> {
    return this.#put(state, { hold })
  }

  /**
   * Takes effect before it is on record, so that no pass begins to act in between; where it cannot be recorded it is
   * taken back.
   */
  async #put(state: SourceState, change: Partial<Pick<SourceState, 'suspended' | 'hold'>>): Promise<void> {
    const { suspended, hold } = state
    await this.save(Object.assign(state, change)).catch((error: unknown) => {
      Object.assign(state, { suspended, hold })
      throw error
    })
  }

  /** Records what planning found: what another source owns, what is ambiguous, what could not be observed. */
  recordPlanned(state: SourceState, { diagnostics }: Pick<Plan, 'diagnostics'>, read: DesiredState): void {
    const known = new Set(read.diagnostics)
    const faults = errorsIn(diagnostics).filter((fault) => !known.has(fault))
    state.planFaults = faults.length > 0 ? shownFaults(faults) : null
    const words = [...new Set(faults.map(({ code, message }) => `${code} ${message}`))].sort().join()
    this.#logFaults(state, 'planning', `${read.revision} ${words}`, faults)
  }

  /** Logs the faults of a stage once a revision: who saved it may read nothing but the log. */
  #logFaults(state: SourceState, stage: keyof typeof FAULTY, revision: string, faults: readonly Diagnostic[]): void {
    if (state.told?.[stage] === revision) return
    state.told = { ...state.told, [stage]: revision }
    if (faults.length === 0) return
    const { file, line, column, code, message } = faults[0]!
    const first = { at: `${file}:${line}:${column}`, code, message }
    const shown = { source: state.name, revision: revision.split(' ', 1)[0], faults: faults.length, ...first }
    this.#world.log.warn(shown, FAULTY[stage])
  }

  async save(state: SourceState): Promise<void> {
    const row = {
      name: state.name,
      location: state.location,
      revision: state.revision,
      attempted: state.attempted,
      applied: state.applied,
      suspended: state.suspended,
      hold: state.hold && JSON.stringify(state.hold),
      observed_at: state.observedAt,
    }
    await write(this.#world.db, (transaction) =>
      transaction('controller_sources').insert(row).onConflict('name').merge(),
    )
  }

  /** Forgets a source with what was sent for it. */
  async forget(name: string): Promise<void> {
    await this.#known.sent.forget(name)
    this.#states.delete(name)
    await write(this.#world.db, (transaction) => transaction('controller_sources').where({ name }).delete())
  }
}

const FAULTY = {
  reading: 'manifests are faulty; the last good state stays in force',
  planning: 'the plan of the source has faults',
}

const errorsIn = (diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === 'error')
