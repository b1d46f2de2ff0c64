import { expect, test } from 'vitest'
import type { Plan } from '../../../../schemas/plan.ts'
import { joinedPlan, revertAll, revertPlans } from '../../../../web/frame/plans/joint-revert.ts'

const plan = (hash: string, path: string, after: unknown = 'x') =>
  ({ hash, steps: [{ kind: 'agents', name: 'a', action: 'update', changes: [{ path, after }] }] }) as unknown as Plan

function controllerOf(plans: Record<string, Plan[]>) {
  const sent: unknown[] = []
  const controller = {
    planDriftRevert: async ({ params: { id } }: { params: { id: string } }) => plans[id]!.shift()!,
    revertDriftedField: async (input: unknown) => void sent.push(input),
  }
  return { sent, controller: controller as never }
}

test('joins the changes of one resource into one step', () => {
  const { hash, steps } = joinedPlan([plan('a1', 'model'), plan('b1', 'prompt')])
  expect(hash).toBe('a1b1')
  expect(steps.map(({ changes }) => changes.map(({ path }) => path))).toEqual([['model', 'prompt']])
})

test('reverts each field with the hash of its plan', async () => {
  const { sent, controller } = controllerOf({
    a: [plan('a1', 'model')],
    b: [plan('b1', 'prompt'), plan('b2', 'prompt')],
  })
  await revertAll(controller, ['a', 'b'], await revertPlans(controller, ['a', 'b']))
  expect(sent).toEqual([
    { params: { id: 'a' }, body: { plan_hash: 'a1' } },
    { params: { id: 'b' }, body: { plan_hash: 'b2' } },
  ])
})

test('refuses a plan with other steps than the reviewed one', async () => {
  const changed = plan('b2', 'prompt', 'other')
  const { sent, controller } = controllerOf({ a: [plan('a1', 'model')], b: [plan('b1', 'prompt'), changed] })
  const reviewed = await revertPlans(controller, ['a', 'b'])
  await expect(revertAll(controller, ['a', 'b'], reviewed)).rejects.toMatchObject({ code: 'stale-plan' })
  expect(sent).toHaveLength(1)
})
