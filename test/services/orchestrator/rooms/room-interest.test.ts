import { expect, test } from 'vitest'
import { RoomInterest } from '../../../../services/orchestrator/rooms/room-interest.ts'

test('a scan without agents ends the interest, and a move renews it', () => {
  const concern = new RoomInterest()
  expect(concern.isThere).toBe(true)
  concern.beginCheck()(false)
  expect(concern.isThere).toBe(false)
  concern.noteMove()
  expect(concern.isThere).toBe(true)
  concern.beginCheck()(true)
  expect(concern.isThere).toBe(true)
})

test('a move during a scan is checked by the next scan', () => {
  const concern = new RoomInterest()
  const saw = concern.beginCheck()
  concern.noteMove()
  saw(false)
  expect(concern.isThere).toBe(true)
  concern.beginCheck()(false)
  expect(concern.isThere).toBe(false)
})
