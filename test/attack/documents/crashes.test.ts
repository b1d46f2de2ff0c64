import { expect, test } from 'vitest'
import { crashRepeatedly } from './crashes.ts'
import { times } from '../campaign.ts'
import { counted } from '../../support/counts.ts'

const KILLS = times(500)

test('keeps acknowledged writes and no partial documents after kills', async () => {
  const { acknowledged, finished, undone } = await crashRepeatedly(KILLS)
  expect(finished + undone).toBe(KILLS)
  counted('documents: kills in the middle of a write', finished + undone)
  counted('documents: writes acknowledged before a kill', acknowledged)
}, 600_000)
