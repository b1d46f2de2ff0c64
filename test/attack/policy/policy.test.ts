import { afterAll, expect, test } from 'vitest'
import { judge } from '../../../services/orchestrator/policy/judge.ts'
import { counted } from '../../support/counts.ts'
import { corpus } from './corpus/index.ts'
import { makeGround } from './corpus/place.ts'

const ground = makeGround()
afterAll(() => ground.remove())
const tried = { hostile: 0, plain: 0 }

function decidedOtherwise(
  requests: Parameters<typeof ground.request>[0][],
  want: string,
  group: (typeof corpus)[number],
) {
  return requests.filter(
    (request) => judge(group.policy, ...ground.request(request), ground.place(group)).decision !== want,
  )
}

for (const group of corpus) {
  const { title, refused = [], passed = [], asked = [] } = group
  tried.hostile += refused.length
  tried.plain += passed.length
  if (refused.length > 0)
    test(`refuses ${refused.length} attempts: ${title}`, () =>
      expect(decidedOtherwise(refused, 'deny', group)).toEqual([]))
  if (asked.length > 0)
    test(`asks a person about ${asked.length} requests: ${title}`, () =>
      expect(decidedOtherwise(asked, 'ask', group)).toEqual([]))
  if (passed.length > 0)
    test(`allows ${passed.length} plain requests: ${title}`, () =>
      expect(decidedOtherwise(passed, 'allow', group)).toEqual([]))
}

test('contains at least 400 attempts and 150 plain requests', () => {
  counted('policy: hostile attempts', tried.hostile)
  counted('policy: plain requests', tried.plain)
  expect(tried.hostile).toBeGreaterThanOrEqual(400)
  expect(tried.plain).toBeGreaterThanOrEqual(150)
})
