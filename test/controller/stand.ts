// A whole controller on a real database and a real folder, over a kind that lives in memory.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { randomBytes } from 'node:crypto'
import Type from 'typebox'
import { createController, type Controller } from '../../controller/index.ts'
import { controllerMigrations } from '../../controller/migrations.ts'
import type { Moved, Reconciler, Writer } from '../../controller/reconciler.ts'
import type { Actor } from '../../platform/actor.ts'
import { ChangeFeed } from '../../platform/change-feed.ts'
import { systemClock, timestamp, type Clock } from '../../platform/clock.ts'
import { migrate, type Knex } from '../../platform/database.ts'
import { noLog, type Log } from '../../platform/log.ts'
import { Vault } from '../../platform/vault.ts'
import { commonMembers, type KindDefinition } from '../../schemas/kind.ts'
import { Secret } from '../../schemas/secret.ts'
import { eventually } from '../support/eventually.ts'

export interface ThingSpec {
  name: string
  size: number
  hard: string
  parent: string | null
  env: Record<string, Secret>
}

const schema = Type.Object(
  {
    ...commonMembers,
    size: Type.Optional(Type.Integer()),
    hard: Type.Optional(Type.String()),
    parent: Type.Optional(Type.String()),
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { $id: 'ThingManifest', additionalProperties: false },
)

const thingKind: KindDefinition<ThingSpec> = {
  kind: 'things',
  title: 'thing',
  manifestKind: 'Thing',
  schema,
  secrets: [['env', '*']],
  check: () => [],
  references: (manifest) => (manifest.parent ? [{ kind: 'things', name: manifest.parent, path: ['parent'] }] : []),
  canonicalise: (manifest) => ({
    name: manifest.name,
    size: manifest.size ?? 0,
    hard: manifest.hard ?? '',
    parent: manifest.parent ?? null,
    env: manifest.env ?? {},
  }),
  change: (path) => (path === 'hard' ? 'restart' : 'in-place'),
}

/** The live system of things: what the reconciler reads and writes, and what a person may change by hand. */
export class Things {
  readonly live = new Map<string, ThingSpec>()
  readonly writers = new Map<string, Writer>()
  readonly busy = new Set<string>()
  /** By id, how a thing runs that was started with another spec than it has now. */
  readonly running = new Map<string, ThingSpec>()
  readonly applied: string[] = []
  readonly removed: string[] = []
  readonly changes = new ChangeFeed<{ id: string; name: string; moved?: Moved }>(noLog)
  /** Thrown by the next applications of a thing of that name. */
  readonly failing = new Map<string, Error>()
  /** Called in the middle of an application, after the effect. */
  afterEffect: (name: string) => void = () => undefined

  find(name: string): [string, ThingSpec] | undefined {
    return [...this.live].find(([, thing]) => thing.name === name)
  }

  /** Somebody changes a thing by hand. */
  changeByHand(name: string, change: Partial<ThingSpec> | null, actor = 'mira'): void {
    const [id, thing] = this.find(name)!
    if (change) this.live.set(id, { ...thing, ...change })
    else this.live.delete(id)
    this.writers.set(id, {
      actor,
      requestId: `request-of-${actor}`,
      endpoint: 'PUT /things/{id}',
      at: timestamp(systemClock),
    })
    this.changes.publish({ id, name })
  }

  reconciler(): Reconciler<ThingSpec, ThingSpec> {
    const observed = (liveId: string, thing: ThingSpec) => ({
      liveId,
      spec: thing,
      running: this.running.get(liveId) ?? null,
      live: thing,
    })
    return {
      definition: thingKind,
      observe: async ({ name, liveId }) => {
        const found = liveId ? ([liveId, this.live.get(liveId)] as const) : this.find(name)
        return found?.[1] ? observed(found[0], found[1]) : null
      },
      observeAll: async () => [...this.live].map(([id, thing]) => observed(id, thing)),
      apply: async ({ name, liveId, spec, action, changes }) => {
        const failure = this.failing.get(name)
        if (failure) throw failure
        const before = this.running.get(liveId) ?? this.live.get(liveId)
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
        this.live.delete(liveId)
        this.removed.push(name)
      },
      health: () => ({ status: 'Ready', message: 'there' }),
      interrupts: (thing) => (this.busy.has(thing.name) ? `work of ${thing.name}` : null),
      writer: async (liveId) => this.writers.get(liveId) ?? null,
      changes: (listener) => this.changes.subscribe(({ id, name, moved = 'state' }) => listener(id, name, moved)),
    }
  }
}

export const person: Actor = { actor: 'mira', requestId: 'r-1', endpoint: 'test' }

export interface Stand {
  folder: string
  things: Things
  controller: Controller
  /** Writes files below the folder; null removes one. */
  files(files: Record<string, string | null>): Promise<void>
  /** A pass that is asked for, to its end. */
  pass(options?: { keep_drift?: boolean }): Promise<Awaited<ReturnType<Controller['run']>>>
  names(): string[]
  /** Stops this controller and starts another on the same database and live system. */
  reopen(): Promise<void>
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
  } = {},
): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-source-'))
  const things = new Things()
  const vault = new Vault(randomBytes(32))
  await migrate(db, controllerMigrations)
  for (const table of ['steps', 'runs', 'inventory', 'drift', 'sources']) await db(`controller_${table}`).delete()
  const open = () =>
    createController(
      {
        db,
        vault,
        clock: options.clock ?? systemClock,
        log: options.log ?? noLog,
        settings: { drainTimeoutSecs: options.drainTimeoutSecs ?? 600 },
        config: { home: folder, env: options.env ?? {} },
      },
      {
        reconcilers: [things.reconciler()],
        kindsToCome: [{ kind: 'rooms', title: 'room', manifestKind: 'Room' }],
        sources: [{ name: 'default', directory: folder }],
      },
    )
  const stand: Stand = {
    folder,
    things,
    controller: await open(),
    files: async (files) => {
      for (const [path, text] of Object.entries(files)) {
        if (text === null) await rm(join(folder, path), { recursive: true })
        else {
          await mkdir(dirname(join(folder, path)), { recursive: true })
          await writeFile(join(folder, path), text)
        }
      }
    },
    pass: async (options) => {
      const { run_id } = await stand.controller.sync('default', person, options)
      return eventually(async () => {
        const run = await stand.controller.run(run_id)
        return run.status !== 'running' && run
      })
    },
    names: () => [...things.live.values()].map((thing) => thing.name).sort(),
    reopen: async () => {
      await stand.controller.stop()
      stand.controller = await open()
      if (options.start !== false) await stand.controller.start()
    },
    close: async () => {
      await stand.controller.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  if (options.start !== false) await stand.controller.start()
  return stand
}
