// The rows of the rooms, as their records say them.
import * as Type from 'typebox'
import type { World } from '../../platform/service/world.ts'
import { table, type RowIn, type TableWorld } from '../../platform/store/table.ts'
import { Message, RoomLock } from '../../schemas/communicate/message.ts'
import { Participant, Room } from '../../schemas/communicate/room.ts'

const count = Type.Integer()

export const roomTable = (world: TableWorld) =>
  table(world, 'communicate_rooms', Room, {
    what: 'room',
    versioned: true,
    private: {
      version: count,
      /** Messages ever said: the number of the last. */
      posted: count,
      /** Those of them that were taken back. */
      deleted: count,
    },
    defaults: { version: 0, posted: 0, deleted: 0 },
  })

export const participantTable = (world: TableWorld) =>
  table(world, 'communicate_participants', Participant, {
    what: 'participant',
    key: ['room_id', 'identifier'],
    order: [{ column: 'seq', order: 'asc' }],
  })

export const messageTable = (world: TableWorld) =>
  table(world, 'communicate_messages', Message, {
    what: 'message',
    private: {
      /** Its place in the room: from 1, without gaps. */
      number: count,
      /** 1 for what was taken back: its place stays, so that who goes on after it can. */
      taken_back: count,
    },
    defaults: { taken_back: 0 },
    order: [{ column: 'number', order: 'asc' }],
  })

export const lockTable = (world: TableWorld) =>
  table(world, 'communicate_locks', RoomLock, {
    what: 'lock',
    key: ['room_id', 'holder'],
    private: { room_id: Type.String() },
    order: [
      { column: 'since', order: 'asc' },
      { column: 'seq', order: 'asc' },
    ],
  })

export type RoomRow = RowIn<ReturnType<typeof roomTable>>
export type MessageRow = RowIn<ReturnType<typeof messageTable>>

/** All tables of one world. */
export class Tables {
  readonly rooms
  readonly participants
  readonly messages
  readonly locks

  constructor(world: World) {
    this.rooms = roomTable(world)
    this.participants = participantTable(world)
    this.messages = messageTable(world)
    this.locks = lockTable(world)
  }
}
