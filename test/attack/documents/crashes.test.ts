// Documents under kill -9, 500 times in full, at every step of a write.
import { expect, test } from 'vitest'
import { crashRepeatedly } from './crashes.ts'
import { times } from '../campaign.ts'
import { counted } from '../../support/counts.ts'

const KILLS = times(500)

test('no kill leaves half a document, a sidecar alone, or loses what was acknowledged', async () => {
  const { acknowledged, finished, undone } = await crashRepeatedly(KILLS)
  expect(finished + undone).toBe(KILLS)
  counted('documents: kills in the middle of a write', finished + undone)
  counted('documents: writes acknowledged before a kill', acknowledged)
}, 600_000)
