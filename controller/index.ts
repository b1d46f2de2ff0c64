// The controller: its parts are made here and handed to one another, and answer its face.
import { setMaxListeners } from 'node:events'
import type { Background } from '../platform/async/background.ts'
import { SerialQueues } from '../platform/async/serial-queue.ts'
import { ChangeFeed } from '../platform/async/change-feed.ts'
import { counter, gauge, type Metric } from '../platform/metrics/metrics.ts'
import { retention } from '../platform/store/retention.ts'
import type { Controller, ControllerEvent } from './face.ts'
import type { Composition, ControllerWorld } from './parts.ts'
import { contestOf } from './planning/ownership.ts'
import { leftAlone, stopped } from './planning/sync-rules.ts'
import { accepted } from './running/drift/drift-acceptance.ts'
import { Automatic } from './running/passes/pass-triggers.ts'
import { blameOf } from './running/drift/blame.ts'
import { blockingIn } from './running/drift/write-blocking.ts'
import { exported } from './running/export/exporter.ts'
import { Contests } from './running/drift/contest-records.ts'
import { DesiredStates } from './running/sources/desired-states.ts'
import { Intents } from './running/runs/open-intents.ts'
import { Inventory, lookupIn } from './running/inventory/inventory.ts'
import { Moves } from './running/sources/source-moves.ts'
import { adopted, released } from './running/sources/orphans.ts'
import { Passes } from './running/passes/passes.ts'
import { Planner } from './running/passes/planner.ts'
import { Requests } from './running/requests.ts'
import { ResourceViews } from './running/resource-views.ts'
import { Runs } from './running/runs/run-records.ts'
import { SentManifests } from './running/sources/sent-manifests.ts'
import { Clones } from './running/sources/clone-cleanup.ts'
import { announced } from './running/sources/push-notification.ts'
import { Rollbacks } from './running/passes/rollbacks.ts'
import { Sources } from './running/sources/sources.ts'
import { bounded } from './watching/reconciler-deadlines.ts'
import { counted, type Calls } from './watching/reconciler-calls.ts'
import { Cursors } from './watching/change-cursors.ts'
import { Dirty } from './watching/dirty-resources.ts'
import { DriftRecords } from './watching/drift-records.ts'
import { LiveWatch } from './watching/live-watch.ts'
import { Wakes } from './watching/wake-queue.ts'

export type { Controller } from './face.ts'
export type { Composition, ControllerWorld, SourceConfig } from './parts.ts'

/** Builds the controller on its tables, which are up to date; `start` sets it to work. */
export async function createController(world: ControllerWorld, composition: Composition): Promise<Controller> {
  const events = new ChangeFeed<ControllerEvent>(world.log)
  const stopping = new AbortController()
  // Every reading and every call listens to it while it is under way.
  setMaxListeners(0, stopping.signal)
  const common = await sharedParts(world, composition, { signal: stopping.signal, events })
  const { sources, runs, drift } = common
  world.guards?.add(blockingIn(common))
  common.inventory.onLeaving((transaction, left) => drift.prune(transaction, left))
  const contests = new Contests(common)
  const watch = new LiveWatch({
    ...common,
    rulesOf: (owned) => {
      const rules = sources.rulesOf(owned)
      if (owned.suspended) return leftAlone(rules)
      return contestOf(owned) ? stopped(rules) : rules
    },
    contested: (owned, contest) => contests.begin(owned, contest),
  })
  const wakes: Wakes = new Wakes({
    ...common,
    random: world.random ?? Math.random,
    passOver: (source, asRead) => automatic.passOver(source, asRead),
    lookAt: (id) => automatic.lookAt(id),
  })
  const [moves, clones] = [new Moves({ ...common, wakes }), new Clones(common)]
  const [desired, planner] = [new DesiredStates(common), new Planner({ ...common, moves })]
  const passes = new Passes({ ...common, desired, planner, moves, watch, wakes })
  const requests = new Requests({ ...common, desired, planner, moves, passes, watch, wakes, contests })
  const rollbacks = new Rollbacks({ ...common, desired, planner, passes, wakes })
  const cursors = await Cursors.load(world)
  const automatic = new Automatic({ ...common, passes, watch, wakes, cursors })
  const views = new ResourceViews({ ...common, watch })
  const owning = { ...common, desired, moves, clones }
  let trimming: Background | null = null

  return {
    ...answers({ sources, runs, requests, rollbacks, views, parts: common, owning }),
    events: (listener) => events.subscribe(listener),
    metrics: metricsOf({ views, drift, wakes, passes, calls: common.calls }),
    health: async () => healthOf(sources),
    start: async () => {
      await runs.closeInterrupted(world.log)
      await drift.pruneForgotten(common.inventory)
      trimming = trimmingOf(drift, world)
      automatic.start()
      void clones.sweep()
    },
    stop: async () => {
      stopping.abort()
      automatic.stop()
      await wakes.stop()
      await trimming?.stop()
      await cursors.save().catch(() => undefined)
      await Promise.all([passes.ended(), clones.ended()])
      await common.turns.drained()
    },
  }
}

function trimmingOf(drift: DriftRecords, { clock, log, config }: ControllerWorld): Background {
  const days = config.retentionDays
  return retention({ clock, log, name: 'drift trim', days, trim: (...asked) => drift.trim(...asked) })
}

interface Outside {
  /** Aborts when the controller stops. */
  signal: AbortSignal
  events: ChangeFeed<ControllerEvent>
}

/** What most parts lean on. */
async function sharedParts(world: ControllerWorld, composition: Composition, { signal, events }: Outside) {
  // Convergences of one source never overlap, nor do changes of one resource.
  const [turns, changing] = [new SerialQueues(), new SerialQueues()]
  const inventory = await Inventory.load(world)
  const sent = await SentManifests.load(world)
  const intents = await Intents.load(world, inventory)
  const { reconcilers, calls } = counted(composition.reconcilers)
  const bounds = { ...world.settings, clock: world.clock, signal }
  return {
    ...world,
    ...composition,
    ...world.settings,
    calls,
    reconcilers: reconcilers.map((reconciler) => bounded(reconciler, bounds)),
    inventory,
    intents,
    dirty: new Dirty({ inventory, intents }),
    sent,
    turns,
    changing,
    drift: await DriftRecords.load(world),
    sources: await Sources.load(world, composition, { inventory, sent }),
    runs: new Runs(world),
    lookup: lookupIn(inventory),
    signal,
    inFlight: new Set<string>(),
    publish: (event: ControllerEvent) => events.publish(event),
  }
}

interface Answering {
  sources: Sources
  runs: Runs
  requests: Requests
  rollbacks: Rollbacks
  views: ResourceViews
  parts: Parameters<typeof accepted>[1] & Parameters<typeof exported>[1] & Parameters<typeof blameOf>[2]
  owning: Parameters<typeof released>[1]
}

/** What is asked about sources, plans, runs and resources. */
function answers({
  sources,
  runs,
  requests,
  rollbacks,
  views,
  parts,
  owning,
}: Answering): Omit<Controller, 'events' | 'metrics' | 'health' | 'start' | 'stop'> {
  return {
    sources: () => sources.all().map((source) => sources.shown(source)),
    source: (name) => sources.shown(sources.get(name)),
    sync: async (name, by, options = {}) => ({ run_id: await requests.sync(name, by, options) }),
    announced: async (name, delivery) => announced(sources.get(name), delivery),
    suspend: async (name) => sources.shown(await requests.suspend(name, true)),
    resume: async (name) => sources.shown(await requests.suspend(name, false)),
    adopt: (name, into) => adopted(name, into, owning),
    release: (name) => released(name, owning),
    plan: (input) => requests.plan(input),
    apply: (input, by, progress) => requests.apply(input, by, progress),
    planRollback: (asked) => rollbacks.plan(asked),
    rollback: async (asked, by) => ({ run_id: await rollbacks.begin(asked, by) }),
    runs: (page) => runs.list(page),
    run: (id) => runs.get(id),
    resources: (filter, page) => views.list(filter, page),
    resource: (word, name) => views.detail(word, name),
    blame: async (word, name, path) => blameOf(views.owned(word, name), path, parts),
    drift: (filter, page) => views.drift(filter, page),
    accept: async (word, name) => accepted(views.owned(word, name), parts),
    revert: async (word, name, by) => requests.revert(views.owned(word, name), by),
    exported: (word) => exported(word === undefined ? undefined : views.filterKind(word), parts),
    suspendResource: async (word, name, by) =>
      views.resource(await requests.suspendResource(views.owned(word, name), by)),
    resumeResource: async (word, name) => views.resource(await requests.resumeResource(views.owned(word, name))),
    managedBy: (kind, liveId) => views.placeOf(kind, liveId),
  }
}

/** Degraded while a source cannot be taken as it is. */
function healthOf(sources: Sources): Record<string, unknown> {
  const shown = sources.all().map((source) => sources.shown(source))
  const faulty = shown.filter((source) => source.error !== null).map((source) => source.name)
  return { status: faulty.length === 0 ? 'ok' : 'degraded', sources: shown.length, sources_in_error: faulty }
}

interface Measured {
  views: ResourceViews
  drift: DriftRecords
  wakes: Wakes
  passes: Passes
  calls: Readonly<Calls>
}

function metricsOf({ views, drift, wakes, passes, calls }: Measured): Metric[] {
  return [
    gauge('controller_resources', 'Resources of the inventory by kind', () => views.counts(), 'kind'),
    gauge('controller_drift_open', 'Fields that differ from what was last applied', () => drift.openCount()),
    gauge('controller_workqueue_depth', 'Resources that wait for their turn', () => wakes.depth),
    counter('controller_passes_total', 'Passes over a source, automatic ones included', () => passes.count),
    counter('controller_reconciler_calls_total', 'What services were asked about live resources', () => calls, 'verb'),
    gauge('controller_last_pass_seconds', 'Length of the last pass over a source', () =>
      passes.lastMs === null ? null : passes.lastMs / 1000,
    ),
  ]
}
