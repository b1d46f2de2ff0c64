// What can be asked of the rooms.
import Type from 'typebox'
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
import { list, operation, operations, socket } from './operation.ts'
import { Id } from './parameters.ts'

const word = (description: string) => Type.String({ minLength: 1, maxLength: 128, description })
const ARoom = Type.Object({ id: word('Id or name of the room') })
const AParticipant = Type.Object({ id: word('Id or name of the room'), identifier: word('Id or name of who it is') })
const aMessage = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

/** Who asks decides what may be done, and in whose name: an agent does not say that by itself. */
const ofActor = { personal: true } as const

/** Messages that are answered at once where no number is asked for. */
export const MOST_MESSAGES = 1000
export const MOST_LATEST = 200

export const createRoom = operation({
  id: 'communicate.createRoom',
  summary: 'Make a room; who makes it is its first admin',
  method: 'POST',
  path: '/rooms',
  ...ofActor,
  guard: 'none',
  body: RoomInput,
  reply: { 201: Room },
  errors: [409],
})

export const listRooms = list({
  id: 'communicate.listRooms',
  summary: 'All rooms, newest first',
  path: '/rooms',
  query: Type.Object({ room_type: Type.Optional(Type.Enum([...ROOM_TYPES])) }),
  item: Room,
})

export const getRoom = operation({
  id: 'communicate.getRoom',
  summary: 'One room',
  method: 'GET',
  path: '/rooms/:id',
  params: ARoom,
  reply: { 200: Room },
  errors: [404],
})

export const updateRoom = operation({
  id: 'communicate.updateRoom',
  summary: 'Change its name, topic, description or type',
  method: 'PATCH',
  path: '/rooms/:id',
  ...ofActor,
  guard: 'none',
  params: ARoom,
  body: RoomUpdate,
  reply: { 200: Room },
  errors: [404, 409],
})

export const deleteRoom = operation({
  id: 'communicate.deleteRoom',
  summary: 'Delete a room with its participants and messages',
  method: 'DELETE',
  path: '/rooms/:id',
  ...ofActor,
  guard: 'none',
  params: ARoom,
  reply: { 204: null },
  errors: [404],
})

export const listParticipants = list({
  id: 'communicate.listParticipants',
  summary: 'Who is in a room, the first to join first',
  path: '/rooms/:id/participants',
  params: ARoom,
  item: Participant,
  errors: [404],
})

export const addParticipant = operation({
  id: 'communicate.addParticipant',
  summary: 'Let somebody into a room',
  method: 'POST',
  path: '/rooms/:id/participants',
  ...ofActor,
  guard: 'none',
  params: ARoom,
  body: ParticipantInput,
  reply: { 201: Participant },
  errors: [404, 409],
})

export const getParticipant = operation({
  id: 'communicate.getParticipant',
  summary: 'One participant of a room',
  method: 'GET',
  path: '/rooms/:id/participants/:identifier',
  params: AParticipant,
  reply: { 200: Participant },
  errors: [404],
})

export const updateParticipant = operation({
  id: 'communicate.updateParticipant',
  summary: 'Give a participant another role',
  method: 'PATCH',
  path: '/rooms/:id/participants/:identifier',
  ...ofActor,
  guard: 'none',
  params: AParticipant,
  body: ParticipantUpdate,
  reply: { 200: Participant },
  errors: [404],
})

export const removeParticipant = operation({
  id: 'communicate.removeParticipant',
  summary: 'Take a participant out of a room; everybody may leave by themselves',
  method: 'DELETE',
  path: '/rooms/:id/participants/:identifier',
  ...ofActor,
  guard: 'none',
  params: AParticipant,
  reply: { 204: null },
  errors: [404],
})

export const listRoomsOf = list({
  id: 'communicate.listRoomsOf',
  summary: 'The rooms that somebody is in, the last joined first',
  path: '/participants/:identifier/rooms',
  params: Type.Object({ identifier: word('Id or name of who it is') }),
  item: Room,
})

export const listMessages = list({
  id: 'communicate.listMessages',
  summary: `What was said in a room, oldest first; at most ${MOST_MESSAGES} where no limit is given: go on with after`,
  path: '/rooms/:id/messages',
  ...ofActor,
  params: ARoom,
  query: Type.Object({
    before: aMessage('Only what was said before this message'),
    after: aMessage('Only what was said after this message'),
  }),
  item: Message,
  errors: [404],
})

export const latestMessages = operation({
  id: 'communicate.latestMessages',
  summary: 'The last that was said in a room, oldest first',
  method: 'GET',
  path: '/rooms/:id/messages/latest',
  ...ofActor,
  params: ARoom,
  query: Type.Object({
    count: Type.Optional(Type.Integer({ description: `How many; default 50, clamped to 1 to ${MOST_LATEST}` })),
  }),
  reply: { 200: Type.Array(Message) },
  errors: [404],
})

export const createMessage = operation({
  id: 'communicate.createMessage',
  summary: 'Say something in a room',
  method: 'POST',
  path: '/rooms/:id/messages',
  ...ofActor,
  guard: 'none',
  params: ARoom,
  body: MessageInput,
  reply: { 201: Message },
  errors: [404, 409, 429],
  check: ({ body }) => checkMessage(body),
})

export const readMessage = operation({
  id: 'communicate.readMessage',
  summary: 'Say that you have read a message',
  method: 'POST',
  path: '/rooms/:id/read',
  ...ofActor,
  guard: 'none',
  params: ARoom,
  body: ReadInput,
  reply: { 200: Message },
  errors: [404],
})

export const listLocks = operation({
  id: 'communicate.listLocks',
  summary: 'Who has announced work that others should wait for, the first first',
  method: 'GET',
  path: '/rooms/:id/locks',
  ...ofActor,
  params: ARoom,
  reply: { 200: Type.Array(RoomLock) },
  errors: [404],
})

export const getMessage = operation({
  id: 'communicate.getMessage',
  summary: 'One message',
  method: 'GET',
  path: '/messages/:id',
  ...ofActor,
  params: Id,
  reply: { 200: Message },
  errors: [404],
})

export const deleteMessage = operation({
  id: 'communicate.deleteMessage',
  summary: 'Take a message back; its sender may, and an admin of the room',
  method: 'DELETE',
  path: '/messages/:id',
  ...ofActor,
  guard: 'none',
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const roomSocket = socket({
  id: 'communicate.roomSocket',
  summary: 'Rooms as they live: subscribe, send, read; frames of JSON both ways',
  path: '/ws',
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
