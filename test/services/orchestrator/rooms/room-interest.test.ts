import { expect, test } from 'vitest'
import { RoomInterest } from '../../../../services/orchestrator/rooms/room-interest.ts'

test('ends after a scan without agents and begins again after a move', () => {
  const concern = new RoomInterest()
  expect(concern.isThere).toBe(true)
  concern.beginCheck()(false)
  expect(concern.isThere).toBe(false)
  concern.noteMove()
  expect(concern.isThere).toBe(true)
  concern.beginCheck()(true)
  expect(concern.isThere).toBe(true)
})

test('leaves a move during a scan to the next scan', () => {
  const concern = new RoomInterest()
  const saw = concern.beginCheck()
  concern.noteMove()
  saw(false)
  expect(concern.isThere).toBe(true)
  concern.beginCheck()(false)
  expect(concern.isThere).toBe(false)
})
