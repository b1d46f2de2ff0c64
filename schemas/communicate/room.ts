// A room: where people and agents talk, and who is in it.
import * as Type from 'typebox'
import { namedObject, orNull } from '../shapes.ts'

export const ROOM_TYPES = ['group', 'direct', 'broadcast'] as const
export type RoomType = (typeof ROOM_TYPES)[number]
export const PARTICIPANT_KINDS = ['human', 'agent'] as const
export type ParticipantKind = (typeof PARTICIPANT_KINDS)[number]
export const PARTICIPANT_ROLES = ['member', 'admin', 'observer'] as const
export type ParticipantRole = (typeof PARTICIPANT_ROLES)[number]

/** Participants that a direct room has at most. */
export const DIRECT_PARTICIPANTS = 2

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const isUuid = new RegExp(`^${UUID}$`)

/** A room is named by either: none has a name that looks like an id. */
export const looksLikeId = (text: string): boolean => isUuid.test(text)

export const RoomName = Type.String({
  maxLength: 128,
  pattern: `^(?!${UUID}$)[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]*$`,
  description: 'Unique; begins with a letter or digit; letters, digits, blank, dot, hyphen, underscore; no UUID',
})

/** Who it is: the id of an agent, or what a person is called. */
export const ParticipantIdentifier = Type.String({
  maxLength: 128,
  pattern: '^[\\p{L}\\p{N}_][\\p{L}\\p{N}_.@:+-]*$',
  description: 'Id of an agent, or name of a person; unique in the room',
})

const MOST_TOPIC = 256
const MOST_TEXT = 4096
const MOST_DISPLAY_NAME = 256

const topic = orNull(Type.String({ maxLength: MOST_TOPIC }), 'A few words on what it is for')
const description = orNull(Type.String({ maxLength: MOST_TEXT }), 'What it is for, at length')
const roomType = Type.Enum([...ROOM_TYPES], {
  description: 'group: all but observers post; direct: two participants; broadcast: admins post',
})
const role = Type.Enum([...PARTICIPANT_ROLES], {
  description: 'member: posts; admin: manages participants too; observer: reads',
})
const displayName = Type.String({ minLength: 1, maxLength: MOST_DISPLAY_NAME, description: 'Default: its identifier' })
const time = Type.String({ format: 'date-time' })

export const Room = namedObject('Room', {
  id: Type.String({ format: 'uuid' }),
  name: RoomName,
  topic,
  description,
  room_type: roomType,
  created_by: Type.String(),
  created_at: time,
  updated_at: time,
})
export type Room = Type.Static<typeof Room>

export const RoomInput = namedObject('RoomInput', {
  name: RoomName,
  topic: Type.Optional(topic),
  description: Type.Optional(description),
  room_type: Type.Optional(roomType),
  created_by: ParticipantIdentifier,
})
export type RoomInput = Type.Static<typeof RoomInput>

export const RoomUpdate = namedObject('RoomUpdate', Type.Partial(Type.Omit(RoomInput, ['created_by'])).properties)
export type RoomUpdate = Type.Static<typeof RoomUpdate>

export const Participant = namedObject('Participant', {
  id: Type.String({ format: 'uuid' }),
  room_id: Type.String({ format: 'uuid' }),
  identifier: Type.String(),
  kind: Type.Enum([...PARTICIPANT_KINDS]),
  display_name: Type.String(),
  role,
  joined_at: time,
})
export type Participant = Type.Static<typeof Participant>

export const ParticipantInput = namedObject('ParticipantInput', {
  identifier: ParticipantIdentifier,
  kind: Type.Enum([...PARTICIPANT_KINDS]),
  display_name: Type.Optional(displayName),
  role: Type.Optional(role),
})
export type ParticipantInput = Type.Static<typeof ParticipantInput>

export const ParticipantUpdate = namedObject('ParticipantUpdate', { role })
export type ParticipantUpdate = Type.Static<typeof ParticipantUpdate>

/** Somebody who asks to read along over a socket. */
export const Presence = Type.Object({
  identifier: ParticipantIdentifier,
  kind: Type.Enum([...PARTICIPANT_KINDS]),
  display_name: displayName,
})
export type Presence = Type.Static<typeof Presence>
