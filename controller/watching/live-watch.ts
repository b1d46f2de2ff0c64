import { SerialQueues } from '../../platform/async/serial-queue.ts'
import { timestamp } from '../../platform/core/clock.ts'
import type { Drift, Condition, Waiting } from '../../schemas/resource.ts'
import { driftOf, sidesOf, type Sides } from '../planning/drift.ts'
import { settleIntent, type OpenIntents } from '../planning/intents.ts'
import { sameSpec, type MaskedSpec } from '../planning/masking.ts'
import type { Contest, Owned, OwnedResources } from '../planning/ownership.ts'
import { driftModeOf, rulesInForce, type SyncRules } from '../planning/sync-rules.ts'
import { idOf } from '../reading/graph.ts'
import type { Observed, Writer } from '../reconciler.ts'
import { setCondition, type Verdict } from './conditions.ts'
import type { DriftRecords, DriftRow } from './drift-records.ts'
import { contestAt } from './contest-detection.ts'
import { foundIn, resolutionOf, withoutPrunedReferences, type Found } from './drift-resolution.ts'
import { waitingOf, type Drain } from './pending-work.ts'
import type { Vault } from '../../platform/secrets/vault.ts'
import type { LiveSystem } from './live-system.ts'
import { unreachableVerdict, verdictsOn } from './verdicts.ts'

interface LiveWatchParts {
  live: LiveSystem
  inventory: OwnedResources
  intents: OpenIntents
  drift: DriftRecords
  vault: Vault
  drain: Drain
  /** Without the effect of suspension and contests. */
  rulesOf(owned: Owned): SyncRules
  listener: LiveWatchListener
}

export interface LiveWatchListener {
  onDrift(record: Drift): void
  onCondition(change: { kind: string; name: string; condition: Condition }): void
  onContest(owned: Owned, contest: Contest): Promise<void>
}

/**
 * Next action: none, a healing pass, or a pass for a change that waited. `as-desired`: none, and a pass would find
 * nothing.
 */
export type Outcome = 'settled' | 'as-desired' | 'heal' | 'resume'

type Seen = Observed<any, any> | null

export class LiveWatch {
  readonly #parts: LiveWatchParts
  /** Resources being reverted on request, as kind/name. */
  readonly #reverting = new Set<string>()
  readonly #waiting = new Map<string, Waiting>()
  readonly #turns = new SerialQueues()
  /** Resources that a run is changing, as kind/name. */
  readonly #paused = new Set<string>()
  /** Author of the last reported change, by kind/name. */
  readonly #writers = new Map<string, Writer>()

  constructor(parts: LiveWatchParts) {
    this.#parts = parts
  }

  /** Drift of `ids` that ends meanwhile counts as reverted. */
  async whileReverting<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const id of ids) this.#reverting.add(id)
    try {
      return await work()
    } finally {
      for (const id of ids) this.#reverting.delete(id)
    }
  }

  /** Records the end of reverted drift. */
  async recordReverted(ids: readonly string[]): Promise<void> {
    // If that fails, the record remains open until an observation succeeds.
    for (const id of ids) if (this.#reverting.has(id)) await this.observe(id).catch(() => undefined)
  }

  /** Observations of one resource are serialised, so that an older one never overwrites a newer one. */
  observe(id: string): Promise<Outcome> {
    return this.#turns.run(id, () => this.#observeNow(id))
  }

  async #observeNow(id: string): Promise<Outcome> {
    const { live, inventory, drift, drain, listener } = this.#parts
    const owned = inventory.find(id)
    if (!owned) {
      this.#waiting.delete(id)
      return 'settled'
    }
    const observed = await live.observe(owned).catch((error: Error) => {
      if (!live.signal.aborted) this.recordUnreachable(owned, error.message)
      throw error
    })
    // A step ended meanwhile; which came first is unknown.
    if (inventory.find(id) !== owned) return this.#observeNow(id)
    const rules = this.#rulesOf(owned)
    const drifted = await this.#recordDrift(owned, observed, rules)
    const healing = drifted.filter((path) => driftModeOf(rules, path) === 'heal')
    const contest = healing.length > 0 ? await contestAt(owned, healing, { drift, clock: drain.clock }) : null
    if (contest) await listener.onContest(inventory.find(id) ?? owned, contest)
    const current = inventory.find(id) ?? owned
    for (const verdict of this.#verdicts(current, observed, drifted.length > 0)) this.#set(current, verdict)
    if (healing.length > 0) return contest ? 'settled' : 'heal'
    if (current.deferredSince && !current.suspended)
      return observed && live.reconcilerOf(owned.kind).interrupts(observed.live) === null ? 'resume' : 'settled'
    return this.#isAsDesired(current, observed) ? 'as-desired' : 'settled'
  }

  #isAsDesired({ desired, applied, liveId }: Owned, observed: Seen): boolean {
    if (!observed || observed.running || observed.deviations?.length || observed.liveId !== liveId) return false
    return applied !== null && sameSpec(applied, desired) && sameSpec(observed.spec, desired)
  }

  /**
   * Confirms verdicts, or sets first ones, from an observation that may be older than the record. False if it differs:
   * observe the resource again.
   */
  confirm(owned: Owned, observed: Seen): boolean {
    if (this.#parts.drift.hasOpen(owned.kind, owned.name)) return false
    if (this.#deviations(owned, observed).length > 0) return false
    const verdicts = this.#verdicts(owned, observed, false)
    if (verdicts.some((verdict) => isNews(owned, verdict))) return false
    for (const verdict of verdicts) this.#set(owned, verdict)
    return true
  }

  /** Call before a run changes the resource; it is observed after `resume`. */
  pause(id: string): void {
    this.#paused.add(id)
  }

  resume(id: string): void {
    this.#paused.delete(id)
  }

  isPaused(id: string): boolean {
    return this.#paused.has(id)
  }

  recordWriter(id: string, by: Writer): void {
    this.#writers.set(id, by)
  }

  recordUnreachable(owned: Owned, why: string): void {
    this.#set(owned, unreachableVerdict(why))
  }

  /** As of the last observation. */
  waiting(id: string): Waiting | null {
    return this.#waiting.get(id) ?? null
  }

  #verdicts(owned: Owned, observed: Seen, drifted: boolean): Verdict[] {
    const { live, vault, drain } = this.#parts
    const reconciler = live.reconcilerOf(owned.kind)
    const waiting = waitingOf(owned, observed, { reconciler, vault, rules: this.#rulesOf(owned), drain })
    if (waiting) this.#waiting.set(idOf(owned), waiting)
    else if (this.#waiting.size > 0) this.#waiting.delete(idOf(owned))
    return verdictsOn(owned, { reconciler, observed, drifted, waiting })
  }

  #rulesOf(owned: Owned): SyncRules {
    return rulesInForce(this.#parts.rulesOf(owned), owned)
  }

  /** Drift of the spec and of live state that the spec implies. */
  #deviations(recorded: Owned, observed: Seen): Found[] {
    const { intents, live } = this.#parts
    // Effects of a step without a recorded end are not drift.
    const intent = intents.get(recorded.kind, recorded.name)
    const { definition } = live.reconcilerOf(recorded.kind)
    const owned = (intent && settleIntent(recorded, intent, observed, definition)) ?? recorded
    if (owned.applied === null) return []
    const isAsApplied = sameSpec(owned.desired, owned.applied) && sameSpec(observed?.spec, owned.applied)
    if (isAsApplied && !observed?.deviations?.length) return []
    const sides = this.#sides(owned, observed)
    return driftOf(sides, this.#rulesOf(owned).ignore).map((each) => foundIn(each, sides.applied, sides))
  }

  #sides(owned: Owned, observed: Seen): Sides & { applied: MaskedSpec } {
    const { vault, live } = this.#parts
    const sides = sidesOf(owned, observed, { vault, definition: live.reconcilerOf(owned.kind).definition })
    return { ...sides, applied: sides.applied! }
  }

  async #recordDrift(owned: Owned, observed: Seen, rules: SyncRules): Promise<string[]> {
    const { drift, listener, live, intents } = this.#parts
    const reconciler = live.reconcilerOf(owned.kind)
    const { kind, name, liveId } = owned
    const reported = this.#writers.get(idOf(owned)) ?? null
    if (reported) this.#writers.delete(idOf(owned))
    const writer = async (path: string) => (liveId ? ((await reconciler.writer(liveId, path)) ?? reported) : reported)
    const intent = intents.get(kind, name)
    // Drift of a resource being deleted ends with it.
    if (intent?.action === 'delete') return drift.openOf(kind, name).map(({ path }) => path)
    const deviations = this.#deviations(owned, observed)
    const found = await withoutPrunedReferences(owned, deviations, { reconciler, lookup: live.lookup, writer })
    const resolution = (row: DriftRow) =>
      resolutionOf(row, {
        ...this.#sides(owned, observed),
        rules,
        isReverting: this.#reverting.has(idOf(owned)),
        writer,
      })
    for (const record of await drift.record(owned, { found, writer, resolution })) listener.onDrift(record)
    return found.map(({ path }) => path)
  }

  /** In memory only: the row is saved with the next write of the resource. */
  #set(owned: Owned, verdict: Verdict): void {
    const { kind, name, revision } = owned
    const at = timestamp(this.#parts.drain.clock)
    const { conditions, changed } = setCondition(owned.conditions, verdict, revision, at)
    owned.conditions = conditions
    if (changed) this.#parts.listener.onCondition({ kind, name, condition: { ...verdict, revision, observed_at: at } })
  }
}

/** True if a different verdict is on record; false for a first verdict. */
function isNews({ conditions }: Owned, verdict: Verdict): boolean {
  const known = conditions.find((condition) => condition.type === verdict.type)
  return known !== undefined && (known.status !== verdict.status || known.message !== verdict.message)
}
