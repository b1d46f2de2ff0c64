import type { Plan, PlanImpact } from '../../schemas/plan.ts'
import { idOf, reachable, usersOf } from '../reading/graph.ts'
import type { Owned } from './ownership.ts'

/** `desired` and `owned` are the possible dependents. */
export function impactOf(
  { steps }: Pick<Plan, 'steps'>,
  desired: readonly Pick<Owned, 'kind' | 'name' | 'dependsOn'>[],
  owned: readonly Pick<Owned, 'kind' | 'name' | 'dependsOn'>[],
): PlanImpact {
  const stopping = steps.filter(({ action }) => action === 'restart' || action === 'replace' || action === 'delete')
  const stopped = stopping.map(idOf)
  const interrupted = stopping.filter(({ interrupts }) => interrupts !== null).map(idOf)
  if (stopped.length === 0) return { stopped, interrupted, affected: [] }
  const users = usersOf([...owned, ...desired].map((each) => [idOf(each), each.dependsOn]))
  return { stopped, interrupted, affected: [...reachable(stopped, users)].slice(stopped.length).sort() }
}
