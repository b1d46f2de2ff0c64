// What can be asked of the rooms.
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
  RoomUpdate,
} from '../communicate/room.ts'
import { list, one, operation, operations, socket } from './operation.ts'
import { Id } from './parameters.ts'

const word = (description: string) => Type.String({ minLength: 1, maxLength: 128, description })
const ARoom = Type.Object({ id: word('Id or name of the room') })
const AParticipant = Type.Object({ id: word('Id or name of the room'), identifier: word('Id or name of who it is') })
const aMessage = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

/** Who asks decides what may be done, and in whose name: an agent does not say that by itself. */
const ofActor = { personal: true } as const
const write = { ...ofActor, guard: 'none' } as const

/** Messages that are answered at once where no number is asked for. */
export const MOST_MESSAGES = 1000
export const MOST_LATEST = 200

export const createRoom = operation('communicate.createRoom', 'POST /rooms', {
  summary: 'Make a room; who makes it is its first admin',
  ...write,
  body: RoomInput,
  reply: { 201: Room },
  errors: [409],
})

export const listRooms = list('communicate.listRooms', '/rooms', {
  summary: 'All rooms, newest first',
  query: Type.Object({ room_type: Type.Optional(Type.Enum([...ROOM_TYPES])) }),
  item: Room,
})

export const getRoom = one('communicate.getRoom', '/rooms/:id', { summary: 'One room', params: ARoom, item: Room })

export const updateRoom = operation('communicate.updateRoom', 'PATCH /rooms/:id', {
  summary: 'Change its name, topic, description or type',
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
  summary: 'Who is in a room, the first to join first',
  params: ARoom,
  item: Participant,
  errors: [404],
})

export const addParticipant = operation('communicate.addParticipant', 'POST /rooms/:id/participants', {
  summary: 'Let somebody into a room',
  ...write,
  params: ARoom,
  body: ParticipantInput,
  reply: { 201: Participant },
  errors: [404, 409],
})

export const getParticipant = one('communicate.getParticipant', '/rooms/:id/participants/:identifier', {
  summary: 'One participant of a room',
  params: AParticipant,
  item: Participant,
})

export const updateParticipant = operation(
  'communicate.updateParticipant',
  'PATCH /rooms/:id/participants/:identifier',
  {
    summary: 'Give a participant another role',
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
    summary: 'Take a participant out of a room; everybody may leave by themselves',
    ...write,
    params: AParticipant,
    reply: { 204: null },
    errors: [404],
  },
)

export const listRoomsOf = list('communicate.listRoomsOf', '/participants/:identifier/rooms', {
  summary: 'The rooms that somebody is in, the last joined first',
  params: Type.Object({ identifier: word('Id or name of who it is') }),
  item: Room,
})

export const listMessages = list('communicate.listMessages', '/rooms/:id/messages', {
  summary: `What was said in a room, oldest first; at most ${MOST_MESSAGES} where no limit is given: go on with after`,
  ...ofActor,
  params: ARoom,
  query: Type.Object({
    before: aMessage('Only what was said before this message'),
    after: aMessage('Only what was said after this message'),
  }),
  item: Message,
  errors: [404],
})

export const latestMessages = operation('communicate.latestMessages', 'GET /rooms/:id/messages/latest', {
  summary: 'The last that was said in a room, oldest first',
  ...ofActor,
  params: ARoom,
  query: Type.Object({
    count: Type.Optional(Type.Integer({ description: `How many; default 50, clamped to 1 to ${MOST_LATEST}` })),
  }),
  reply: { 200: Type.Array(Message) },
  errors: [404],
})

export const createMessage = operation('communicate.createMessage', 'POST /rooms/:id/messages', {
  summary: 'Say something in a room',
  ...write,
  params: ARoom,
  body: MessageInput,
  reply: { 201: Message },
  errors: [404, 409, 429],
  check: ({ body }) => checkMessage(body),
})

export const readMessage = operation('communicate.readMessage', 'POST /rooms/:id/read', {
  summary: 'Say that you have read a message',
  ...write,
  params: ARoom,
  body: ReadInput,
  reply: { 200: Message },
  errors: [404],
})

export const listLocks = operation('communicate.listLocks', 'GET /rooms/:id/locks', {
  summary: 'Who has announced work that others should wait for, the first first',
  ...ofActor,
  params: ARoom,
  reply: { 200: Type.Array(RoomLock) },
  errors: [404],
})

export const getMessage = operation('communicate.getMessage', 'GET /messages/:id', {
  summary: 'One message',
  ...ofActor,
  params: Id,
  reply: { 200: Message },
  errors: [404],
})

export const deleteMessage = operation('communicate.deleteMessage', 'DELETE /messages/:id', {
  summary: 'Take a message back; its sender may, and an admin of the room',
  ...write,
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const roomSocket = socket('communicate.roomSocket', '/ws', {
  summary: 'Rooms as they live: subscribe, send, read; frames of JSON both ways',
  ...ofActor,
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
