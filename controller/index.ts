// The controller as its routes see it.
import { randomUUID } from 'node:crypto'
import type { Actor } from '../platform/actor.ts'
import { migrate } from '../platform/database.ts'
import { conflict, notFound } from '../platform/problem.ts'
import { findKind } from '../schemas/kinds.ts'
import type { Plan, PlanInput } from '../schemas/plan.ts'
import type { Resource, ResourceDetail } from '../schemas/resource.ts'
import type { Run } from '../schemas/run.ts'
import { digest, display } from './canonical.ts'
import { agedConditions } from './conditions.ts'
import type { DesiredState } from './desired.ts'
import { differences } from './diff.ts'
import { Engine } from './engine.ts'
import type { Controller, ControllerEvent } from './face.ts'
import { inventoryLookup } from './facts.ts'
import type { Owned } from './inventory.ts'
import { controllerMigrations } from './migrations.ts'
import type { ControllerParts } from './parts.ts'
import { idOf } from './plan.ts'
import { APPLY_PREFIX, shownSource } from './sources.ts'

export type { Controller, ControllerEvent } from './face.ts'
export type { ControllerParts, SourceConfig } from './parts.ts'

/** Builds the controller on its tables; `start` sets it to work. */
export async function createController(parts: ControllerParts): Promise<Controller> {
  await migrate(parts.db, controllerMigrations)
  const engine = await Engine.create(parts)
  const { sources, runs, drift, inventory } = engine

  const suspend = async (name: string, suspended: boolean) => {
    const source = sources.get(name)
    source.suspended = suspended
    await sources.save(source)
    if (!suspended) engine.queue.add(`source:${name}`)
    return shownSource(source)
  }

  const owned = (word: string, name: string): Owned => {
    const kind =
      findKind(
        word,
        parts.reconcilers.map((reconciler) => reconciler.definition),
      )?.kind ?? word
    const entry = inventory.get(kind, name)
    if (!entry) throw notFound('resource', `${word}/${name}`)
    return entry
  }

  return {
    sources: () => sources.all().map(shownSource),
    source: (name) => shownSource(sources.get(name)),
    sync: async (name, by, options = {}) => {
      const source = sources.get(name)
      if (source.suspended)
        throw conflict(`source ${name} is suspended: resume it first (POST /sources/${name}/resume)`)
      if (!source.reader)
        throw conflict(
          `source ${name} is read only when somebody applies it: run agent apply ${name.slice(APPLY_PREFIX.length)}`,
        )
      const { run, done } = await engine.begin(source, by, {
        targets: options.targets,
        override: options.prune_override,
      })
      done.catch((error: Error) => parts.log.warn({ source: name, run: run.id, error: error.message }, 'pass failed'))
      return { run_id: run.id }
    },
    suspend: (name) => suspend(name, true),
    resume: (name) => suspend(name, false),
    plan: async (input) => (await engine.planFor(input)).prospect.plan,
    apply: (input, by, progress) => engine.inTurn(() => applyInput(engine, input, by, progress)),
    runs: (page) => runs.list(page),
    run: (id) => runs.get(id),
    resources: async (filter) => {
      const kind =
        filter.kind &&
        (findKind(
          filter.kind,
          parts.reconcilers.map((reconciler) => reconciler.definition),
        )?.kind ??
          filter.kind)
      const entries = inventory
        .all()
        .filter((entry) => (!kind || entry.kind === kind) && (!filter.source || entry.source === filter.source))
      const shown = entries.map((entry) => shownResource(engine, entry)).sort((a, b) => (a.id < b.id ? -1 : 1))
      return filter.status
        ? shown.filter((resource) =>
            resource.conditions.some((condition) => condition.type === filter.status && condition.status === 'True'),
          )
        : shown
    },
    resource: async (word, name) => detail(engine, owned(word, name)),
    drift: (filter) =>
      drift.list({
        ...filter,
        kind:
          filter.kind &&
          (findKind(
            filter.kind,
            parts.reconcilers.map((reconciler) => reconciler.definition),
          )?.kind ??
            filter.kind),
      }),
    revert: (word, name, by) => engine.inTurn(() => revert(engine, owned(word, name), by)),
    events: (listener) => engine.events.subscribe(listener),
    managedBy: (kind, liveId) => {
      const entry = inventory.byLiveId(kind, liveId)
      return entry ? { source: entry.source, file: entry.file, line: entry.line } : null
    },
    figures: async () => {
      const resources: Record<string, number> = {}
      for (const entry of inventory.all()) resources[entry.kind] = (resources[entry.kind] ?? 0) + 1
      return {
        resources,
        drift_open: drift.openCount(),
        workqueue_depth: engine.queue.depth,
        last_pass_seconds: engine.lastPassMs === null ? null : engine.lastPassMs / 1000,
      }
    },
    start: () => engine.start(),
    stop: () => engine.stop(),
  }
}

/** Applies manifests that were sent, a source, or a saved plan if it still holds. */
async function applyInput(
  engine: Engine,
  input: PlanInput,
  by: Actor,
  progress: (event: ControllerEvent) => void,
): Promise<Run> {
  const saved = input.plan as Plan | undefined
  const wanted: PlanInput = saved ? { ...input, source: saved.source, root: saved.root ?? input.root } : input
  const { source, state, prospect } = await engine.planFor(wanted)
  if (source.suspended)
    throw conflict(`source ${source.name} is suspended: resume it first (POST /sources/${source.name}/resume)`)
  if (saved && saved.hash !== prospect.plan.hash) throw conflict(stale(saved, prospect.plan))
  if (!source.reader) {
    engine.sources.applied(source)
    await engine.sources.observed(source, state)
  }
  await engine.remember(source, state, prospect)
  const run = await engine.runs.open(randomUUID(), source.name, by.actor)
  await engine.converge(source, prospect, run, progress)
  if (wanted.delete_all && engine.inventory.ofSource(source.name).length === 0 && !source.reader)
    await engine.sources.forget(source.name)
  return run
}

/** Says what moved since a plan was saved. */
function stale(saved: Plan, current: Plan): string {
  const ids = new Set([...Object.keys(saved.preconditions), ...Object.keys(current.preconditions)])
  const moved = [...ids].filter((id) => saved.preconditions[id] !== current.preconditions[id])
  const what =
    moved.length > 0
      ? `${moved.join(', ')} moved`
      : saved.revision === current.revision
        ? 'its steps are others now'
        : `the manifests are at ${current.revision} and no longer at ${saved.revision}`
  return `the plan no longer holds: ${what}; nothing was changed; make a new plan`
}

/** Puts one resource back to what was last applied, whatever its source's rules are. */
async function revert(engine: Engine, entry: Owned, by: Actor): Promise<Run> {
  const source = engine.sources.find(entry.source)
  if (!source || entry.applied === null)
    throw conflict(`${idOf(entry)} was never applied: there is nothing to put back`)
  const position = { line: entry.line, column: entry.column }
  const state: DesiredState = {
    revision: entry.revision ?? '',
    diagnostics: [],
    complete: false,
    sync: source.declared,
    resources: [{ ...entry, spec: entry.applied, position: () => position }],
  }
  engine.watch.reverting.add(idOf(entry))
  try {
    const prospect = await engine.prospect(source, state, { targets: [idOf(entry)], overruling: { drift: 'heal' } })
    const run = await engine.runs.open(randomUUID(), source.name, by.actor)
    await engine.converge(source, prospect, run)
    await engine.watch.observe(idOf(entry), new AbortController().signal)
    if (source.reader) engine.queue.add(`source:${source.name}`)
    return run
  } finally {
    engine.watch.reverting.delete(idOf(entry))
  }
}

function shownResource(engine: Engine, entry: Owned): Resource {
  const conditions = agedConditions(entry.conditions, engine.parts.clock)
  return {
    kind: entry.kind,
    name: entry.name,
    id: idOf(entry),
    source: entry.source,
    file: entry.file,
    line: entry.line,
    desired_hash: digest(engine.canon.mask(entry.desired).text),
    live_id: entry.liveId,
    conditions,
    observed_at: conditions[0]?.observed_at ?? null,
    revision: entry.revision,
  }
}

async function detail(engine: Engine, entry: Owned): Promise<ResourceDetail> {
  const reconciler = engine.parts.reconcilers.find((candidate) => candidate.definition.kind === entry.kind)!
  const observed = await reconciler.observe(
    { name: entry.name, liveId: entry.liveId },
    inventoryLookup(engine.inventory),
    new AbortController().signal,
  )
  const desired = engine.canon.mask(entry.desired).value
  const applied = entry.applied === null ? null : engine.canon.mask(entry.applied).value
  const live = observed && engine.canon.mask(observed.spec).value
  return {
    ...shownResource(engine, entry),
    desired: display(desired),
    last_applied: applied && display(applied),
    live: live && display(live),
    owners: Object.fromEntries(
      live
        ? [
            ...Object.keys(live).map((path) => [path, 'manifest'] as const),
            ...differences(desired, applied, live, reconciler.definition.atoms).map(
              ({ path, owner }) => [path, owner] as const,
            ),
          ]
        : [],
    ),
    drift: engine.drift.openOf(entry.kind, entry.name),
    history: await engine.runs.historyOf(entry.kind, entry.name),
  }
}
