// Work is respected: what would interrupt it waits until the resource is idle, or until the drain deadline has passed.
import type { Plan } from '../../../schemas/plan.ts'
import { begunBy, drainDeadline, type Drain } from '../../watching/pending-work.ts'
import type { Inventory } from '../inventory/inventory.ts'

/** A run that waits is followed by the next pass after this long, in milliseconds. */
export const WAITING_PASS_MS = 5000

/**
 * Milliseconds until the next drain deadline where every step waits for idle work as it did before; null where any
 * can be done.
 */
export function stillWaiting(plan: Plan, inventory: Inventory, drain: Drain): number | null {
  if (plan.steps.length === 0) return null
  const now = drain.clock.now()
  const waits = plan.steps.map((step) => {
    const since = step.interrupts && begunBy(now, inventory.get(step.kind, step.name)?.deferredSince)
    return since ? drainDeadline(since, drain) - now : 0
  })
  return waits.every((wait) => wait > 0) ? Math.min(...waits) : null
}
