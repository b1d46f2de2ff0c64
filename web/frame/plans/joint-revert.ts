import type { Plan } from '../../../schemas/plan.ts'
import type { Clients } from '../../client/clients.ts'
import { RequestProblem } from '../../client/problem.ts'
import { isEqual } from '../../parts/text/field-changes.ts'

type Controller = Pick<Clients['controller'], 'planDriftRevert' | 'revertDriftedField'>

/** The plan of each drift record, in their order. */
export const revertPlans = (controller: Controller, ids: readonly string[], signal?: AbortSignal): Promise<Plan[]> =>
  Promise.all(
    ids.map((id) => controller.planDriftRevert({ params: { id }, ...(signal === undefined ? {} : { signal }) })),
  )

/** One plan of the same resource, with the changes of all of them. */
export function joinedPlan(plans: readonly Plan[]): Plan {
  const [first, ...others] = plans as [Plan, ...Plan[]]
  const steps = new Map(first.steps.map((step) => [`${step.kind}/${step.name}/${step.action}`, step]))
  for (const step of others.flatMap((plan) => plan.steps)) {
    const id = `${step.kind}/${step.name}/${step.action}`
    const same = steps.get(id)
    steps.set(id, same ? { ...same, changes: [...same.changes, ...step.changes] } : step)
  }
  return { ...first, hash: plans.map(({ hash }) => hash).join(''), steps: [...steps.values()] }
}

/**
 * Reverts the fields one by one, each with the hash of its plan. The first revert changes the facts of the others, so
 * they are planned again; a plan with other steps than the reviewed one is refused with 409.
 */
export async function revertAll(
  controller: Controller,
  ids: readonly string[],
  reviewed: readonly Plan[],
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const plan = index === 0 ? reviewed[0]! : await controller.planDriftRevert({ params: { id } })
    if (!isEqual(plan.steps, reviewed[index]!.steps))
      throw new RequestProblem(
        409,
        'stale-plan',
        `the plan has changed since it was shown; ${index} fields are reverted`,
      )
    await controller.revertDriftedField({ params: { id }, body: { plan_hash: plan.hash } })
  }
}
