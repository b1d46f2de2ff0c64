import { setMaxListeners } from 'node:events'
import type { Background } from '../platform/async/background.ts'
import { SerialQueues } from '../platform/async/serial-queue.ts'
import { ChangeFeed } from '../platform/async/change-feed.ts'
import { counter, gauge, type Metric } from '../platform/metrics/metrics.ts'
import { retention } from '../platform/store/retention.ts'
import type { Controller, ControllerEvent } from './face.ts'
import { inboxSources, liveTopics } from './live-topics.ts'
import type { Composition, ControllerWorld } from './parts.ts'
import { acceptDrift } from './running/drift/drift-acceptance.ts'
import { Automatic } from './running/passes/pass-triggers.ts'
import { blameOf } from './running/drift/blame.ts'
import { writeGuardOf } from './running/drift/write-guard.ts'
import { exportManifests } from './running/export/exporter.ts'
import { beginContest, type ContestParts } from './running/drift/contest-records.ts'
import { planFieldRevert, planRevert, revertDrift, revertField } from './running/drift/drift-revert.ts'
import { resumeResource, suspendResource } from './running/drift/resource-suspension.ts'
import { DesiredStates } from './running/sources/desired-states.ts'
import { Intents } from './running/runs/intent-records.ts'
import { Inventory, lookupIn } from './running/inventory.ts'
import { Moves } from './running/sources/source-moves.ts'
import { adoptOrphans, releaseOrphans } from './running/sources/orphans.ts'
import { PassReading } from './running/sources/pass-reading.ts'
import { Convergence } from './running/passes/convergence.ts'
import { Passes } from './running/passes/passes.ts'
import { createPlanner } from './running/passes/planner.ts'
import { Requests } from './running/requests.ts'
import { ResourceViews } from './running/resource-views.ts'
import { Runs } from './running/runs/run-records.ts'
import { SentManifests } from './running/sources/sent-manifests.ts'
import { Clones } from './running/sources/clone-cleanup.ts'
import { FileWriters } from './running/sources/file-writers.ts'
import { hastenSource } from './running/sources/source-reader.ts'
import { Rollbacks } from './running/passes/rollbacks.ts'
import { Sources } from './running/sources/sources.ts'
import { boundCalls, countCalls } from './watching/reconciler-calls.ts'
import { Cursors } from './watching/change-cursors.ts'
import { DependentSources } from './watching/dependent-sources.ts'
import { Dirty } from './watching/dirty-resources.ts'
import { busyIn } from './watching/folder-users.ts'
import { DriftRecords } from './watching/drift-records.ts'
import { LiveSystem } from './watching/live-system.ts'
import { LiveWatch, type LiveWatchListener } from './watching/live-watch.ts'
import { Wakes } from './watching/wake-queue.ts'

export type { Controller } from './face.ts'
export type { Composition, ControllerWorld, SourceConfig } from './parts.ts'

/** Requires migrated tables; `start` begins the work. */
export async function createController(world: ControllerWorld, composition: Composition): Promise<Controller> {
  const parts = await buildParts(world, composition)
  const { sources, drift, runs, wakes, passes, automatic, clones, cursors, events, stopping } = parts
  let trimming: Background | null = null
  return {
    ...answersOf(parts),
    events: (listener) => events.subscribe(listener),
    topics: liveTopics(parts),
    inboxSources,
    metrics: metricsOf(parts),
    health: async () => healthOf(sources),
    start: async () => {
      await runs.closeInterrupted(world.log)
      await drift.pruneForgotten(parts.inventory)
      const { clock, log, config } = world
      const trim = (before: string, signal: AbortSignal) => drift.trim(before, signal)
      trimming = retention({ clock, log, name: 'drift trim', days: config.retentionDays, trim })
      automatic.start()
      void clones.sweep()
    },
    stop: async () => {
      stopping.abort()
      automatic.stop()
      await wakes.stop()
      await trimming?.stop()
      await cursors.save().catch(() => undefined)
      await Promise.all([passes.waitUntilIdle(), clones.waitUntilIdle()])
      await parts.turns.drained()
    },
  }
}

type BuiltParts = Awaited<ReturnType<typeof buildParts>>

async function buildParts(world: ControllerWorld, { defaultSandbox = 'auto', ...composition }: Composition) {
  const { vault, clock, log, config, settings } = world
  const events = new ChangeFeed<ControllerEvent>(log)
  const publish = (event: ControllerEvent) => events.publish(event)
  const stopping = new AbortController()
  const { signal } = stopping
  setMaxListeners(0, signal)
  const inventory = await Inventory.load(world)
  const { reconcilers, calls } = countCalls(composition.reconcilers)
  const bounds = { ...settings, clock, signal }
  const bounded = reconcilers.map((reconciler) => boundCalls(reconciler, bounds))
  const live = new LiveSystem(bounded, lookupIn(inventory), signal)
  const sent = await SentManifests.load(world)
  const busy = (folder: string) => busyIn(folder, live)
  const sources = await Sources.load(world, composition, { inventory, sent, busyIn: busy })
  const intents = await Intents.load(world, inventory)
  const [drift, cursors, runs] = [await DriftRecords.load(world), await Cursors.load(world), new Runs(world)]
  const drain = { clock, drainTimeoutSecs: settings.drainTimeoutSecs }
  const dirty = new Dirty({ inventory, intents })
  // By source (`turns`) and by resource (`changing`).
  const [turns, changing] = [new SerialQueues(), new SerialQueues()]
  const common = { clock, log, config, live, inventory, vault, sources, sent, intents, drift, runs, drain, dirty }
  const watch = new LiveWatch({
    ...common,
    rulesOf: (owned) => sources.rulesOf(owned),
    listener: watchListener({ log, inventory, call: world.call }, publish),
  })
  const wakes: Wakes = new Wakes({
    clock,
    log,
    random: world.random ?? Math.random,
    passOver: (source, asRead) => automatic.passOver(source, asRead),
    lookAt: (id) => automatic.lookAt(id),
  })
  const working = { ...common, watch, wakes, turns, changing, defaultSandbox }
  const [moves, clones, desired] = [new Moves(working), new Clones(common), new DesiredStates(working)]
  const planner = createPlanner({
    ...common,
    moves,
    writers: new FileWriters(settings.widening === 'hold' ? composition.writersOf : undefined),
  })
  const dependents = new DependentSources({ inventory, wakes })
  const reading = new PassReading({ ...common, desired, moves, dependents })
  const convergence = new Convergence({ steps: working, dependents, dirty, wakes, publish })
  const passes = new Passes({ ...working, steps: working, reading, planner, convergence })
  const automatic: Automatic = new Automatic({ ...working, passes, cursors })
  world.guards?.add(writeGuardOf(common))
  world.desired?.add(() => sources.readPlaces())
  inventory.onLeaving((transaction, left) => drift.prune(transaction, left))
  const built = { events, stopping, calls, moves, clones, desired, planner, convergence, passes, automatic, cursors }
  return {
    ...working,
    ...built,
    requests: new Requests({ ...working, desired, planner, passes, moves }),
    rollbacks: new Rollbacks({ ...working, desired, planner, passes }),
    views: new ResourceViews({ ...common, watch }),
  }
}

function watchListener(contests: ContestParts, publish: (event: ControllerEvent) => void): LiveWatchListener {
  return {
    onDrift: (record) => {
      publish({ type: 'drift', drift: record })
      const { kind, name, path, actor, request_id } = record
      contests.log.info({ kind, name, path, actor, request_id }, 'drift')
    },
    onCondition: (change) => publish({ type: 'condition', ...change }),
    onContest: (owned, contest) => beginContest(owned, contest, contests),
  }
}

type Answers = Omit<Controller, 'events' | 'metrics' | 'topics' | 'inboxSources' | 'health' | 'start' | 'stop'>

function answersOf(parts: BuiltParts): Answers {
  const { sources, runs, requests, rollbacks, views } = parts
  return {
    sources: () => sources.all().map((source) => sources.view(source)),
    source: (name) => sources.view(sources.get(name)),
    sync: async (name, by, options = {}) => ({ run_id: await requests.sync(name, by, options) }),
    receiveWebhook: async (name, delivery) => hastenSource(sources.get(name), delivery),
    suspend: async (name) => sources.view(await requests.suspend(name, true)),
    resume: async (name) => sources.view(await requests.suspend(name, false)),
    adopt: (name, into) => adoptOrphans(name, into, parts),
    release: (name) => releaseOrphans(name, parts),
    plan: (input) => requests.plan(input),
    apply: (input, by, progress) => requests.apply(input, by, progress),
    planRollback: (asked) => rollbacks.plan(asked),
    rollback: async (asked, by) => ({ run_id: await rollbacks.begin(asked, by) }),
    runs: (part) => runs.list(part),
    run: (id) => runs.get(id),
    resources: (filter, page) => views.list(filter, page),
    resourceSlice: (filter, cursor) => views.slice(filter, cursor),
    resource: (word, name) => views.detail(word, name),
    blame: async (word, name, path) => blameOf(views.owned(word, name), path, parts),
    drift: (filter, page) => views.drift(filter, page),
    driftSlice: (filter, cursor) => views.driftSlice(filter, cursor),
    planFieldRevert: (id) => planFieldRevert(id, { ...parts, steps: parts }),
    revertField: (asked, by) => revertField(asked, by, { ...parts, steps: parts }),
    accept: async (word, name) => acceptDrift(views.owned(word, name), parts),
    planRevert: async (word, name) => planRevert(views.owned(word, name), { ...parts, steps: parts }),
    revert: async (word, name, by, planHash) =>
      revertDrift(views.owned(word, name), by, planHash, { ...parts, steps: parts }),
    exportManifests: (word) => exportManifests(word === undefined ? undefined : views.filterKind(word), parts),
    suspendResource: async (word, name, by) =>
      views.resource(await suspendResource(views.owned(word, name), by, parts)),
    resumeResource: async (word, name) => views.resource(await resumeResource(views.owned(word, name), parts)),
    managedBy: (kind, liveId) => views.placeOf(kind, liveId),
    declared: (kind, liveId) => views.declared(kind, liveId),
  }
}

function healthOf(sources: Sources): Record<string, unknown> {
  const shown = sources.all().map((source) => sources.view(source))
  const faulty = shown.filter((source) => source.error !== null).map((source) => source.name)
  return { status: faulty.length === 0 ? 'ok' : 'degraded', sources: shown.length, sources_in_error: faulty }
}

function metricsOf({ inventory, drift, wakes, passes, calls }: BuiltParts): Metric[] {
  return [
    gauge('controller_resources', 'Resources of the inventory by kind', () => inventory.counts(), 'kind'),
    gauge('controller_drift_open', 'Fields that differ from the last applied state', () => drift.openCount()),
    gauge('controller_workqueue_depth', 'Resources waiting in the work queue', () => wakes.depth),
    counter('controller_passes_total', 'Passes over a source, including automatic ones', () => passes.count),
    counter('controller_reconciler_calls_total', 'Reconciler calls by verb', () => calls, 'verb'),
    gauge('controller_last_pass_seconds', 'Duration of the last pass over a source', () =>
      passes.lastMs === null ? null : passes.lastMs / 1000,
    ),
  ]
}
