// Watches live resources: each that moved is observed again, and where it left what was applied a drift record says who.
import { timestamp } from '../platform/clock.ts'
import type { Condition } from '../schemas/resource.ts'
import type { Canon } from './canonical.ts'
import { setCondition } from './conditions.ts'
import type { Deviation, DriftRecords } from './drift-records.ts'
import type { ControllerEvent } from './face.ts'
import { deviationsOf } from './facts.ts'
import type { Inventory, Owned } from './inventory.ts'
import type { ControllerParts } from './parts.ts'
import { idOf } from './plan.ts'
import type { Lookup, Observed, Reconciler } from './reconciler.ts'
import type { SyncRules } from './sync-rules.ts'

export interface LiveWatchParts {
  parts: ControllerParts
  canon: Canon
  inventory: Inventory
  drift: DriftRecords
  lookup: Lookup
  rulesOf(owned: Owned): SyncRules
  publish(event: ControllerEvent): void
}

/** What an observation leads to: nothing, a healing pass, or a pass for what waited until now. */
export type Outcome = 'settled' | 'heal' | 'resume'

export class LiveWatch {
  readonly #of: LiveWatchParts
  /** kind/name of what somebody asked to put back: its drift ends as `reverted`. */
  readonly reverting = new Set<string>()
  readonly #turns = new Map<string, Promise<Outcome>>()

  constructor(of: LiveWatchParts) {
    this.#of = of
  }

  /**
   * Observes one resource of the inventory anew and records what it shows. Two observations of one resource follow one
   * another, so that an older one never overwrites what a newer one found.
   */
  observe(id: string, signal: AbortSignal): Promise<Outcome> {
    const before = this.#turns.get(id) ?? Promise.resolve('settled')
    const mine = before.catch(() => undefined).then(() => this.#observeNow(id, signal))
    this.#turns.set(id, mine)
    return mine.finally(() => {
      if (this.#turns.get(id) === mine) this.#turns.delete(id)
    })
  }

  async #observeNow(id: string, signal: AbortSignal): Promise<Outcome> {
    const owned = this.#find(id)
    if (!owned) return 'settled'
    const reconciler = this.#reconcilerOf(owned)
    const observed = await reconciler.observe({ name: owned.name, liveId: owned.liveId }, this.#of.lookup, signal)
    const rules = this.#of.rulesOf(owned)
    const drifted = await this.#recordDrift(owned, reconciler, observed, rules)
    const current = this.#find(id) ?? owned
    for (const verdict of verdictsOn(reconciler, observed, drifted)) this.set(current, verdict)
    if (drifted && rules.drift === 'heal') return 'heal'
    return current.deferredSince && observed && reconciler.interrupts(observed.live) === null ? 'resume' : 'settled'
  }

  /**
   * Takes the observation of a whole pass. What it shows may be older than what is on record: it confirms verdicts, or
   * gives the first, and where it differs a fresh look is asked for (`look`).
   */
  confirm(owned: Owned, observed: Observed<any, any> | null): 'confirmed' | 'look' {
    const reconciler = this.#reconcilerOf(owned)
    const drifted = this.#deviations(owned, observed, this.#of.rulesOf(owned)).length > 0
    if (drifted || this.#of.drift.openOf(owned.kind, owned.name).length > 0) return 'look'
    const verdicts = verdictsOn(reconciler, observed, false)
    const known = verdicts.map((verdict) => owned.conditions.find((condition) => condition.type === verdict.type))
    if (
      known.some(
        (condition, index) =>
          condition && (condition.status !== verdicts[index]!.status || condition.message !== verdicts[index]!.message),
      )
    )
      return 'look'
    for (const verdict of verdicts) this.set(owned, verdict)
    return 'confirmed'
  }

  #find(id: string): Owned | undefined {
    const [kind = '', ...name] = id.split('/')
    return this.#of.inventory.get(kind, name.join('/'))
  }

  #reconcilerOf(owned: Owned): Reconciler {
    return this.#of.parts.reconcilers.find((candidate) => candidate.definition.kind === owned.kind)!
  }

  #deviations(owned: Owned, observed: Observed<any, any> | null, rules: SyncRules): Deviation[] {
    const { canon } = this.#of
    const applied = owned.applied === null ? null : canon.mask(owned.applied)
    return deviationsOf(
      canon.mask(owned.desired),
      applied,
      observed && { masked: canon.mask(observed.spec), deviations: observed.deviations },
      rules,
      this.#reconcilerOf(owned).definition.atoms,
    )
  }

  async #recordDrift(
    owned: Owned,
    reconciler: Reconciler,
    observed: Observed<any, any> | null,
    rules: SyncRules,
  ): Promise<boolean> {
    const { drift, publish } = this.#of
    const found = this.#deviations(owned, observed, rules)
    const resolution = this.reverting.has(idOf(owned)) ? 'reverted' : rules.drift === 'heal' ? 'healed' : 'resolved'
    const records = await drift.record(
      owned.kind,
      owned.name,
      found,
      (path) => (owned.liveId ? reconciler.writer(owned.liveId, path) : Promise.resolve(null)),
      resolution,
    )
    for (const record of records) {
      publish({ type: 'drift', drift: record })
      this.#of.parts.log.info(
        { kind: owned.kind, name: owned.name, path: record.path, actor: record.actor, request_id: record.request_id },
        'drift',
      )
    }
    return found.length > 0
  }

  /** Sets one condition in memory; the row follows with the next write of the resource. */
  set(owned: Owned, verdict: Pick<Condition, 'type' | 'status' | 'reason' | 'message'>): void {
    const { conditions, changed } = setCondition(owned.conditions, verdict, owned.revision, this.#of.parts.clock)
    owned.conditions = conditions
    if (changed)
      this.#of.publish({
        type: 'condition',
        kind: owned.kind,
        name: owned.name,
        condition: { ...verdict, revision: owned.revision, observed_at: timestamp(this.#of.parts.clock) },
      })
  }
}

type Verdict = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>

function verdictsOn(reconciler: Reconciler, observed: Observed<any, any> | null, drifted: boolean): Verdict[] {
  const health = observed ? reconciler.health(observed.live) : null
  const inSync: Verdict = { type: 'Drifted', status: 'False', reason: 'InSync', message: 'live is as it was applied' }
  const out: Verdict = {
    type: 'Drifted',
    status: 'True',
    reason: 'DriftFound',
    message: 'live differs from what was applied; GET /drift says where',
  }
  const drift = drifted ? out : inSync
  if (!health)
    return [{ type: 'Ready', status: 'False', reason: 'Missing', message: 'the live resource does not exist' }, drift]
  const { message } = health
  if (health.status === 'Ready') return [{ type: 'Ready', status: 'True', reason: 'Healthy', message }, drift]
  if (health.status === 'Progressing')
    return [{ type: 'Ready', status: 'Unknown', reason: 'Progressing', message }, drift]
  return [{ type: 'Ready', status: 'False', reason: 'Degraded', message }, drift]
}
