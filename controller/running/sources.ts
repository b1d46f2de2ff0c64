// The sources of desired state and what is known of each: revision, error, suspension.
import { timestamp, type Clock } from '../../platform/clock.ts'
import { write, type Knex } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { conflict, noSuch, type Problem } from '../../platform/problem.ts'
import type { KindDefinition } from '../../schemas/kind.ts'
import type { Source, SourceSync } from '../../schemas/source.ts'
import type { DesiredState, ManifestReader } from '../reading/desired.ts'
import { directoryReader } from '../reading/folder/directory-source.ts'
import type { Composition, ControllerWorld } from '../parts.ts'
import { definitionsOf } from '../parts.ts'
import type { Owned } from '../planning/owned.ts'
import { syncRules, type SyncRules } from '../planning/sync-rules.ts'

export interface SourceState {
  name: string
  location: string
  /** Null for `apply:` sources: they are read when somebody applies them. */
  reader: ManifestReader | null
  /** Of the configuration. */
  configured: SourceSync | undefined
  /** Of `svc.yaml`, as last read. */
  declared: SourceSync
  revision: string | null
  observedAt: string | null
  suspended: boolean
  error: string | null
  /** The last revision that the log says is faulty. */
  toldFaulty?: string
  /** Why the last pass held deletions back. */
  held?: string | null
}

/** Sources named so are made by `agent apply`; what follows is their absolute path. */
export const APPLY_PREFIX = 'apply:'

export class Sources {
  readonly #db: Knex
  readonly #clock: Clock
  readonly #log: Log
  readonly #states = new Map<string, SourceState>()

  private constructor({ db, clock, log }: Pick<ControllerWorld, 'db' | 'clock' | 'log'>) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  static async load(
    world: ControllerWorld,
    { reconcilers, kindsToCome, sources: given }: Composition,
  ): Promise<Sources> {
    const sources = new Sources(world)
    const kinds: KindDefinition<any>[] = definitionsOf(reconcilers)
    for (const { name, directory, sync } of given) {
      const reader = directoryReader({
        root: directory,
        kinds,
        kindsToCome,
        home: world.config.home,
        log: world.log,
      })
      sources.#states.set(name, { ...blank(name, directory), reader, configured: sync })
    }
    for (const row of await world.db('controller_sources').select()) {
      const known = sources.#states.get(row.name)
      if (known)
        Object.assign(known, { revision: row.revision, observedAt: row.observed_at, suspended: Boolean(row.suspended) })
      else if (String(row.name).startsWith(APPLY_PREFIX))
        sources.#states.set(row.name, {
          ...blank(row.name, row.location),
          revision: row.revision,
          observedAt: row.observed_at,
          suspended: Boolean(row.suspended),
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
    if (!state) throw this.unknown(name)
    return state
  }

  /** The 404 for a name that no source has. */
  unknown(name: string): Problem {
    return noSuch('source', name, this.#states.keys())
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
    return known ?? blank(name, root)
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
  async observed(state: SourceState, read: DesiredState): Promise<void> {
    state.declared = read.sync
    state.error = read.complete || !state.reader ? null : firstFaults(read)
    if (!read.complete && state.reader) this.#tellFaulty(state, read)
    if (read.complete) state.revision = read.revision
    state.observedAt = timestamp(this.#clock)
    await this.save(state)
  }

  /**
   * Takes effect before it is on record, so that no pass begins to act in between; where it cannot be recorded it is
   * taken back.
   */
  async suspend(state: SourceState, isSuspended: boolean): Promise<void> {
    const before = state.suspended
    state.suspended = isSuspended
    await this.save(state).catch((error: unknown) => {
      state.suspended = before
      throw error
    })
  }

  /** Once a revision: who saved it may look at nothing but the log. */
  #tellFaulty(state: SourceState, { revision, diagnostics }: DesiredState): void {
    if (state.toldFaulty === revision) return
    state.toldFaulty = revision
    const faults = diagnostics.filter(({ severity }) => severity === 'error')
    const { file, line, column, code, message } = faults[0]!
    const first = { at: `${file}:${line}:${column}`, code, message }
    this.#log.warn(
      { source: state.name, revision, faults: faults.length, ...first },
      'manifests are faulty; the last good state stays in force',
    )
  }

  async save(state: SourceState): Promise<void> {
    const row = {
      name: state.name,
      location: state.location,
      revision: state.revision,
      suspended: state.suspended,
      observed_at: state.observedAt,
    }
    await write(this.#db, (transaction) => transaction('controller_sources').insert(row).onConflict('name').merge())
  }

  async forget(name: string): Promise<void> {
    this.#states.delete(name)
    await write(this.#db, (transaction) => transaction('controller_sources').where({ name }).delete())
  }
}

/** What is answered where a suspended source is to be applied. */
export function suspended({ name }: Pick<SourceState, 'name'>): Problem {
  return conflict(`source ${name} is suspended: resume it first (POST /sources/${name}/resume)`, 'source-suspended')
}

function blank(name: string, location: string): SourceState {
  return {
    name,
    location,
    reader: null,
    configured: undefined,
    declared: {},
    revision: null,
    observedAt: null,
    suspended: false,
    error: null,
  }
}

function firstFaults(read: DesiredState): string {
  const errors = read.diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
  const shown = errors.slice(0, 3).map((fault) => `${fault.file}:${fault.line}:${fault.column}: ${fault.message}`)
  return `${shown.join('; ')}${errors.length > 3 ? `; and ${errors.length - 3} more` : ''}; nothing is pruned, the last good state stays in force`
}

export function shownSource(state: SourceState): Source {
  const rules = syncRules(...outerSync(state), state.declared)
  return {
    name: state.name,
    type: 'directory',
    location: state.location,
    revision: state.revision,
    observed_at: state.observedAt,
    sync: { mode: rules.mode, drift: rules.drift, prune: rules.prune, max_delete: rules.maxDelete },
    suspended: state.suspended,
    error: state.error ?? state.held ?? null,
  }
}

/** Rules from outside the manifests, later ones winning. `apply:` sources do not prune unless asked. */
export function outerSync({
  name,
  configured,
}: Pick<SourceState, 'name'> & Partial<Pick<SourceState, 'configured'>>): (SourceSync | undefined)[] {
  return [name.startsWith(APPLY_PREFIX) ? { prune: false } : undefined, configured]
}
