import { ChangeFeed, type Unsubscribe } from '../../../platform/async/change-feed.ts'
import { timestamp } from '../../../platform/core/clock.ts'
import { write } from '../../../platform/database/database.ts'
import { conflict, noSuch } from '../../../platform/core/problem.ts'
import type { DesiredPlace } from '../../../platform/files/desired-files.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import type { Plan } from '../../../schemas/plan.ts'
import type { Source, SourceHold, SourceSync } from '../../../schemas/source.ts'
import type { DesiredState } from '../../reading/desired-state.ts'
import type { Composition, ControllerWorld } from '../../parts.ts'
import type { Owned, OwnedResources } from '../../planning/ownership.ts'
import { syncRules, type SyncRules } from '../../planning/sync-rules.ts'
import type { GitOptions } from '../../reading/git/git-options.ts'
import type { SentManifests } from './sent-manifests.ts'
import { readerOf } from './source-reader.ts'
import {
  driftAcceptanceOf,
  errorOf,
  firstFaults,
  newSource,
  outerSync,
  shownFaults,
  type SourceState,
} from './source-state.ts'
import { refusedByWindow, windowOf } from './sync-window.ts'
import { appliedPath } from '../../../schemas/sync/applied-source.ts'
import type { WindowState } from '../../../schemas/sync/window.ts'

type SourcesWorld = Pick<ControllerWorld, 'db' | 'clock' | 'log' | 'config' | 'settings'>

interface Known {
  inventory: OwnedResources
  sent: SentManifests
}

type Loaded = Known & Pick<GitOptions, 'busyIn'>

export class Sources {
  readonly #world: SourcesWorld
  readonly #known: Known
  readonly #states = new Map<string, SourceState>()
  readonly #changes: ChangeFeed<string>
  /** By name: fields that subscribers know. */
  readonly #announced = new Map<string, string>()

  private constructor(world: SourcesWorld, known: Known) {
    this.#world = world
    this.#known = known
    this.#changes = new ChangeFeed(world.log)
  }

  static async load(
    world: SourcesWorld,
    { reconcilers, sources: given }: Composition,
    known: Loaded,
  ): Promise<Sources> {
    const { inventory, sent, busyIn } = known
    const sources = new Sources(world, { inventory, sent })
    const kinds = reconcilers.map(({ definition }) => definition)
    for (const source of given)
      sources.#states.set(source.name, {
        ...newSource(source.name, ''),
        ...readerOf(source, world, { kinds, busyIn }),
        configured: source.sync,
      })
    const isApplied = (name: string) => appliedPath(name) !== null || sent.has(name)
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

  /** Suspended sources included: their files are applied later. */
  readPlaces(): DesiredPlace[] {
    return this.all().flatMap(({ name, reader }) =>
      (reader?.readPlaces?.() ?? []).map((place) => ({ ...place, readBy: `source ${name}` })),
    )
  }

  find(name: string): SourceState | undefined {
    return this.#states.get(name)
  }

  /** Throws 404. */
  get(name: string): SourceState {
    const state = this.#states.get(name)
    if (!state) throw noSuch('source', name, this.#states.keys())
    return state
  }

  /** Does not register a new source. Throws 409 for a watched one. */
  forManifests(name: string, root = '/'): SourceState {
    const known = this.#states.get(name)
    if (known?.reader)
      throw conflict(
        `source ${name} is read from ${known.location}: change the files there, or plan these as its next revision (svc plan PATH --source ${name})`,
      )
    return known ?? newSource(name, root)
  }

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
      drift_acceptance: driftAcceptanceOf(state),
      held_back: state.heldBack ?? null,
      error: errorOf(state, owned),
    }
  }

  /** Reports names of sources whose fields outside the database have changed. */
  changes(listener: (name: string) => void): Unsubscribe {
    return this.#changes.subscribe(listener)
  }

  /** Call after a pass or a poll. The time of the read alone is no change: a pass stores it. */
  announce(state: SourceState): void {
    if (this.#changes.idle) return
    const { observed_at: _, ...shown } = this.view(state)
    const fields = JSON.stringify(shown)
    if (this.#announced.get(state.name) === fields) return
    this.#announced.set(state.name, fields)
    this.#changes.publish(state.name)
  }

  /** Sources by name; unknown ones are missing. */
  viewsOf(names: readonly string[]): Map<string, Source> {
    return new Map(
      names.flatMap((name) => {
        const state = this.#states.get(name)
        return state ? [[name, this.view(state)] as const] : []
      }),
    )
  }

  /** Null without sync windows. */
  windowOf(state: SourceState, declared = state.declared): WindowState | null {
    return windowOf([...outerSync(state), declared], this.#world.clock.now())
  }

  /** Throws 409 if the sync windows permit no writes. */
  refuseOutsideWindow(state: SourceState, declared?: SourceSync): void {
    const refused = refusedByWindow(state.name, this.windowOf(state, declared))
    if (refused) throw refused
  }

  add(state: SourceState): void {
    if (!this.#states.has(state.name)) this.#states.set(state.name, state)
  }

  rulesOf(owned: Pick<Owned, 'source' | 'sync'>): SyncRules {
    const source = this.#states.get(owned.source)
    return syncRules(...(source ? [...outerSync(source), source.declared] : []), owned.sync)
  }

  /**
   * An incomplete read keeps the last complete revision. Errors of sent manifests are not kept: the sender gets them as
   * the response.
   */
  async recordRead(state: SourceState, read: DesiredState): Promise<void> {
    state.declared = read.sync
    state.error = read.complete || !state.reader ? null : firstFaults(read)
    if (!read.complete && state.reader)
      this.#logFaults(state, 'reading', read.attempted ?? read.revision, errorsIn(read.diagnostics))
    if (read.complete) state.revision = read.revision
    // A newer revision ends the hold.
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

  async recordApplied(state: SourceState, revision: string): Promise<void> {
    if (state.applied === revision) return
    state.applied = revision
    await this.save(state)
  }

  /** Resuming also ends a hold. */
  suspend(state: SourceState, isSuspended: boolean): Promise<void> {
    return this.#put(state, isSuspended ? { suspended: true } : { suspended: false, hold: null })
  }

  hold(state: SourceState, hold: SourceHold | null): Promise<void> {
    return this.#put(state, { hold })
  }

  /** Takes effect in memory first, so that no pass starts in between; undone if storing fails. */
  async #put(state: SourceState, change: Partial<Pick<SourceState, 'suspended' | 'hold'>>): Promise<void> {
    const { suspended, hold } = state
    await this.save(Object.assign(state, change)).catch((error: unknown) => {
      Object.assign(state, { suspended, hold })
      throw error
    })
  }

  /** Records errors of the plan that are not errors of the manifests. */
  recordPlanned(state: SourceState, { diagnostics }: Pick<Plan, 'diagnostics'>, read: DesiredState): void {
    const known = new Set(read.diagnostics)
    const faults = errorsIn(diagnostics).filter((fault) => !known.has(fault))
    state.planFaults = faults.length > 0 ? shownFaults(faults) : null
    const words = [...new Set(faults.map(({ code, message }) => `${code} ${message}`))].sort().join()
    this.#logFaults(state, 'planning', `${read.revision} ${words}`, faults)
  }

  /** Once per stage and revision: the author may read only the log. */
  #logFaults(state: SourceState, stage: keyof typeof FAULTY, revision: string, faults: readonly Diagnostic[]): void {
    if (state.loggedErrors?.[stage] === revision) return
    state.loggedErrors = { ...state.loggedErrors, [stage]: revision }
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

  async forget(name: string): Promise<void> {
    await this.#known.sent.forget(name)
    this.#states.delete(name)
    this.#announced.delete(name)
    await write(this.#world.db, (transaction) => transaction('controller_sources').where({ name }).delete())
  }
}

const FAULTY = {
  reading: 'manifests have errors; the last good state stays in force',
  planning: 'the plan of the source has errors',
}

const errorsIn = (diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === 'error')
