// Documents under kill -9, 500 times, at every step of a write.
import { expect, test } from 'vitest'
import { crashRepeatedly } from './crashes.ts'
import { counted } from '../../support/counts.ts'

test('no kill leaves half a document, a sidecar alone, or loses what was acknowledged', async () => {
  const { acknowledged, finished, undone } = await crashRepeatedly(500)
  expect(finished + undone).toBe(500)
  counted('documents: kills in the middle of a write', finished + undone)
  counted('documents: writes acknowledged before a kill', acknowledged)
}, 600_000)
