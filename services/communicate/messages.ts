import { write, type Knex } from '../../platform/database/database.ts'
import { forbidden, invalid, notFound } from '../../platform/core/problem.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { Message, MessageStatus } from '../../schemas/communicate/message.ts'
import { MOST_LATEST, MOST_MESSAGES } from '../../schemas/operations/communicate.ts'
import { refuseStranger, type Asker } from './access.ts'
import { participantOf, roomOf, writer, type Parts } from './parts.ts'
import { markRead } from './reads.ts'
import type { MessageRow, RoomRow } from './tables.ts'

/** Bounds of a list: message ids, exclusive. */
export interface Span {
  before?: string | undefined
  after?: string | undefined
}

export interface Numbered {
  message: Message
  number: number
}

const LATEST = 50
const NEWEST_FIRST = [{ column: 'number', order: 'desc' as const }]

export class Messages {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Oldest first; 1,000 messages by default. */
  async list(asker: Asker, word: string, span: Span, part: Partial<PageLimits>): Promise<Page<Message>> {
    const room = await this.readable(asker, word)
    const from = span.after === undefined ? 0 : await this.numberOf(room, span.after, 'after')
    const to = span.before === undefined ? room.posted + 1 : await this.numberOf(room, span.before, 'before')
    const { limit = MOST_MESSAGES, offset = 0 } = part
    const isWhole = room.deleted === 0
    const within = (query: Knex.QueryBuilder) =>
      void query.where({ room_id: room.id, taken_back: 0 }).where('number', '>', from).where('number', '<', to)
    // Numbers have no gaps unless messages were deleted, so the total needs no count.
    const total = isWhole ? Math.max(0, to - from - 1) : await this.#parts.tables.messages.count(within)
    const rows = isWhole
      ? await this.#between(room.id, from + offset, Math.min(to, from + offset + limit + 1))
      : (await this.#parts.tables.messages.page({ where: within, limit, offset })).items
    return { items: rows.map((row) => this.#parts.tables.messages.record(row)), total }
  }

  /** Returns the latest `count`, oldest first. */
  async latest(asker: Asker, word: string, count = LATEST): Promise<Message[]> {
    const room = await this.readable(asker, word)
    const { messages } = this.#parts.tables
    const limit = Math.min(Math.max(count, 1), MOST_LATEST)
    const where = { room_id: room.id, taken_back: 0 }
    const rows = await this.#parts.world.db(messages.name).where(where).orderBy(NEWEST_FIRST).limit(limit).select('*')
    return rows.reverse().map((row: object) => messages.record(messages.fromColumns(row)))
  }

  async after(roomId: string, number: number, most: number): Promise<Numbered[]> {
    const { messages } = this.#parts.tables
    const rows = await this.#parts.world
      .db(messages.name)
      .where({ room_id: roomId, taken_back: 0 })
      .where('number', '>', number)
      .orderBy('number')
      .limit(most)
      .select('*')
    return rows.map((columns: object) => {
      const row = messages.fromColumns(columns)
      return { message: messages.record(row), number: row.number }
    })
  }

  async get(asker: Asker, id: string): Promise<Message> {
    const row = await this.#kept(id)
    await this.readable(asker, row.room_id)
    return this.#parts.tables.messages.record(row)
  }

  /** Erases the content but keeps the row. */
  async delete(asker: Asker, id: string): Promise<void> {
    await write(this.#parts.world.db, async (transaction) => {
      const { tables, audit } = this.#parts
      const row = await this.#kept(id, transaction)
      const room = await roomOf(this.#parts, row.room_id, transaction)
      const participant = await participantOf(this.#parts, room, asker, transaction)
      if (!asker.isTrusted && participant?.role !== 'admin' && participant?.identifier !== row.sender_id)
        throw forbidden(`only ${row.sender_id} and the admins of room "${room.name}" can delete the message`)
      const wiped = { taken_back: 1, content: '', metadata: {}, sender_name: '' }
      await tables.messages.update(id, wiped, transaction)
      await transaction(tables.rooms.name)
        .where({ id: room.id })
        .update({ deleted: transaction.raw('deleted + 1') })
      await audit.record(transaction, 'messages', id, [''], writer())
    })
  }

  /** Marks a message as read, unless the caller sent it, and those before it as read by the caller. */
  async read(asker: Asker, word: string, id: string): Promise<Message> {
    const room = await this.readable(asker, word)
    const row = await this.#kept(id)
    if (row.room_id !== room.id) throw notFound('message', `${id} of room ${room.name}`)
    const by = await participantOf(this.#parts, room, asker)
    if (by) await markRead(this.#parts.world.db, { room_id: room.id, identifier: by.identifier, number: row.number })
    if (by && by.identifier !== row.sender_id) await this.mark([{ id, by: by.identifier }], 'read')
    return this.get(asker, id)
  }

  /** Skips messages that already reached `status`; publishes each change. */
  async mark(seen: readonly { id: string; by: string }[], status: Exclude<MessageStatus, 'sent'>): Promise<void> {
    const from: MessageStatus[] = status === 'read' ? ['sent', 'delivered'] : ['sent']
    const { messages } = this.#parts.tables
    const readers = new Map(seen.map(({ id, by }) => [id, by]))
    await write(this.#parts.world.db, async (transaction) => {
      // In a fixed order, to avoid deadlocks between daemons.
      const moved: Pick<MessageRow, 'id' | 'room_id' | 'sender_id'>[] = await transaction(messages.name)
        .whereIn('id', [...readers.keys()])
        .where({ taken_back: 0 })
        .whereIn('status', from)
        .orderBy('id')
        .forUpdate()
        .select('id', 'room_id', 'sender_id')
      if (moved.length === 0) return
      await messages.update({ id: moved.map(({ id }) => id) }, { status }, transaction)
      for (const { id, room_id, sender_id } of moved) {
        const by = readers.get(id)!
        await this.#parts.tell({ type: 'status', room_id, message_id: id, sender_id, status, by }, transaction)
      }
    })
  }

  /** Throws 404, and 403 if the caller cannot read the room. */
  async readable(asker: Asker, word: string): Promise<RoomRow> {
    const room = await roomOf(this.#parts, word)
    refuseStranger(asker, room, asker.isTrusted ? null : await participantOf(this.#parts, room, asker))
    return room
  }

  /** Throws 400 if the message is not in the room. */
  async numberOf(room: RoomRow, id: string, path: string): Promise<number> {
    const row = await this.#parts.tables.messages.find(id)
    if (row?.room_id === room.id) return row.number
    throw notInRoom(path, id, room)
  }

  /** Deletes messages of deleted rooms in batches. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { db } = this.#parts.world
    const { messages } = this.#parts.tables
    for (;;) {
      const left = await db('communicate_leftovers').orderBy('seq').first('room_id')
      if (!left || signal.aborted) return
      await write(db, async (transaction) => {
        const some = transaction(messages.name).where({ room_id: left.room_id }).orderBy('number').limit(PIECE)
        if ((await transaction(messages.name).whereIn('id', some.select('id')).delete()) < PIECE)
          await transaction('communicate_leftovers').where({ room_id: left.room_id }).delete()
      })
    }
  }

  async #kept(id: string, on?: Knex): Promise<MessageRow> {
    const row = await this.#parts.tables.messages.find(id, on)
    if (!row || row.taken_back === 1) throw notFound('message', id)
    return row
  }

  async #between(roomId: string, above: number, below: number): Promise<MessageRow[]> {
    return this.#parts.tables.messages.list({
      where: (query) => void query.where({ room_id: roomId }).where('number', '>', above).where('number', '<', below),
    })
  }
}

/** Rows per transaction. */
const PIECE = 500

export function notInRoom(path: string, id: string, room: RoomRow): Error {
  const message = `is ${id}, which is not a message of room "${room.name}": use the id of a message in this room`
  return invalid(`${path} ${message}`, [{ path, message, code: 'invalid-value' }])
}
