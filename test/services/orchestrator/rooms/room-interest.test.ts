import { expect, test } from 'vitest'
import { RoomInterest } from '../../../../services/orchestrator/rooms/room-interest.ts'

test('a look that saw nobody ends the concern, and what moves brings it back', () => {
  const concern = new RoomInterest()
  expect(concern.isThere).toBe(true)
  concern.look()(false)
  expect(concern.isThere).toBe(false)
  concern.noteMove()
  expect(concern.isThere).toBe(true)
  concern.look()(true)
  expect(concern.isThere).toBe(true)
})

test('what moves during a look is looked at by the next, whatever this one saw', () => {
  const concern = new RoomInterest()
  const saw = concern.look()
  concern.noteMove()
  saw(false)
  expect(concern.isThere).toBe(true)
  concern.look()(false)
  expect(concern.isThere).toBe(false)
})
