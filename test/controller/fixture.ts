import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { createController, type Composition, type Controller, type SourceConfig } from '../../controller/index.ts'
import { controllerMigrations } from '../../controller/migrations.ts'
import {
  MovedError,
  type Moved,
  type Movement,
  type Reconciler,
  type Step,
  type Writer,
} from '../../controller/reconciler.ts'
import type { Actor } from '../../platform/core/actor.ts'
import { ChangeFeed } from '../../platform/async/change-feed.ts'
import { systemClock, timestamp, type Clock } from '../../platform/core/clock.ts'
import { migrate, type Knex } from '../../platform/database/database.ts'
import { readConfig } from '../../platform/core/config.ts'
import { noLog, type Log } from '../../platform/core/log/log.ts'
import type { WriteGuards } from '../../platform/store/write-guards.ts'
import { Vault } from '../../platform/secrets/vault.ts'
import type { Widening } from '../../schemas/members/widening.ts'
import { eventually } from '../support/eventually.ts'
import { kindOf, type ThingSpec } from './thing-kind.ts'

export type { ThingSpec } from './thing-kind.ts'

export type Call = 'observe' | 'observeAll' | 'apply' | 'remove'

/** An in-memory live system that its reconciler reads and writes and that a test can change manually. */
export class Things {
  readonly live = new Map<string, ThingSpec>()
  readonly writers = new Map<string, Writer>()
  readonly busy = new Set<string>()
  /** By id: spec of the running process, if it differs from the live spec. */
  readonly running = new Map<string, ThingSpec>()
  /** Manual changes in order; the cursor is the index + 1. */
  readonly log: Movement[] = []
  readonly applied: string[] = []
  readonly removed: string[] = []
  readonly changes = new ChangeFeed<{ id: string; name: string; moved?: Moved }>(noLog)
  /** By name: error that `apply` throws. */
  readonly failing = new Map<string, Error>()
  /** Called before each call; its error or delay reaches the caller. */
  before: (call: Call, name?: string) => void | Promise<void> = () => undefined
  /** Called before the first and after each effect of `apply` and `remove`. */
  beforeEffect: (name: string) => void | Promise<void> = () => undefined
  afterEffect: (name: string) => void = () => undefined

  find(name: string): [string, ThingSpec] | undefined {
    return [...this.live].find(([, thing]) => thing.name === name)
  }

  /** Changes a thing manually; null deletes it. */
  changeByHand(name: string, change: Partial<ThingSpec> | null, actor = 'mira'): void {
    const [id, thing] = this.find(name)!
    if (change) this.live.set(id, { ...thing, ...change })
    else this.live.delete(id)
    const by = { actor, requestId: `request-of-${actor}`, endpoint: 'PUT /things/{id}', at: timestamp(systemClock) }
    this.writers.set(id, by)
    this.log.push({ liveId: id, name, moved: 'state', cursor: this.log.length + 1, by })
    this.changes.publish({ id, name })
  }

  reconciler(title = 'thing', widens: Widening = {}): Reconciler<ThingSpec, ThingSpec> {
    const observed = (liveId: string, thing: ThingSpec) => ({
      liveId,
      spec: thing,
      running: this.running.get(liveId) ?? null,
      live: thing,
    })
    return {
      definition: kindOf(title, widens),
      observe: async ({ name, liveId }) => {
        await this.before('observe', name)
        const found = liveId ? ([liveId, this.live.get(liveId)] as const) : this.find(name)
        return found?.[1] ? observed(found[0], found[1]) : null
      },
      observeAll: async () => {
        await this.before('observeAll')
        return [...this.live].map(([id, thing]) => observed(id, thing))
      },
      apply: async (step) => {
        const { name, liveId, action, changes } = step
        await this.before('apply', name)
        const failure = this.failing.get(name)
        if (failure) throw failure
        await this.beforeEffect(name)
        if (action === 'replace') {
          this.live.delete(liveId)
          this.afterEffect(name)
        }
        const before = this.running.get(liveId) ?? this.live.get(liveId)
        const spec = converged(step, this.live.get(liveId))
        const restarts = action === 'restart' || changes.some(({ cost }) => cost === 'restart')
        this.live.set(liveId, spec)
        if (before && !restarts && before.hard !== spec.hard) this.running.set(liveId, { ...spec, hard: before.hard })
        else this.running.delete(liveId)
        this.applied.push(name)
        this.afterEffect(name)
        this.changes.publish({ id: liveId, name })
        return { liveId, spec }
      },
      remove: async ({ liveId, name }) => {
        await this.before('remove', name)
        await this.beforeEffect(name)
        this.live.delete(liveId)
        this.removed.push(name)
        this.afterEffect(name)
      },
      health: () => ({ status: 'Ready', message: 'exists' }),
      interrupts: (thing) => (this.busy.has(thing.name) ? `work of ${thing.name}` : null),
      writer: async (liveId) => this.writers.get(liveId) ?? null,
      changes: (listener, since) => {
        for (const each of this.log.filter(({ cursor }) => since !== null && since !== undefined && cursor > since))
          listener(each)
        return this.changes.subscribe(({ id, name, moved = 'state' }) => {
          const written = this.log.at(-1)
          const by = written?.liveId === id ? written.by : null
          listener({ liveId: id, name, moved, cursor: this.log.length, by })
        })
      },
    }
  }
}

/** Throws MovedError if the live fields differ from those that the step saw. */
function converged({ action, name, spec, members, seen }: Step<ThingSpec>, present?: ThingSpec): ThingSpec {
  if (action === 'create' || action === 'replace') return spec
  const picked = (from: ThingSpec) => JSON.stringify(members.map((member) => from[member as keyof ThingSpec]))
  if (!present || (seen && picked(seen) !== picked(present))) throw new MovedError(`thing ${name} moved`)
  return { ...present, ...Object.fromEntries(members.map((member) => [member, spec[member as keyof ThingSpec]])) }
}

export const person: Actor = { actor: 'mira', requestId: 'r-1', endpoint: 'test' }

export interface Stand {
  folder: string
  things: Things
  /** A second kind, to test independence from the first. */
  gadgets: Things
  controller: Controller
  /** Writes files below the folder of a source; null removes a file. */
  files(files: Record<string, string | null>, source?: string): Promise<void>
  /** Requests a pass and waits for its end. */
  pass(options?: { keep_drift?: boolean; source?: string }): Promise<Awaited<ReturnType<Controller['run']>>>
  names(): string[]
  /** Restarts the controller on the same state. `names` maps new source names to old ones. */
  reopen(names?: Record<string, string>): Promise<void>
  close(): Promise<void>
}

export async function createStand(
  db: Knex,
  options: {
    clock?: Clock
    log?: Log
    env?: Record<string, string>
    start?: boolean
    drainTimeoutSecs?: number
    /** Folder of the default source, relative to `folder`; default: `folder` itself. */
    below?: string
    /** Additional kinds. */
    beside?: readonly Reconciler[]
    /** Wraps the database for each opened controller; the fixture itself uses `db`. */
    through?: (db: Knex) => Knex
    observeTimeoutSecs?: number
    applyTimeoutSecs?: number
    guards?: WriteGuards
    /** Of things; default: nothing widens. */
    widens?: Widening
    writersOf?: Composition['writersOf']
    /** Sources besides `default`, each with a separate folder. */
    sources?: readonly string[]
    /** Git sources; one named `default` replaces the folder source. */
    git?: Readonly<Record<string, Partial<Extract<SourceConfig, { git: unknown }>['git']> & { url: string }>>
  } = {},
): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-source-'))
  let folders: Record<string, string> = { default: folder }
  for (const name of options.sources ?? []) folders[name] = await mkdtemp(join(tmpdir(), `svc-source-${name}-`))
  const made = Object.values(folders)
  const [things, gadgets] = [new Things(), new Things()]
  const vault = new Vault(randomBytes(32))
  await migrate(db, controllerMigrations)
  for (const table of ['intents', 'steps', 'runs', 'inventory', 'drift', 'sources', 'sent', 'cursors'])
    await db(`controller_${table}`).delete()
  const env = { PATH: process.env.PATH, ...options.env }
  const open = () =>
    createController(
      {
        db: options.through?.(db) ?? db,
        vault,
        ...(options.guards ? { guards: options.guards } : {}),
        clock: options.clock ?? systemClock,
        log: options.log ?? noLog,
        settings: {
          drainTimeoutSecs: options.drainTimeoutSecs ?? 600,
          observeTimeoutSecs: options.observeTimeoutSecs ?? 10,
          applyTimeoutSecs: options.applyTimeoutSecs ?? 120,
          settleSecs: 0.02,
          widening: 'hold',
        },
        config: { ...readConfig({ HOME: folder, SVC_DATA_DIR: join(folder, '.data') }), env },
      },
      {
        ...(options.writersOf ? { writersOf: options.writersOf } : {}),
        reconcilers: [
          things.reconciler('thing', options.widens),
          gadgets.reconciler('gadget'),
          ...(options.beside ?? []),
        ],
        sources: [
          ...Object.entries(folders)
            .filter(([name]) => !options.git?.[name])
            .map(([name, root]) => ({ name, directory: name === 'default' ? join(root, options.below ?? '') : root })),
          ...Object.entries(options.git ?? {}).map(([name, place]) => ({
            name,
            git: {
              ref: {},
              path: '',
              pollSecs: 3600,
              credentials: {},
              verify: null,
              shown: `git+${place.url}`,
              ...place,
            },
          })),
        ],
      },
    )
  const stand: Stand = {
    folder,
    things,
    gadgets,
    controller: await open(),
    files: async (files, source = 'default') => {
      for (const [path, text] of Object.entries(files)) {
        const file = join(folders[source]!, path)
        if (text === null) rmSync(file, { recursive: true })
        else {
          mkdirSync(dirname(file), { recursive: true })
          writeFileSync(file, text)
        }
      }
    },
    pass: async ({ source = 'default', ...options } = {}) => {
      const { run_id } = await stand.controller.sync(source, person, options)
      return eventually(async () => {
        const run = await stand.controller.run(run_id)
        return run.status !== 'running' && run
      })
    },
    names: () => [...things.live.values()].map((thing) => thing.name).sort(),
    reopen: async (names) => {
      await stand.controller.stop()
      if (names) folders = Object.fromEntries(Object.entries(names).map(([name, was]) => [name, folders[was]!]))
      stand.controller = await open()
      if (options.start !== false) await stand.controller.start()
    },
    close: async () => {
      await stand.controller.stop()
      for (const each of made) await rm(each, { recursive: true, force: true })
    },
  }
  if (options.start !== false) await stand.controller.start()
  return stand
}
