// The controller: its parts are made here and handed to one another, and answer its face.
import { SerialQueue } from '../platform/async/serial-queue.ts'
import { ChangeFeed } from '../platform/change-feed.ts'
import { counter, gauge, type Metric } from '../platform/metrics.ts'
import type { Controller, ControllerEvent } from './face.ts'
import type { Composition, ControllerWorld } from './parts.ts'
import { SpecMasker } from './planning/masking.ts'
import { accepted } from './running/accepting.ts'
import { Automatic } from './running/automatic.ts'
import { DesiredStates } from './running/desired-states.ts'
import { Inventory, lookupIn } from './running/inventory.ts'
import { Passes } from './running/pass.ts'
import { Planner } from './running/planner.ts'
import { Requests } from './running/requests.ts'
import { ResourceViews } from './running/resource-views.ts'
import { Runs } from './running/runs.ts'
import { shownSource, Sources } from './running/sources.ts'
import { DriftRecords } from './watching/drift-records.ts'
import { LiveWatch } from './watching/live-watch.ts'
import { Wakes } from './watching/wakes.ts'

export type { Controller } from './face.ts'
export type { Composition, ControllerWorld, SourceConfig } from './parts.ts'

/** Builds the controller on its tables, which are up to date; `start` sets it to work. */
export async function createController(world: ControllerWorld, composition: Composition): Promise<Controller> {
  const events = new ChangeFeed<ControllerEvent>(world.log)
  const stopping = new AbortController()
  // Convergences never overlap.
  const turns = new SerialQueue()
  const inventory = await Inventory.load(world)
  const common = {
    ...world,
    ...composition,
    ...world.settings,
    inventory,
    turns,
    drift: await DriftRecords.load(world),
    sources: await Sources.load(world, composition),
    runs: new Runs(world),
    masker: new SpecMasker(world.vault),
    lookup: lookupIn(inventory),
    signal: stopping.signal,
    inFlight: new Set<string>(),
    publish: (event: ControllerEvent) => events.publish(event),
  }
  const { sources, runs, drift } = common
  const watch = new LiveWatch({ ...common, rulesOf: (owned) => sources.rulesOf(owned) })
  const wakes: Wakes = new Wakes({
    ...common,
    passOver: (source) => automatic.passOver(source),
    lookAt: (id) => automatic.lookAt(id),
  })
  const [desired, planner] = [new DesiredStates(common), new Planner(common)]
  const passes = new Passes({ ...common, desired, planner, watch, wakes })
  const requests = new Requests({ ...common, desired, planner, passes, watch, wakes })
  const automatic = new Automatic({ ...common, passes, watch, wakes })
  const views = new ResourceViews({ ...common, watch })

  return {
    ...answers({ sources, runs, requests, views, parts: common }),
    events: (listener) => events.subscribe(listener),
    metrics: metricsOf({ views, drift, wakes, passes }),
    health: async () => healthOf(sources),
    start: async () => {
      await runs.closeInterrupted(world.log)
      automatic.start()
    },
    stop: async () => {
      stopping.abort()
      automatic.stop()
      await wakes.stop()
      await turns.drained()
    },
  }
}

interface Answering {
  sources: Sources
  runs: Runs
  requests: Requests
  views: ResourceViews
  parts: Parameters<typeof accepted>[1]
}

/** What is asked about sources, plans, runs and resources. */
function answers({
  sources,
  runs,
  requests,
  views,
  parts,
}: Answering): Omit<Controller, 'events' | 'metrics' | 'health' | 'start' | 'stop'> {
  return {
    sources: () => sources.all().map(shownSource),
    source: (name) => shownSource(sources.get(name)),
    sync: async (name, by, options = {}) => ({ run_id: await requests.sync(name, by, options) }),
    suspend: async (name) => shownSource(await requests.suspend(name, true)),
    resume: async (name) => shownSource(await requests.suspend(name, false)),
    plan: (input) => requests.plan(input),
    apply: (input, by, progress) => requests.apply(input, by, progress),
    runs: (page) => runs.list(page),
    run: (id) => runs.get(id),
    resources: async (filter, page) => views.list(filter, page),
    resource: (word, name) => views.detail(word, name),
    drift: (filter, page) => views.drift(filter, page),
    accept: async (word, name) => accepted(views.owned(word, name), parts),
    revert: async (word, name, by) => requests.revert(views.owned(word, name), by),
    managedBy: (kind, liveId) => views.placeOf(kind, liveId),
  }
}

/** Degraded while a source cannot be taken as it is. */
function healthOf(sources: Sources): Record<string, unknown> {
  const shown = sources.all().map(shownSource)
  const faulty = shown.filter((source) => source.error !== null).map((source) => source.name)
  return { status: faulty.length === 0 ? 'ok' : 'degraded', sources: shown.length, sources_in_error: faulty }
}

interface Measured {
  views: ResourceViews
  drift: DriftRecords
  wakes: Wakes
  passes: Passes
}

function metricsOf({ views, drift, wakes, passes }: Measured): Metric[] {
  return [
    gauge('controller_resources', 'Resources of the inventory by kind', () => views.counts(), 'kind'),
    gauge('controller_drift_open', 'Fields that differ from what was last applied', () => drift.openCount()),
    gauge('controller_workqueue_depth', 'Resources that wait for their turn', () => wakes.depth),
    counter('controller_passes_total', 'Passes over a source, automatic ones included', () => passes.count),
    gauge('controller_last_pass_seconds', 'Length of the last pass over a source', () =>
      passes.lastMs === null ? null : passes.lastMs / 1000,
    ),
  ]
}
