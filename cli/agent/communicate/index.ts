import type { Message, RoomLock } from '../../../schemas/communicate/message.ts'
import {
  PARTICIPANT_ROLES,
  UNREAD_LIMIT,
  type Participant,
  type Room,
  type RoomOfParticipant,
} from '../../../schemas/communicate/room.ts'
import * as operations from '../../../schemas/operations/communicate.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { previewWakes } from '../../../schemas/operations/orchestrator/room-wakes.ts'
import { age } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { verb, type Word } from '../../verb.ts'
import { aMessage, aRoom, messageLine, nameOf, withName } from './messages.ts'

const group = operations.communicateOperations

const who: Word = { member: 'identifier', shown: '<who>', help: 'Name of a person or id of an agent' }

const roomLine = ({ name, room_type, id }: Room) => `${room_type} room ${visible(name)} (${id})`
const participantLine = ({ display_name, kind, role }: Participant) => `${visible(display_name)} (${kind}) is ${role}`
const messageLines = (messages: readonly Message[]) =>
  messages.length === 0 ? 'No messages.' : messages.map(messageLine).join('\n')

const roomList = (rooms: readonly Room[]): string =>
  renderTable(
    rooms,
    [
      { title: 'NAME', value: ({ name }) => name },
      { title: 'TYPE', value: ({ room_type }) => room_type },
      { title: 'TOPIC', value: ({ topic }) => topic, kind: 'text' },
      { title: 'BY', value: ({ created_by }) => created_by },
      { title: 'AGO', value: ({ created_at }) => age(created_at), kind: 'time' },
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
    ],
    'No rooms.',
  )

const roomsOfList = (rooms: readonly RoomOfParticipant[]): string =>
  renderTable(
    rooms,
    [
      { title: 'NAME', value: ({ name }) => name },
      { title: 'UNREAD', value: ({ unread }) => (unread === UNREAD_LIMIT ? `${UNREAD_LIMIT - 1}+` : unread) },
      { title: 'TYPE', value: ({ room_type }) => room_type },
      { title: 'TOPIC', value: ({ topic }) => topic, kind: 'text' },
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
    ],
    'No rooms.',
  )

const participantList = (participants: readonly Participant[]): string =>
  renderTable(
    participants,
    [
      { title: 'NAME', value: ({ display_name }) => display_name },
      { title: 'KIND', value: ({ kind }) => kind },
      { title: 'ROLE', value: ({ role }) => role },
      { title: 'IDENTIFIER', value: ({ identifier }) => identifier, kind: 'id' },
      { title: 'AGO', value: ({ joined_at }) => age(joined_at), kind: 'time' },
    ],
    'No participants.',
  )

const lockList = (locks: readonly RoomLock[]): string =>
  renderTable(
    locks,
    [
      { title: 'HOLDER', value: ({ holder_name }) => holder_name },
      { title: 'FOR', value: ({ purpose }) => purpose, kind: 'text' },
      { title: 'SINCE', value: ({ since }) => since },
      { title: 'UNTIL', value: ({ expires_at }) => expires_at },
    ],
    'No locks.',
  )

export const communicate: readonly CommandEntry[] = [
  verb('rooms', group, operations.listRooms, {
    examples: ['agent communicate rooms', 'agent communicate rooms --room-type broadcast'],
    done: roomList,
  }),
  verb('create', group, operations.createRoom, {
    args: [{ member: 'name', shown: '<name>', help: 'Name of the room' }],
    without: ['created_by'],
    more: withName,
    request: (members, typed) => ({ ...members, created_by: nameOf(typed) }),
    examples: ['agent communicate create engineering --topic "How the work is done"'],
    done: roomLine,
  }),
  verb('get', group, operations.getRoom, {
    subject: aRoom,
    examples: ['agent communicate get engineering'],
  }),
  verb('update', group, operations.updateRoom, {
    subject: aRoom,
    examples: ['agent communicate update engineering --topic "What we build"'],
    done: roomLine,
  }),
  verb('delete', group, operations.deleteRoom, {
    subject: aRoom,
    examples: ['agent communicate delete engineering'],
    done: (_reply, { subject }) => `room ${subject.id} deleted`,
  }),
  verb('rooms-of', group, operations.listRoomsOf, {
    args: [who],
    examples: ['agent communicate rooms-of mira'],
    done: roomsOfList,
  }),
  verb('locks', group, operations.listLocks, {
    subject: aRoom,
    examples: ['agent communicate locks engineering'],
    done: lockList,
  }),
  verb('participants', group, operations.listParticipants, {
    subject: aRoom,
    examples: ['agent communicate participants engineering'],
    done: participantList,
  }),
  verb('participant', group, operations.getParticipant, {
    subject: aRoom,
    args: [who],
    examples: ['agent communicate participant engineering mira'],
  }),
  verb('add-participant', group, operations.addParticipant, {
    subject: aRoom,
    args: [who],
    examples: [
      'agent communicate add-participant engineering mira --kind human',
      'agent communicate add-participant engineering ben --kind human --role observer',
    ],
    done: participantLine,
  }),
  verb('set-role', group, operations.updateParticipant, {
    subject: aRoom,
    args: [who, { member: 'role', shown: '<role>', help: 'Role of the participant', choices: PARTICIPANT_ROLES }],
    examples: ['agent communicate set-role engineering mira admin'],
    done: participantLine,
  }),
  verb('remove-participant', group, operations.removeParticipant, {
    subject: aRoom,
    args: [who],
    examples: ['agent communicate remove-participant engineering ben'],
    done: (_reply, { words, subject }) => `${visible(String(words.identifier))} is no longer in room ${subject.id}`,
  }),
  verb('messages', group, operations.listMessages, {
    subject: aRoom,
    examples: ['agent communicate messages engineering'],
    done: messageLines,
  }),
  verb('latest', group, operations.latestMessages, {
    subject: aRoom,
    examples: ['agent communicate latest engineering --count 20'],
    done: messageLines,
  }),
  verb('wakes', orchestratorOperations, previewWakes, {
    args: [
      { member: 'id', shown: '<room>', help: 'Id or name of the room' },
      { member: 'content', shown: '<content>', help: 'Text of the message; - reads standard input' },
    ],
    without: ['sender_id'],
    examples: ['agent communicate wakes engineering "@planner what is next?"'],
    done: ({ agents }) => (agents.length === 0 ? 'No agents.' : agents.map(({ name }) => visible(name)).join('\n')),
  }),
  verb('post', group, operations.createMessage, {
    subject: aRoom,
    args: [{ member: 'content', shown: '<content>', help: 'Text (@name, @all wake agents); - reads standard input' }],
    without: ['sender_id', 'message_id'],
    more: withName,
    request: (members, typed) => ({ ...members, sender_id: nameOf(typed) }),
    examples: [
      'agent communicate post engineering "@planner what is next?"',
      'agent communicate post engineering "[LOCK] relabelling" --as conductor',
    ],
    done: messageLine,
  }),
  verb('read', group, operations.readMessage, {
    subject: aRoom,
    args: [{ member: 'message_id', shown: '<message>', help: 'Id of the message' }],
    examples: ['agent communicate read engineering 1f3c9a2b-7d4e-4f0a-9c1b-2e5d8a6b3c4f'],
    done: ({ id, status }) => `message ${id} is ${status}`,
  }),
  verb('message', group, operations.getMessage, {
    subject: aMessage,
    examples: ['agent communicate message 1f3c9a2b-7d4e-4f0a-9c1b-2e5d8a6b3c4f'],
  }),
  verb('delete-message', group, operations.deleteMessage, {
    subject: aMessage,
    examples: ['agent communicate delete-message 1f3c9a2b-7d4e-4f0a-9c1b-2e5d8a6b3c4f'],
    done: (_reply, { subject }) => `message ${subject.id} retracted`,
  }),
  { name: 'watch', summary: 'Follow a room, starting with the latest messages', load: () => import('./watch.ts') },
  healthVerb('communicate', group, 'Check the health of the room service'),
]
