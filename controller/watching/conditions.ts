// Conditions: what is known of a resource, and how old that knowledge is.
import type { Clock } from '../../platform/core/clock.ts'
import type { Condition } from '../../schemas/resource.ts'

/** A verdict older than this reads Unknown, in milliseconds. */
export const VERDICT_DEADLINE_MS = 5 * 60_000

export type Verdict = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>

/**
 * The only writer of conditions: stamps revision and time (`at`). Returns the list and whether anything but the time
 * changed; where nothing has, it is the same list, whose condition has the new time.
 */
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
  // Member by member: of a spread object V8 keeps a description each, and there are thousands.
  const condition: Condition = { type, status, reason, message, revision, observed_at: at }
  return {
    conditions: before ? conditions.map((other) => (other === before ? condition : other)) : [...conditions, condition],
    changed,
  }
}

/**
 * Asks of many resources whether a condition of that type is True now. Times compare as the text they are kept as: none
 * of them is parsed.
 */
export function trueNow(type: string, clock: Clock): (conditions: readonly Condition[]) => boolean {
  const oldest = new Date(clock.now() - VERDICT_DEADLINE_MS).toISOString()
  return (conditions) =>
    conditions.some(
      (condition) => condition.type === type && condition.status === 'True' && condition.observed_at >= oldest,
    )
}

/** Conditions as they may be shown now: past its deadline a verdict reads Unknown. */
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
