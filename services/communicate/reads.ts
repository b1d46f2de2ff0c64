// How far each participant has read a room.
import { write, type Knex } from '../../platform/database/database.ts'
import { UNREAD_LIMIT } from '../../schemas/communicate/room.ts'
import type { RoomRow } from './tables.ts'

const TABLE = 'communicate_reads'
/** Latest messages of a room that are counted. */
const MOST_SCANNED = 1000

interface Position {
  room_id: string
  identifier: string
  /** Of the last message that was read. */
  number: number
}

/** Participants of existing rooms have read everything. */
export async function createReads(db: Knex): Promise<void> {
  await db.schema.createTable(TABLE, (columns) => {
    columns.increments('seq')
    columns.string('room_id', 36).notNullable()
    columns.string('identifier', 128).notNullable()
    columns.integer('number').notNullable()
    columns.unique(['room_id', 'identifier'])
  })
  await db.raw(
    `INSERT INTO ${TABLE} (room_id, identifier, number)
     SELECT participant.room_id, participant.identifier, room.posted
     FROM communicate_participants participant JOIN communicate_rooms room ON room.id = participant.room_id`,
  )
}

export async function startReading(position: Position, transaction: Knex): Promise<void> {
  await transaction(TABLE).insert(position).onConflict(['room_id', 'identifier']).merge()
}

/** Never goes back. */
export async function markRead(db: Knex, position: Position): Promise<void> {
  await write(db, async (transaction) => {
    await transaction(TABLE)
      .insert(position)
      .onConflict(['room_id', 'identifier'])
      .merge(['number'])
      .where(`${TABLE}.number`, '<', position.number)
  })
}

export async function stopReading(which: { room_id: string; identifier?: string }, transaction: Knex): Promise<void> {
  await transaction(TABLE).where(which).delete()
}

/** Unread messages of others by room, at most `UNREAD_LIMIT`. */
export async function unreadIn(
  db: Knex,
  identifier: string,
  rooms: readonly Pick<RoomRow, 'id' | 'posted'>[],
): Promise<ReadonlyMap<string, number>> {
  const positions: Position[] = await db(TABLE)
    .where({ identifier })
    .whereIn(
      'room_id',
      rooms.map(({ id }) => id),
    )
    .select('room_id', 'number')
  const read = new Map(positions.map(({ room_id, number }) => [room_id, number]))
  const unread = new Map<string, number>()
  for (const { id, posted } of rooms) {
    const after = Math.max(read.get(id) ?? 0, posted - MOST_SCANNED)
    unread.set(id, after >= posted ? 0 : await countAfter(db, { room_id: id, identifier, number: after }))
  }
  return unread
}

/** Reads at most `MOST_SCANNED` rows of the index of room and number. */
async function countAfter(db: Knex, { room_id, identifier, number }: Position): Promise<number> {
  const rows: unknown[] = await db('communicate_messages')
    .where({ room_id, taken_back: 0 })
    .where('number', '>', number)
    .whereNot('sender_id', identifier)
    .orderBy('number')
    .limit(UNREAD_LIMIT)
    .select('number')
  return rows.length
}
