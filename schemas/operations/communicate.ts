import * as Type from 'typebox'
import { ServerFrame } from '../communicate/frames.ts'
import { checkMessage, Message, MessageInput, ReadInput, RoomLock } from '../communicate/message.ts'
import {
  Participant,
  ParticipantInput,
  ParticipantUpdate,
  Presence,
  Room,
  ROOM_TYPES,
  RoomInput,
  RoomOfParticipant,
  RoomUpdate,
} from '../communicate/room.ts'
import { list, one, operation, operations, socket } from './operation.ts'
import { Id } from './parameters.ts'

const word = (description: string) => Type.String({ minLength: 1, maxLength: 128, description })
const ARoom = Type.Object({ id: word('Id or name of the room') })
const AParticipant = Type.Object({
  id: word('Id or name of the room'),
  identifier: word('Identifier of the participant'),
})
const aMessage = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

/** Permissions and authorship depend on the caller: an agent cannot impersonate others. */
const write = { guard: 'none' } as const

/** Default maximum of messages in a response. */
export const MOST_MESSAGES = 1000
export const MOST_LATEST = 200

export const createRoom = operation('communicate.createRoom', 'POST /rooms', {
  summary: 'Create a room; its creator becomes the first admin',
  ...write,
  body: RoomInput,
  reply: { 201: Room },
  errors: [409, 429],
})

export const listRooms = list('communicate.listRooms', '/rooms', {
  identity: 'none',
  summary: 'List rooms, newest first',
  query: Type.Object({ room_type: Type.Optional(Type.Enum([...ROOM_TYPES])) }),
  item: Room,
  cursors: {},
})

export const getRoom = one('communicate.getRoom', '/rooms/:id', {
  identity: 'none',
  summary: 'Show a room',
  params: ARoom,
  item: Room,
})

export const updateRoom = operation('communicate.updateRoom', 'PATCH /rooms/:id', {
  summary: 'Update the name, topic, description or type of a room',
  ...write,
  params: ARoom,
  body: RoomUpdate,
  reply: { 200: Room },
  errors: [404, 409],
})

export const deleteRoom = operation('communicate.deleteRoom', 'DELETE /rooms/:id', {
  summary: 'Delete a room with its participants and messages',
  ...write,
  params: ARoom,
  reply: { 204: null },
  errors: [404],
})

export const listParticipants = list('communicate.listParticipants', '/rooms/:id/participants', {
  identity: 'none',
  summary: 'List the participants of a room in order of joining',
  params: ARoom,
  item: Participant,
  errors: [404],
})

export const addParticipant = operation('communicate.addParticipant', 'POST /rooms/:id/participants', {
  summary: 'Add a participant to a room',
  ...write,
  params: ARoom,
  body: ParticipantInput,
  reply: { 201: Participant },
  errors: [404, 409],
})

export const getParticipant = one('communicate.getParticipant', '/rooms/:id/participants/:identifier', {
  identity: 'none',
  summary: 'Show a participant of a room',
  params: AParticipant,
  item: Participant,
})

export const updateParticipant = operation(
  'communicate.updateParticipant',
  'PATCH /rooms/:id/participants/:identifier',
  {
    summary: 'Change the role of a participant',
    ...write,
    params: AParticipant,
    body: ParticipantUpdate,
    reply: { 200: Participant },
    errors: [404],
  },
)

export const removeParticipant = operation(
  'communicate.removeParticipant',
  'DELETE /rooms/:id/participants/:identifier',
  {
    summary: 'Remove a participant; participants can remove themselves',
    ...write,
    params: AParticipant,
    reply: { 204: null },
    errors: [404],
  },
)

export const listRoomsOf = list('communicate.listRoomsOf', '/participants/:identifier/rooms', {
  identity: 'none',
  summary: 'List rooms of a participant and their unread messages',
  params: Type.Object({ identifier: word('Identifier of the participant') }),
  item: RoomOfParticipant,
})

export const listMessages = list('communicate.listMessages', '/rooms/:id/messages', {
  identity: 'caller',
  summary: `List the messages of a room, oldest first`,
  params: ARoom,
  query: Type.Object({
    before: aMessage('Only messages before this one'),
    after: aMessage(`Only messages after this one; continues a list that was cut at ${MOST_MESSAGES} messages`),
  }),
  item: Message,
  errors: [404],
})

export const latestMessages = operation('communicate.latestMessages', 'GET /rooms/:id/messages/latest', {
  identity: 'caller',
  summary: 'List the latest messages of a room, oldest first',
  params: ARoom,
  query: Type.Object({
    count: Type.Optional(
      Type.Integer({ description: `Number of messages; default 50, clamped to 1 to ${MOST_LATEST}` }),
    ),
  }),
  reply: { 200: Type.Array(Message) },
  errors: [404],
})

export const createMessage = operation('communicate.createMessage', 'POST /rooms/:id/messages', {
  summary: 'Post a message to a room',
  ...write,
  params: ARoom,
  body: MessageInput,
  reply: { 201: Message },
  errors: [404, 409, 429],
  check: ({ body }) => checkMessage(body),
})

export const readMessage = operation('communicate.readMessage', 'POST /rooms/:id/read', {
  summary: 'Mark a message as read',
  ...write,
  params: ARoom,
  body: ReadInput,
  reply: { 200: Message },
  errors: [404],
})

export const listLocks = operation('communicate.listLocks', 'GET /rooms/:id/locks', {
  identity: 'caller',
  summary: 'List the locks announced in a room, oldest first',
  params: ARoom,
  reply: { 200: Type.Array(RoomLock) },
  errors: [404],
})

export const getMessage = operation('communicate.getMessage', 'GET /messages/:id', {
  identity: 'caller',
  summary: 'Show a message',
  params: Id,
  reply: { 200: Message },
  errors: [404],
})

export const deleteMessage = operation('communicate.deleteMessage', 'DELETE /messages/:id', {
  summary: 'Retract a message (its sender or a room admin)',
  ...write,
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const roomSocket = socket('communicate.roomSocket', '/ws', {
  identity: 'caller',
  summary: 'Open a WebSocket for rooms: subscribe, send and read',
  query: Presence,
  sends: ServerFrame,
})

export const communicateOperations = operations(
  { service: 'communicate', port: 17010 },
  {
    createRoom,
    listRooms,
    getRoom,
    updateRoom,
    deleteRoom,
    listParticipants,
    addParticipant,
    getParticipant,
    updateParticipant,
    removeParticipant,
    listRoomsOf,
    listMessages,
    latestMessages,
    createMessage,
    readMessage,
    listLocks,
    getMessage,
    deleteMessage,
    roomSocket,
  },
)
