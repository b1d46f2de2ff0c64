import { expect, test } from 'vitest'
import { RequestProblem } from '../../../web/client/problem.ts'
import { failureFacts, isRefused, MissingPart, partOf } from '../../../web/frame/failures.ts'

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

test('a part of the page that cannot be loaded belongs to a newer page', async () => {
  await expect(partOf(() => Promise.reject(new TypeError('failed to fetch')))()).rejects.toThrow(MissingPart)
  expect(await partOf(() => Promise.resolve('part'))()).toBe('part')
})

test('a refusal of a live topic is one of the caller', () => {
  expect([isRefused({ code: 'forbidden', message: 'no' }), isRefused(new Error('broken')), isRefused(null)]).toEqual([
    true,
    false,
    false,
  ])
})
