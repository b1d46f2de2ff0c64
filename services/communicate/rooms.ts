import { timestamp } from '../../platform/core/clock.ts'
import { ownerOf, refuseAbove, type Limit } from '../../platform/core/limits.ts'
import { isUniqueViolation, write, type Knex } from '../../platform/database/database.ts'
import { conflict, notFound } from '../../platform/core/problem.ts'
import type { Listed, Page, PageLimits, Part } from '../../platform/store/page.ts'
import {
  DIRECT_PARTICIPANTS,
  looksLikeId,
  type ParticipantInput,
  type Room,
  type RoomInput,
  type RoomOfParticipant,
  type RoomType,
  type RoomUpdate,
} from '../../schemas/communicate/room.ts'
import { refuseOtherName, refuseOtherThanAdmin, refuseReservedName, type Asker } from './access.ts'
import { insertParticipant } from './participants.ts'
import { participantOf, roomOf, writer, type Parts } from './parts.ts'
import { stopReading, unreadIn } from './reads.ts'
import type { RoomRow } from './tables.ts'

export class Rooms {
  readonly #parts: Parts
  readonly #limit: Limit

  constructor(parts: Parts, limit: Limit) {
    this.#parts = parts
    this.#limit = limit
  }

  /** The creator becomes admin. Throws 409 if the name is taken, 429 if the caller would have too many rooms. */
  async create(asker: Asker, input: RoomInput): Promise<Room> {
    const { created_by } = input
    refuseOtherName(asker, created_by)
    refuseReservedName(asker, created_by)
    const creator = {
      identifier: created_by,
      kind: asker.isAgent || looksLikeId(created_by) ? ('agent' as const) : ('human' as const),
      role: 'admin' as const,
    }
    const row = await this.#naming(input.name, async (transaction) => {
      await this.#refuseTooMany([...asker.names, created_by], transaction)
      return this.insert(input, this.#parts.world.ids(), [creator], transaction)
    })
    return this.#parts.tables.rooms.record(row)
  }

  /** Counts by creator, because an agent can only use its own names. */
  async #refuseTooMany(creators: readonly string[], on: Knex): Promise<void> {
    const { world, tables } = this.#parts
    const owner = ownerOf(writer(), world.config)
    if (owner === null) return
    refuseAbove(owner, this.#limit, (await tables.rooms.count({ created_by: creators }, on)) + 1)
  }

  /** Creates a room with exactly these participants. */
  async insert(
    { name, topic = null, description = null, room_type = 'group', created_by }: RoomInput,
    id: string,
    participants: readonly ParticipantInput[],
    transaction: Knex,
  ): Promise<RoomRow> {
    const { tables, audit, world } = this.#parts
    const at = timestamp(world.clock)
    const made = { id, name, topic, description, room_type, created_by, created_at: at, updated_at: at }
    const row = await tables.rooms.insert(made, transaction)
    for (const each of participants) await insertParticipant(this.#parts, row, each, transaction)
    await audit.record(transaction, 'rooms', id, [''], writer())
    await this.#parts.tell({ type: 'room', room_id: id, event: 'made' }, transaction)
    return row
  }

  async list<P extends Part>(filter: { room_type?: RoomType }, part: P): Promise<Listed<Room, P>> {
    return this.#parts.tables.rooms.listed({ where: filter }, part)
  }

  /** Last joined first. */
  async listOf(identifier: string, part: Partial<PageLimits>): Promise<Page<RoomOfParticipant>> {
    const { rooms, participants } = this.#parts.tables
    const order = [{ column: 'seq', order: 'desc' as const }]
    const { items, total } = await participants.page({ where: { identifier }, order, ...part })
    const found = await rooms.list({ where: { id: items.map(({ room_id }) => room_id) } })
    const unread = await unreadIn(this.#parts.world.db, identifier, found)
    const byId = new Map(found.map((row) => [row.id, { ...rooms.record(row), unread: unread.get(row.id)! }]))
    return { items: items.flatMap(({ room_id }) => byId.get(room_id) ?? []), total }
  }

  async get(word: string): Promise<Room> {
    return this.#parts.tables.rooms.record(await roomOf(this.#parts, word))
  }

  async update(asker: Asker, word: string, change: RoomUpdate): Promise<Room> {
    const row = await this.#naming(change.name ?? word, async (transaction) => {
      const room = await roomOf(this.#parts, word, transaction)
      refuseOtherThanAdmin(asker, room, await participantOf(this.#parts, room, asker, transaction))
      return this.change(room, change, transaction)
    })
    return this.#parts.tables.rooms.record(row)
  }

  /** Writes only fields that differ. Throws 409 if a direct room would have too many participants. */
  async change(room: RoomRow, change: RoomUpdate, transaction: Knex): Promise<RoomRow> {
    const { tables, audit, world } = this.#parts
    const given = Object.entries(change) as [keyof RoomUpdate, unknown][]
    const fields = given.flatMap(([member, value]) => (value === undefined || value === room[member] ? [] : [member]))
    if (fields.length === 0) return room
    if (change.room_type === 'direct' && room.room_type !== 'direct') await this.#refuseCrowd(room, transaction)
    const changed = { ...change, updated_at: timestamp(world.clock) }
    await tables.rooms.update(room.id, changed, transaction)
    await audit.record(transaction, 'rooms', room.id, fields, writer())
    await this.#parts.tell({ type: 'room', room_id: room.id, event: 'changed' }, transaction)
    return tables.rooms.get(room.id, transaction)
  }

  /** `Messages.sweep` deletes the messages later. */
  async delete(asker: Asker, word: string): Promise<void> {
    await write(this.#parts.world.db, async (transaction) => {
      const room = await roomOf(this.#parts, word, transaction)
      refuseOtherThanAdmin(asker, room, await participantOf(this.#parts, room, asker, transaction))
      await this.remove(room, transaction)
    })
  }

  async remove({ id }: Pick<Room, 'id'>, transaction: Knex): Promise<void> {
    const { tables, audit } = this.#parts
    if ((await tables.rooms.delete(id, transaction)) === 0) throw notFound('room', id)
    await tables.participants.delete({ room_id: id }, transaction)
    await tables.locks.delete({ room_id: id }, transaction)
    await stopReading({ room_id: id }, transaction)
    await transaction('communicate_leftovers').insert({ room_id: id })
    await audit.record(transaction, 'rooms', id, [''], writer())
    await this.#parts.tell({ type: 'room', room_id: id, event: 'deleted' }, transaction)
  }

  async #refuseCrowd(room: RoomRow, transaction: Knex): Promise<void> {
    const many = await this.#parts.tables.participants.count({ room_id: room.id }, transaction)
    if (many > DIRECT_PARTICIPANTS)
      throw conflict(
        `room "${room.name}" has ${many} participants, but a direct room can have ${DIRECT_PARTICIPANTS}: remove ${many - DIRECT_PARTICIPANTS} first`,
      )
  }

  /** Converts a unique violation into 409 `name-taken`. */
  async #naming<T>(name: string, work: (transaction: Knex) => Promise<T>): Promise<T> {
    try {
      return await write(this.#parts.world.db, work)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      throw conflict(`room "${name}" already exists: choose another name, or use that room`, 'name-taken')
    }
  }
}
