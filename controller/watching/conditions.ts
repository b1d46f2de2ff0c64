import type { Clock } from '../../platform/core/clock.ts'
import type { Condition } from '../../schemas/resource.ts'
import type { Verdict } from '../reconciler.ts'

export type { Verdict } from '../reconciler.ts'

/** Older verdicts read Unknown. */
export const VERDICT_DEADLINE_MS = 5 * 60_000

/** The only writer of conditions. `changed` is false if only time or revision changed. */
export function setCondition(
  conditions: Condition[],
  verdict: Verdict,
  revision: string | null,
  at: string,
): { conditions: Condition[]; changed: boolean } {
  const before = conditions.find((condition) => condition.type === verdict.type)
  const { type, status, reason, message } = verdict
  const changed = before?.status !== status || before.reason !== reason || before.message !== message
  if (!changed && before.revision === revision) {
    before.observed_at = at
    return { conditions, changed }
  }
  // No object spread: V8 keeps a hidden class per spread object, and there are thousands.
  const condition: Condition = { type, status, reason, message, revision, observed_at: at }
  return {
    conditions: before ? conditions.map((other) => (other === before ? condition : other)) : [...conditions, condition],
    changed,
  }
}

export type Current = (conditions: readonly Condition[], type: string) => Condition | undefined

/** Returns a lookup of unexpired conditions in many resources; it compares times as strings, without parsing. */
export function currentAt(clock: Clock): Current {
  const oldest = new Date(clock.now() - VERDICT_DEADLINE_MS).toISOString()
  return (conditions, type) =>
    conditions.find((condition) => condition.type === type && condition.observed_at >= oldest)
}

/** For display: expired verdicts read Unknown. */
export function agedConditions(conditions: readonly Condition[], clock: Clock): Condition[] {
  return conditions.map((condition) => {
    const ageMs = clock.now() - Date.parse(condition.observed_at)
    if (ageMs <= VERDICT_DEADLINE_MS) return condition
    return {
      ...condition,
      status: 'Unknown',
      reason: 'Expired',
      message: `last observed ${Math.round(ageMs / 1000)} s ago: ${condition.message}`,
    }
  })
}
