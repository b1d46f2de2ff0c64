// Watches live resources: each that moved is observed again, and where it left what was applied a drift record says
// who.
import { timestamp } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'
import type { Shape } from '../../schemas/members/keyed-list.ts'
import type { Waiting } from '../../schemas/resource.ts'
import type { ControllerEvent } from '../face.ts'
import { driftOf, type Sides } from '../planning/drift.ts'
import { settled, type OpenIntents } from '../planning/intents.ts'
import { sameSpec, maskSpec, type MaskedSpec } from '../planning/masking.ts'
import type { Contest, Owned, OwnedResources } from '../planning/ownership.ts'
import { driftModeOf, type SyncRules } from '../planning/sync-rules.ts'
import { idOf } from '../reading/graph.ts'
import type { Lookup, Observed, Reconciler, Writer } from '../reconciler.ts'
import { setCondition, type Verdict } from './conditions.ts'
import type { DriftRecords } from './drift-records.ts'
import type { DriftRow } from './drift-table.ts'
import { contestAt, contestVerdict } from './contest-detection.ts'
import { withoutPruned } from './pruned-references.ts'
import { suspendedVerdict } from './suspension-verdict.ts'
import { foundIn, resolutionOf, type Found } from './drift-resolution.ts'
import { unreachableVerdict, verdictsOn } from './health-verdicts.ts'
import { waitingOf, waitingVerdict, type Drain } from './pending-work.ts'
import type { Vault } from '../../platform/secrets/vault.ts'

export interface LiveWatchParts extends Drain {
  reconcilers: readonly Reconciler[]
  inventory: OwnedResources
  intents: OpenIntents
  drift: DriftRecords
  vault: Vault
  lookup: Lookup
  log: Log
  signal: AbortSignal
  rulesOf(owned: Owned): SyncRules
  /** Puts a contest on record, and tells people of it. */
  contested(owned: Owned, contest: Contest): Promise<void>
  publish(event: ControllerEvent): void
}

/**
 * What an observation leads to: nothing, a healing pass, or a pass for what waited until now. `as-desired`: nothing,
 * and there is nothing that a pass could find.
 */
export type Outcome = 'settled' | 'as-desired' | 'heal' | 'resume'

type Seen = Observed<any, any> | null

export class LiveWatch {
  readonly #parts: LiveWatchParts
  /** kind/name of what somebody asked to put back: its drift ends as `reverted`. */
  readonly #reverting = new Set<string>()
  /** By kind/name. */
  readonly #waiting = new Map<string, Waiting>()
  readonly #turns = new Map<string, Promise<Outcome>>()
  /** By kind/name, who made the last change that was heard of it. */
  readonly #writers = new Map<string, Writer>()
  #stamp = { ms: Number.NaN, text: '' }

  constructor(parts: LiveWatchParts) {
    this.#parts = parts
  }

  /** While `work` puts resources back, drift of them that ends was reverted. */
  async reverting<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const id of ids) this.#reverting.add(id)
    try {
      return await work()
    } finally {
      for (const id of ids) this.#reverting.delete(id)
    }
  }

  /** Of these, what is being put back is observed: how its drift has ended is on record when this resolves. */
  async recordReverted(ids: readonly string[]): Promise<void> {
    // What cannot be observed now is unknown, and its record stays open until it can.
    for (const id of ids) if (this.#reverting.has(id)) await this.observe(id).catch(() => undefined)
  }

  /**
   * Observes one resource of the inventory anew and records what it shows. Two observations of one resource follow one
   * another, so that an older one never overwrites what a newer one found.
   */
  observe(id: string): Promise<Outcome> {
    const before = this.#turns.get(id) ?? Promise.resolve('settled')
    const mine = before.catch(() => undefined).then(() => this.#observeNow(id))
    this.#turns.set(id, mine)
    return mine.finally(() => {
      if (this.#turns.get(id) === mine) this.#turns.delete(id)
    })
  }

  async #observeNow(id: string): Promise<Outcome> {
    const { inventory, lookup, signal, rulesOf } = this.#parts
    const owned = inventory.find(id)
    if (!owned) {
      this.#waiting.delete(id)
      return 'settled'
    }
    const reconciler = this.#reconcilerOf(owned)
    const observed = await reconciler
      .observe({ name: owned.name, liveId: owned.liveId }, lookup, signal)
      .catch((error: Error) => {
        if (!signal.aborted) this.unreachable(owned, error.message)
        throw error
      })
    // A step came to its end meanwhile: it is not known which of the two was first.
    if (inventory.find(id) !== owned) return this.#observeNow(id)
    const rules = rulesOf(owned)
    const drifted = await this.#recordDrift(owned, reconciler, observed, rules)
    const healing = drifted.filter((path) => driftModeOf(rules, path) === 'heal')
    const contest = healing.length > 0 ? await contestAt(owned, healing, this.#parts) : null
    if (contest) await this.#parts.contested(inventory.find(id) ?? owned, contest)
    const current = inventory.find(id) ?? owned
    for (const verdict of this.#verdicts(current, observed, drifted.length > 0)) this.#set(current, verdict)
    if (healing.length > 0) return contest ? 'settled' : 'heal'
    if (current.deferredSince && !current.suspended)
      return observed && reconciler.interrupts(observed.live) === null ? 'resume' : 'settled'
    return this.#isAsDesired(current, observed) ? 'as-desired' : 'settled'
  }

  #isAsDesired({ desired, applied, liveId }: Owned, observed: Seen): boolean {
    if (!observed || observed.running || observed.deviations?.length || observed.liveId !== liveId) return false
    return applied !== null && sameSpec(applied, desired) && sameSpec(observed.spec, desired)
  }

  /**
   * Takes the observation of a whole pass. What it shows may be older than what is on record: it confirms verdicts, or
   * gives the first, and where it differs a fresh look is asked for (`look`).
   */
  confirm(owned: Owned, observed: Seen): 'confirmed' | 'look' {
    if (this.#parts.drift.hasOpen(owned.kind, owned.name)) return 'look'
    const reconciler = this.#reconcilerOf(owned)
    if (this.#deviations(owned, reconciler, observed).length > 0) return 'look'
    const verdicts = this.#verdicts(owned, observed, false)
    if (verdicts.some((verdict) => isNews(owned, verdict))) return 'look'
    for (const verdict of verdicts) this.#set(owned, verdict)
    return 'confirmed'
  }

  /** Who made a change is told with it. */
  writtenBy(id: string, by: Writer): void {
    this.#writers.set(id, by)
  }

  /** What could not be observed is unknown; what is on record of it otherwise stays as it is. */
  unreachable(owned: Owned, why: string): void {
    this.#set(owned, unreachableVerdict(why))
  }

  /** What waits of a resource, as it was last looked at. */
  waiting(id: string): Waiting | null {
    return this.#waiting.get(id) ?? null
  }

  /** Also notes what waits. */
  #verdicts(owned: Owned, observed: Seen, drifted: boolean): Verdict[] {
    const { vault, rulesOf } = this.#parts
    const reconciler = this.#reconcilerOf(owned)
    const waiting = waitingOf(owned, observed, { reconciler, vault, rules: rulesOf(owned), drain: this.#parts })
    if (waiting) this.#waiting.set(idOf(owned), waiting)
    else if (this.#waiting.size > 0) this.#waiting.delete(idOf(owned))
    const more = [waitingVerdict(owned, waiting), contestVerdict(owned), suspendedVerdict(owned)].filter(
      (verdict) => verdict !== null,
    )
    return [...verdictsOn(reconciler, observed, drifted), ...more]
  }

  #reconcilerOf(owned: Owned): Reconciler {
    return this.#parts.reconcilers.find((candidate) => candidate.definition.kind === owned.kind)!
  }

  /** Drift of the spec, and where the live state is other than the spec implies. */
  #deviations(recorded: Owned, { definition }: Reconciler, observed: Seen): Found[] {
    const { vault, rulesOf, intents } = this.#parts
    // What a step has done whose end is not on record yet is nobody's drift.
    const intent = intents.get(recorded.kind, recorded.name)
    const owned = (intent && settled(recorded, intent, observed, vault, definition)) ?? recorded
    if (owned.applied === null) return []
    const isAsApplied = sameSpec(owned.desired, owned.applied) && sameSpec(observed?.spec, owned.applied)
    if (isAsApplied && !observed?.deviations?.length) return []
    const sides = this.#sides(owned, definition, observed)
    return driftOf(sides, rulesOf(owned).ignore).map((each) => foundIn(each, sides.applied, sides))
  }

  #sides(owned: Owned, { atoms, keyed }: Shape, observed: Seen): Sides & { applied: MaskedSpec } {
    const { vault } = this.#parts
    return {
      desired: maskSpec(owned.desired, vault),
      applied: maskSpec(owned.applied, vault),
      live: observed && maskSpec(observed.spec, vault),
      atoms,
      keyed,
      states: observed?.deviations,
    }
  }

  /** Returns the paths at which it drifted. */
  async #recordDrift(owned: Owned, reconciler: Reconciler, observed: Seen, rules: SyncRules): Promise<string[]> {
    const { drift, publish, log, lookup, intents } = this.#parts
    const { kind, name, liveId } = owned
    const told = this.#writers.get(idOf(owned)) ?? null
    if (told) this.#writers.delete(idOf(owned))
    const writer = async (path: string) => (liveId ? ((await reconciler.writer(liveId, path)) ?? told) : told)
    const seeing = { reconciler, lookup, writer }
    const intent = intents.get(kind, name)
    // What is being taken away: its drift ends with it.
    if (intent?.action === 'delete') return drift.openOf(kind, name).map(({ path }) => path)
    const found = await withoutPruned(owned, this.#deviations(owned, reconciler, observed), seeing)
    const resolution = (row: DriftRow) =>
      resolutionOf(row, {
        ...this.#sides(owned, reconciler.definition, observed),
        rules,
        isReverting: this.#reverting.has(idOf(owned)),
        writer,
      })
    for (const record of await drift.record(owned, { found, writer, resolution })) {
      publish({ type: 'drift', drift: record })
      const { path, actor, request_id } = record
      log.info({ kind, name, path, actor, request_id }, 'drift')
    }
    return found.map(({ path }) => path)
  }

  /** Sets one condition in memory; the row follows with the next write of the resource. */
  #set(owned: Owned, verdict: Verdict): void {
    const { publish } = this.#parts
    const { kind, name, revision } = owned
    const at = this.#now()
    const { conditions, changed } = setCondition(owned.conditions, verdict, revision, at)
    owned.conditions = conditions
    if (changed) publish({ type: 'condition', kind, name, condition: { ...verdict, revision, observed_at: at } })
  }

  /** One text for all verdicts of a millisecond: a pass gives thousands. */
  #now(): string {
    const ms = this.#parts.clock.now()
    if (ms !== this.#stamp.ms) this.#stamp = { ms, text: timestamp(this.#parts.clock) }
    return this.#stamp.text
  }
}

/** True where another verdict is on record than this one; a first verdict is none. */
function isNews({ conditions }: Owned, verdict: Verdict): boolean {
  const known = conditions.find((condition) => condition.type === verdict.type)
  return known !== undefined && (known.status !== verdict.status || known.message !== verdict.message)
}
