// Work is respected: what would interrupt it waits until the resource is idle, or until the drain deadline has passed.
import type { Clock } from '../../platform/clock.ts'
import type { Plan } from '../../schemas/plan.ts'
import type { Inventory } from './inventory.ts'

/** How long a step waits for busy resources at most. */
export interface Drain {
  clock: Clock
  /** Seconds. */
  drainTimeoutSecs: number
}

/** When what has waited since `since` is done all the same, in milliseconds since 1970. */
export function drainDeadline(since: string, { drainTimeoutSecs }: Drain): number {
  return Date.parse(since) + drainTimeoutSecs * 1000
}

/** Milliseconds until the next drain deadline where every step waits for idle work as it did before; null where any can be done. */
export function stillWaiting(plan: Plan, inventory: Inventory, drain: Drain): number | null {
  if (plan.steps.length === 0) return null
  const now = drain.clock.now()
  const waits = plan.steps.map((step) => {
    const since = step.interrupts && inventory.get(step.kind, step.name)?.deferredSince
    return since ? drainDeadline(since, drain) - now : 0
  })
  return waits.every((wait) => wait > 0) ? Math.min(...waits) : null
}
