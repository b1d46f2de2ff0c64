import { conflict } from '../../platform/core/problem.ts'
import type { Plan } from '../../schemas/plan.ts'

/** `title`: what the plan is for. Throws 409 if `planHash`, the hash of a reviewed plan, is not that of the plan now. */
export function refuseStale({ hash }: Pick<Plan, 'hash'>, planHash: string | undefined, title: string): void {
  if (planHash === undefined || planHash === hash) return
  const found = `plan_hash: expected "${hash}", the hash of the plan now; got "${planHash}"`
  throw conflict(`the plan to ${title} is stale: nothing was changed; ${found}`, 'stale-plan')
}
