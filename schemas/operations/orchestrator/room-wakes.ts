import * as Type from 'typebox'
import { RoomMessagePreview, RoomWakes } from '../../agent/room-wakes.ts'
import { operation } from '../operation.ts'

export const previewWakes = operation('orchestrator.previewWakes', 'POST /rooms/:id/wakes', {
  identity: 'none',
  summary: 'Show the agents that a room message would wake',
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128, description: 'Id or name of the room' }) }),
  body: RoomMessagePreview,
  reply: { 200: RoomWakes },
  errors: [404],
  readOnly: true,
})
