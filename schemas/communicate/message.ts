// Messages of a room, and the locks that some of them announce.
import * as Type from 'typebox'
import { oneFault, type Fault } from '../kind.ts'
import { PARTICIPANT_KINDS, ParticipantIdentifier } from './room.ts'
import { namedObject, orNull, mapOf } from '../shapes.ts'

export const MESSAGE_STATUSES = ['sent', 'delivered', 'read'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** Maximum characters of a message. */
export const MOST_CONTENT = 65_536
/** Maximum characters of the metadata as JSON. */
export const MOST_METADATA = 16_384

const uuid = Type.String({ format: 'uuid' })
const metadata = mapOf(Type.Unknown(), {
  maxProperties: 64,
  description: `Data of the sender; at most ${MOST_METADATA} characters of JSON`,
})
const content = Type.String({ maxLength: MOST_CONTENT, pattern: '\\S', description: 'Text; not blank' })
const replyTo = orNull(uuid, 'Message of the same room that this one replies to')

export const Message = namedObject('Message', {
  id: uuid,
  room_id: uuid,
  sender_id: Type.String(),
  sender_name: Type.String({ description: 'Name when the message was sent' }),
  sender_kind: Type.Enum([...PARTICIPANT_KINDS]),
  content: Type.String(),
  metadata: mapOf(Type.Unknown()),
  reply_to: orNull(uuid),
  status: Type.Enum([...MESSAGE_STATUSES]),
  created_at: Type.String({ format: 'date-time' }),
})
export type Message = Type.Static<typeof Message>

export const messageFields = {
  content,
  metadata: Type.Optional(metadata),
  reply_to: Type.Optional(replyTo),
  message_id: Type.Optional({
    ...uuid,
    description: 'Id chosen by the sender; a repeated id is stored once',
  }),
}

export const MessageInput = namedObject('MessageInput', { sender_id: ParticipantIdentifier, ...messageFields })
export type MessageInput = Type.Static<typeof MessageInput>

export const ReadInput = namedObject('ReadInput', { message_id: uuid })
export type ReadInput = Type.Static<typeof ReadInput>

export const RoomLock = namedObject('RoomLock', {
  holder: Type.String({ description: 'Identifier of the participant' }),
  holder_name: Type.String(),
  purpose: Type.String({ description: 'Text after [LOCK]' }),
  message_id: uuid,
  since: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
})
export type RoomLock = Type.Static<typeof RoomLock>

export function checkMessage({ metadata: given }: { metadata?: Record<string, unknown> | undefined }): Fault[] {
  const length = given === undefined ? 0 : JSON.stringify(given).length
  if (length <= MOST_METADATA) return []
  return oneFault(
    ['metadata'],
    'invalid-value',
    `has ${length} characters of JSON`,
    `use at most ${MOST_METADATA}; put longer data into the content or a document`,
  )
}

/** Parses [LOCK] or [UNLOCK] at the start of a message; null otherwise. */
export function lockWordOf(text: string): { word: 'lock' | 'unlock'; purpose: string } | null {
  const match = /^\[(LOCK|UNLOCK)\]/.exec(text)
  if (!match) return null
  return { word: match[1] === 'LOCK' ? 'lock' : 'unlock', purpose: text.slice(match[0].length).trim().slice(0, 1000) }
}
