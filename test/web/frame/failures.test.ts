import { expect, test } from 'vitest'
import { RequestProblem } from '../../../web/client/problem.ts'
import { failureFacts, MissingPart } from '../../../web/frame/failures.ts'

test('explains an error of the daemon by its code', () => {
  const problem = new RequestProblem(409, 'stale-plan', 'the plan has changed', { request_id: 'r7' })
  expect(failureFacts(problem)).toMatchObject({ detail: 'the plan has changed', code: 'stale-plan', requestId: 'r7' })
  expect(failureFacts({ code: 'forbidden', message: 'not allowed' })).toMatchObject({ code: 'forbidden' })
})

test('offers a reload for a missing part and for an error of the page', () => {
  expect(failureFacts(new MissingPart())).toMatchObject({ code: 'page-part-missing' })
  for (const error of [new MissingPart(), new Error('boom'), 'boom'])
    expect(failureFacts(error).step).toBe('Reload the page; drafts are kept.')
})
