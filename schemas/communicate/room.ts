import * as Type from 'typebox'
import { namedObject, orNull } from '../shapes.ts'

export const ROOM_TYPES = ['group', 'direct', 'broadcast'] as const
export type RoomType = (typeof ROOM_TYPES)[number]
export const PARTICIPANT_KINDS = ['human', 'agent'] as const
export type ParticipantKind = (typeof PARTICIPANT_KINDS)[number]
export const PARTICIPANT_ROLES = ['member', 'admin', 'observer'] as const
export type ParticipantRole = (typeof PARTICIPANT_ROLES)[number]

export const DIRECT_PARTICIPANTS = 2

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const isUuid = new RegExp(`^${UUID}$`)

/** Rooms are addressed by name or id, so names must not look like ids. */
export const looksLikeId = (text: string): boolean => isUuid.test(text)

export const RoomName = Type.String({
  maxLength: 128,
  pattern: `^(?!${UUID}$)[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]*$`,
  description:
    'Unique name; starts with a letter or digit; letters, digits, space, dot, hyphen, underscore; not a UUID',
})

export const ParticipantIdentifier = Type.String({
  maxLength: 128,
  pattern: '^[\\p{L}\\p{N}_][\\p{L}\\p{N}_.@:+-]*$',
  description: 'Id of an agent or name of a person; unique in the room',
})

const MOST_TOPIC = 256
const MOST_TEXT = 4096
const MOST_DISPLAY_NAME = 256

const topic = orNull(Type.String({ maxLength: MOST_TOPIC }), 'Short purpose of the room')
const description = orNull(Type.String({ maxLength: MOST_TEXT }), 'Long description of the room')
const roomType = Type.Enum([...ROOM_TYPES], {
  description: 'Type of the room; group: all but observers post; direct: two participants; broadcast: admins post',
})
const role = Type.Enum([...PARTICIPANT_ROLES], {
  description: 'Role; member: posts; admin: also manages participants; observer: reads',
})
const displayName = Type.String({
  minLength: 1,
  maxLength: MOST_DISPLAY_NAME,
  description: 'Display name; default: the identifier',
})
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

/** This many unread messages mean: more than 99. */
export const UNREAD_LIMIT = 100

/** A room as a participant of it sees it. */
export const RoomOfParticipant = namedObject('RoomOfParticipant', {
  ...Room.properties,
  unread: Type.Integer({
    minimum: 0,
    maximum: UNREAD_LIMIT,
    description: `Messages of others after the last one that the participant marked as read; ${UNREAD_LIMIT}: more than 99`,
  }),
})
export type RoomOfParticipant = Type.Static<typeof RoomOfParticipant>

export const RoomInput = namedObject('RoomInput', {
  name: RoomName,
  topic: Type.Optional(topic),
  description: Type.Optional(description),
  room_type: Type.Optional(roomType),
  created_by: ParticipantIdentifier,
})
export type RoomInput = Type.Static<typeof RoomInput>

export const RoomUpdate = namedObject('RoomUpdate', {
  name: Type.Optional(RoomName),
  topic: Type.Optional(topic),
  description: Type.Optional(description),
  room_type: Type.Optional(roomType),
})
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

export const Presence = Type.Object({
  identifier: ParticipantIdentifier,
  kind: Type.Enum([...PARTICIPANT_KINDS]),
  display_name: displayName,
})
export type Presence = Type.Static<typeof Presence>
