import { eachOf, inPieces } from '../../platform/async/time-slices.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { invalid, noSuch } from '../../platform/core/problem.ts'
import type { CursorAsked } from '../../platform/store/keyset.ts'
import type { Page } from '../../platform/store/page.ts'
import type { Shape } from '../../schemas/members/keyed-list.ts'
import { findKind } from '../../schemas/kinds.ts'
import type { Slice } from '../../schemas/operations/page.ts'
import {
  CONDITION_TYPES,
  LISTED_REFERENCES,
  type Drift,
  type DriftCounts,
  type Resource,
  type ResourceDetail,
  type StateCounts,
} from '../../schemas/resource.ts'
import { unknownName } from '../../schemas/validation/nearest.ts'
import type { Controller, DriftFilter, PageAsked, ResourceFilter } from '../face.ts'
import { differences } from '../planning/diff.ts'
import { liveSpecs } from '../planning/facts.ts'
import { display, maskSpec, sameSpec } from '../planning/masking.ts'
import { contestOf, type Owned } from '../planning/ownership.ts'
import { effectiveLive, pendingDifferences } from '../planning/pending-changes.ts'
import { idOf } from '../reading/graph.ts'
import { agedConditions, currentAt } from '../watching/conditions.ts'
import type { DriftRecords } from '../watching/drift-records.ts'
import type { LiveWatch } from '../watching/live-watch.ts'
import { lastRead } from './drift/blame.ts'
import type { Inventory } from './inventory.ts'
import { dependentsOf, resourcePage, resourceSlice, type ListAsked } from './resource-list.ts'
import { searchOf } from './resource-search.ts'
import { declaredIn, standingsAt, type StandingOf } from './resource-states.ts'
import type { Sources } from './sources/sources.ts'
import type { Runs } from './runs/run-records.ts'
import type { Vault } from '../../platform/secrets/vault.ts'
import type { LiveSystem } from '../watching/live-system.ts'

interface Parts {
  clock: Clock
  live: LiveSystem
  inventory: Inventory
  sources: Sources
  drift: DriftRecords
  runs: Runs
  watch: LiveWatch
  vault: Vault
}

export class ResourceViews {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The result is a consistent snapshot. */
  async list(filter: ResourceFilter, page: PageAsked): Promise<Page<Resource>> {
    const all = [...this.#parts.inventory.all()]
    const standing = await this.#standings()
    const { items, total } = await resourcePage(all, this.#askedBy(filter, standing), page)
    return { items: await this.#shown(items, all, standing), total }
  }

  async slice(filter: ResourceFilter, cursor: CursorAsked): Promise<Slice<Resource, StateCounts>> {
    const all = [...this.#parts.inventory.all()]
    const standing = await this.#standings()
    const slice = await resourceSlice(all, this.#askedBy(filter, standing), cursor)
    return { ...slice, items: await this.#shown(slice.items, all, standing) }
  }

  async #standings(): Promise<StandingOf> {
    const { clock, sources } = this.#parts
    return standingsAt(clock, await inPieces(declaredIn(sources.all())))
  }

  /** `status`: a condition type that must be True. */
  #askedBy(filter: ResourceFilter, standing: StandingOf): ListAsked {
    const { clock, watch } = this.#parts
    const { status, sort } = filter
    const search = searchOf(filter, (word) => this.filterKind(word))
    if (status) refuseUnknown('status', status, CONDITION_TYPES)
    const current = currentAt(clock)
    const isTrue = (owned: Owned) => !status || current(owned.conditions, status)?.status === 'True'
    return {
      search: { ...search, holds: (owned) => search.holds(owned) && isTrue(owned) },
      sort,
      standingOf: (owned) => standing(owned, watch.waiting(idOf(owned))),
    }
  }

  async #shown(
    items: readonly Owned[],
    all: readonly Owned[],
    standing: StandingOf,
    most = LISTED_REFERENCES,
  ): Promise<Resource[]> {
    const users = await dependentsOf(new Set(items.map(idOf)), all, most)
    const shown: Resource[] = []
    const show = (owned: Owned) => {
      const to = { total: owned.dependsOn.length, ids: [...owned.dependsOn].sort().slice(0, most) }
      const from = users.get(idOf(owned)) ?? { total: 0, ids: [] }
      shown.push(this.#resource(owned, { to, from }, standing))
    }
    await inPieces(eachOf(items, show))
    return shown
  }

  /** By id (`agents/greeter`); those that left are missing. */
  async byIds(ids: readonly string[]): Promise<Map<string, Resource>> {
    const { inventory } = this.#parts
    const owned = ids.flatMap((id) => inventory.find(id) ?? [])
    const shown = await this.#shown(owned, [...inventory.all()], await this.#standings())
    return new Map(shown.map((resource) => [resource.id, resource]))
  }

  /** `word`: any word for the kind. Throws 404. */
  owned(word: string, name: string): Owned {
    const { inventory } = this.#parts
    const owned = inventory.get(this.#kindOf(word), name)
    if (!owned) throw noSuch('resource', `${this.#kindOf(word)}/${name}`, [...inventory.all()].map(idOf))
    return owned
  }

  async detail(word: string, name: string): Promise<ResourceDetail> {
    const { live: system, vault, drift, runs } = this.#parts
    const owned = this.owned(word, name)
    const observed = await system.observe(owned)
    const shape = system.reconcilerOf(owned.kind).definition
    const desired = maskSpec(owned.desired, vault)
    const applied = owned.applied === null ? null : maskSpec(owned.applied, vault).value
    const specs = observed && liveSpecs(observed, vault)
    const live = specs && effectiveLive(desired, specs, shape)
    const pending = specs ? pendingDifferences(desired, specs, shape).map(({ path }) => path) : []
    return {
      ...(await this.resource(owned)),
      desired: display(desired.value),
      last_applied: applied && display(applied),
      live: live && display(live),
      owners: live ? ownersOf({ desired: desired.value, applied, live, pending }, shape) : {},
      drift: drift.openOf(owned.kind, owned.name),
      history: await runs.historyOf(owned.kind, owned.name),
    }
  }

  async drift(filter: DriftFilter, page: PageAsked): Promise<Page<Drift>> {
    return this.#parts.drift.list(this.#knownKind(filter), page)
  }

  async driftSlice(filter: DriftFilter, cursor: CursorAsked): Promise<Slice<Drift, DriftCounts>> {
    return this.#parts.drift.slice(this.#knownKind(filter), cursor)
  }

  #knownKind(filter: DriftFilter): DriftFilter {
    return { ...filter, kind: filter.kind && this.filterKind(filter.kind) }
  }

  /** Null if unowned. */
  placeOf(kind: string, liveId: string): Pick<Owned, 'source' | 'file' | 'line'> | null {
    const owned = this.#parts.inventory.byLiveId(kind, liveId)
    return owned ? { source: owned.source, file: owned.file, line: owned.line } : null
  }

  declared(kind: string, liveId: string): ReturnType<Controller['declared']> {
    const owned = this.#parts.inventory.byLiveId(kind, liveId)
    if (!owned?.applied) return null
    const { source, file, line, applied: spec, dependsOn } = owned
    const state = this.#parts.sources.find(source)
    const read = state && lastRead(owned, state)
    const isApplied = read !== undefined && sameSpec(read.spec as object, spec as object)
    const placeOf = (path: string) =>
      isApplied ? { source, file: read.file, line: read.position(path).line } : { source, file, line }
    return { placeOf, spec, dependsOn }
  }

  /** Throws 400 for an unknown kind. */
  filterKind(word: string): string {
    const kinds = this.#parts.live.definitions
    const names = kinds.map(({ kind }) => kind)
    const found = findKind(word, kinds)
    if (!found) refuseUnknown('kind', word, names)
    return found?.kind ?? word
  }

  #kindOf(word: string): string {
    const kinds = this.#parts.live.definitions
    const found = findKind(word, kinds)
    if (found) return found.kind
    const names = kinds.map(({ kind }) => kind)
    throw noSuch('kind', word, names)
  }

  /** With all references. */
  async resource(owned: Owned): Promise<Resource> {
    const all = [...this.#parts.inventory.all()]
    const [shown] = await this.#shown([owned], all, await this.#standings(), Infinity)
    return shown!
  }

  #resource(owned: Owned, references: Resource['references'], standing: StandingOf): Resource {
    const { kind, name, source, file, line, revision, labels = {} } = owned
    const { clock, vault, watch, sources } = this.#parts
    const conditions = agedConditions(owned.conditions, clock)
    const contest = contestOf(owned)
    const waiting = watch.waiting(idOf(owned))
    const read = sources.find(source)
    const observed_at = conditions[0]?.observed_at ?? null
    return {
      kind,
      name,
      id: idOf(owned),
      source,
      file,
      line,
      labels,
      references,
      desired_hash: maskSpec(owned.desired, vault).digest,
      live_id: owned.liveId,
      conditions,
      ...standing(owned, waiting),
      times: {
        desired: { at: read?.observedAt ?? null, revision: read?.revision ?? null },
        last_applied: { at: owned.appliedAt ?? null, revision: owned.appliedRevision ?? null },
        live: { at: observed_at },
      },
      waiting,
      contested: contest && { paths: contest.paths, actors: contest.actors, since: contest.since },
      suspended: owned.suspended ?? null,
      observed_at,
      revision,
    }
  }
}

function refuseUnknown(path: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return
  const message = unknownName(path, given, known)
  throw invalid(message, [{ path, message, code: 'invalid-value' }])
}

type Members = Record<string, unknown>

interface Compared {
  desired: Members
  applied: Members | null
  live: Members
  /** Configured as desired but not running yet. */
  pending: readonly string[]
}

/** `manifest` unless live differs. */
function ownersOf({ desired, applied, live, pending }: Compared, shape: Shape): ResourceDetail['owners'] {
  return Object.fromEntries([
    ...Object.keys(live).map((path) => [path, 'manifest'] as const),
    ...differences(desired, applied, live, shape).map(({ path, owner }) => [path, owner] as const),
    ...pending.map((path) => [path, 'manifest'] as const),
  ])
}
