// Frames of the room WebSocket, in both directions.
import * as Type from 'typebox'
import { Message, MESSAGE_STATUSES, messageFields } from './message.ts'
import { Participant } from './room.ts'
import { closedObject } from '../shapes.ts'

const room = Type.String({ minLength: 1, maxLength: 128, description: 'Id or name of a room' })
const uuid = Type.String({ format: 'uuid' })
const ref = Type.String({ maxLength: 128, description: 'Returned with the answer' })

const frame = <const Name extends string, const Members extends Record<string, Type.TSchema>>(
  name: Name,
  members: Members,
) => closedObject({ type: Type.Literal(name), ref: Type.Optional(ref), ...members })

/** By `type`. Errors return the `ref` of the frame they answer. */
export const clientFrames = {
  subscribe: frame('subscribe', {
    room_id: room,
    after: Type.Optional({ ...uuid, description: 'Last message seen; newer messages are sent first' }),
  }),
  unsubscribe: frame('unsubscribe', { room_id: room }),
  send: frame('send', { room_id: room, ...messageFields }),
  read: frame('read', { room_id: room, message_id: uuid }),
  typing: frame('typing', { room_id: room }),
  ping: frame('ping', {}),
} as const
export type ClientFrame = {
  [Name in keyof typeof clientFrames]: Type.Static<(typeof clientFrames)[Name]>
}[keyof typeof clientFrames]

export const PARTICIPANT_EVENTS = ['joined', 'changed', 'left'] as const
export type ParticipantEvent = (typeof PARTICIPANT_EVENTS)[number]

const answered = Type.Optional(ref)

export const ServerFrame = Type.Union(
  [
    closedObject({ type: Type.Literal('subscribed'), room_id: uuid, ref: answered }),
    closedObject({
      type: Type.Literal('unsubscribed'),
      room_id: uuid,
      ref: answered,
      reason: Type.Optional(Type.String({ description: 'Set if the client did not ask for it' })),
    }),
    closedObject({ type: Type.Literal('sent'), ref: answered, message: Message }),
    closedObject({ type: Type.Literal('message'), room_id: uuid, message: Message }),
    closedObject({
      type: Type.Literal('message_status'),
      room_id: uuid,
      message_id: uuid,
      status: Type.Enum([...MESSAGE_STATUSES]),
      by: Type.String({ description: 'Identifier of the participant' }),
    }),
    closedObject({
      type: Type.Literal('participant_event'),
      room_id: uuid,
      event: Type.Enum([...PARTICIPANT_EVENTS]),
      participant: Participant,
      by: Type.String({ description: 'Identifier of the author of the change' }),
    }),
    closedObject({
      type: Type.Literal('typing'),
      room_id: uuid,
      identifier: Type.String(),
      display_name: Type.String(),
    }),
    closedObject({ type: Type.Literal('pong'), ref: answered }),
    closedObject({
      type: Type.Literal('error'),
      code: Type.String({ description: 'Code listed in docs/errors.md' }),
      message: Type.String(),
      ref: answered,
    }),
  ],
  { $id: 'RoomFrame' },
)
export type ServerFrame = Type.Static<typeof ServerFrame>
