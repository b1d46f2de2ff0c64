import { expect, test, vi } from 'vitest'
import { begun } from '../../../../web/screens/plan/apply-events.ts'

async function* events(...answers: (string | Error)[]) {
  for (const answer of answers) {
    if (answer instanceof Error) throw answer
    yield answer
  }
}

test('fails with an apply that does not begin', async () => {
  const failed = vi.fn()
  await expect(begun(events(new Error('refused')), failed)).rejects.toThrow('refused')
  expect(failed).not.toHaveBeenCalled()
})

test('reports an error after the first event, and reads the events to the end', async () => {
  const failed = vi.fn()
  await begun(events('plan', 'step', new Error('broken off')), failed)
  await vi.waitFor(() => expect(failed).toHaveBeenCalledWith(new Error('broken off')))
  const all = events('plan', 'step')
  await begun(all, failed)
  await vi.waitFor(async () => expect(await all.next()).toEqual({ done: true, value: undefined }))
  expect(failed).toHaveBeenCalledTimes(1)
})
