import { eachOf, inPieces } from '../../platform/async/time-slices.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { invalid, noSuch } from '../../platform/core/problem.ts'
import type { Page } from '../../platform/store/page.ts'
import type { Shape } from '../../schemas/members/keyed-list.ts'
import { findKind } from '../../schemas/kinds.ts'
import { CONDITION_TYPES, type Drift, type Resource, type ResourceDetail } from '../../schemas/resource.ts'
import { unknownName } from '../../schemas/validation/nearest.ts'
import type { DriftFilter, PageAsked } from '../face.ts'
import { differences } from '../planning/diff.ts'
import { liveSpecs } from '../planning/facts.ts'
import { display, maskSpec } from '../planning/masking.ts'
import { contestOf, type Owned } from '../planning/ownership.ts'
import { effectiveLive, pendingDifferences } from '../planning/pending-changes.ts'
import { idOf } from '../reading/graph.ts'
import { agedConditions, trueNow } from '../watching/conditions.ts'
import type { DriftRecords } from '../watching/drift-records.ts'
import type { LiveWatch } from '../watching/live-watch.ts'
import type { Inventory } from './inventory.ts'
import type { Runs } from './runs/run-records.ts'
import type { Vault } from '../../platform/secrets/vault.ts'
import type { LiveSystem } from '../watching/live-system.ts'

interface Parts {
  clock: Clock
  live: LiveSystem
  inventory: Inventory
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

  /** `status`: a condition type that must be True. The result is a consistent snapshot. */
  async list(filter: { kind?: string; source?: string; status?: string }, page: PageAsked): Promise<Page<Resource>> {
    const { inventory, clock } = this.#parts
    const kind = filter.kind && this.filterKind(filter.kind)
    if (filter.status) refuseUnknown('status', filter.status, CONDITION_TYPES)
    const { source, status } = filter
    const isTrue = status && trueNow(status, clock)
    const holds = (owned: Owned) => (!source || owned.source === source) && (!isTrue || isTrue(owned.conditions))
    const { items, total } = inventory.page(kind, holds, page)
    const shown: Resource[] = []
    await inPieces(eachOf(items, (owned) => void shown.push(this.resource(owned))))
    return { items: shown, total }
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
      ...this.resource(owned),
      desired: display(desired.value),
      last_applied: applied && display(applied),
      live: live && display(live),
      owners: live ? ownersOf({ desired: desired.value, applied, live, pending }, shape) : {},
      drift: drift.openOf(owned.kind, owned.name),
      history: await runs.historyOf(owned.kind, owned.name),
    }
  }

  async drift(filter: DriftFilter, page: PageAsked): Promise<Page<Drift>> {
    return this.#parts.drift.list({ ...filter, kind: filter.kind && this.filterKind(filter.kind) }, page)
  }

  /** Null if unowned. */
  placeOf(kind: string, liveId: string): Pick<Owned, 'source' | 'file' | 'line'> | null {
    const owned = this.#parts.inventory.byLiveId(kind, liveId)
    return owned ? { source: owned.source, file: owned.file, line: owned.line } : null
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

  resource(owned: Owned): Resource {
    const { kind, name, source, file, line, revision } = owned
    const conditions = agedConditions(owned.conditions, this.#parts.clock)
    const contest = contestOf(owned)
    return {
      kind,
      name,
      id: idOf(owned),
      source,
      file,
      line,
      desired_hash: maskSpec(owned.desired, this.#parts.vault).digest,
      live_id: owned.liveId,
      conditions,
      waiting: this.#parts.watch.waiting(idOf(owned)),
      contested: contest && { paths: contest.paths, actors: contest.actors, since: contest.since },
      suspended: owned.suspended ?? null,
      observed_at: conditions[0]?.observed_at ?? null,
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
