import * as Type from 'typebox'
import { table, type RowIn, type TableWorld } from '../../platform/store/table.ts'
import { Message, RoomLock } from '../../schemas/communicate/message.ts'
import { Participant, Room } from '../../schemas/communicate/room.ts'

const count = Type.Integer()

export const tablesOf = (world: TableWorld) => ({
  rooms: table(world, 'communicate_rooms', Room, {
    what: 'room',
    versioned: true,
    private: {
      version: count,
      /** Messages ever posted; also the number of the last one. */
      posted: count,
      deleted: count,
    },
    defaults: { version: 0, posted: 0, deleted: 0 },
  }),
  participants: table(world, 'communicate_participants', Participant, {
    what: 'participant',
    key: ['room_id', 'identifier'],
    order: [{ column: 'seq', order: 'asc' }],
  }),
  messages: table(world, 'communicate_messages', Message, {
    what: 'message',
    private: {
      /** From 1, without gaps. */
      number: count,
      /** 1 if deleted: the row stays, so that clients can continue after it. */
      taken_back: count,
    },
    defaults: { taken_back: 0 },
    order: [{ column: 'number', order: 'asc' }],
  }),
  locks: table(world, 'communicate_locks', RoomLock, {
    what: 'lock',
    key: ['room_id', 'holder'],
    private: { room_id: Type.String() },
    order: [
      { column: 'since', order: 'asc' },
      { column: 'seq', order: 'asc' },
    ],
  }),
})

export type Tables = ReturnType<typeof tablesOf>
export type RoomRow = RowIn<Tables['rooms']>
export type MessageRow = RowIn<Tables['messages']>
