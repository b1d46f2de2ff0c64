// Agents that a message in a room would wake.
import * as Type from 'typebox'
import { closedObject, namedObject } from '../shapes.ts'

export const RoomMessagePreview = namedObject('RoomMessagePreview', {
  content: Type.String(),
  sender_id: Type.Optional(Type.String({ description: 'Identifier of the sender, which is not woken' })),
})
export type RoomMessagePreview = Type.Static<typeof RoomMessagePreview>

export const RoomWakes = namedObject('RoomWakes', {
  agents: Type.Array(closedObject({ id: Type.String(), name: Type.String() })),
})
export type RoomWakes = Type.Static<typeof RoomWakes>
