import { timestamp } from '../../platform/core/clock.ts'
import { isUniqueViolation, write, type Knex } from '../../platform/database/database.ts'
import { conflict, notFound } from '../../platform/core/problem.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { ParticipantEvent } from '../../schemas/communicate/frames.ts'
import { elementPath, memberPath } from '../../schemas/members/member-path.ts'
import {
  DIRECT_PARTICIPANTS,
  type Participant,
  type ParticipantInput,
  type ParticipantRole,
} from '../../schemas/communicate/room.ts'
import { refuseOtherThanAdmin, refuseReservedName, type Asker } from './access.ts'
import { participantOf, roomOf, writer, type Parts } from './parts.ts'
import { startReading, stopReading } from './reads.ts'
import type { RoomRow } from './tables.ts'

export class Participants {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async list(word: string, part: Partial<PageLimits>): Promise<Page<Participant>> {
    const room = await roomOf(this.#parts, word)
    return this.#parts.tables.participants.listed({ where: { room_id: room.id } }, part)
  }

  async get(word: string, identifier: string): Promise<Participant> {
    const room = await roomOf(this.#parts, word)
    return this.#parts.tables.participants.record(await this.#inRoom(room, identifier))
  }

  /** Throws 409 if already in the room, or if a direct room is full. */
  async add(asker: Asker, word: string, input: ParticipantInput): Promise<Participant> {
    refuseReservedName(asker, input.identifier)
    const work = async (transaction: Knex) => {
      const room = await this.#getManaged(asker, word, transaction)
      await this.#touch(room, transaction)
      return insertParticipant(this.#parts, room, input, transaction)
    }
    return write(this.#parts.world.db, work).catch((error: unknown) => {
      throw isUniqueViolation(error) ? alreadyIn(input.identifier, word) : error
    })
  }

  async setRole(asker: Asker, word: string, identifier: string, role: ParticipantRole): Promise<Participant> {
    return write(this.#parts.world.db, async (transaction) => {
      const room = await this.#getManaged(asker, word, transaction)
      const present = await this.#inRoom(room, identifier, transaction)
      return this.change(room, present, { role }, transaction)
    })
  }

  /** Participants can remove themselves. */
  async remove(asker: Asker, word: string, identifier: string): Promise<void> {
    await write(this.#parts.world.db, async (transaction) => {
      const room = await roomOf(this.#parts, word, transaction)
      const own = await participantOf(this.#parts, room, asker, transaction)
      if (own?.identifier !== identifier) refuseOtherThanAdmin(asker, room, own)
      await this.take(room, await this.#inRoom(room, identifier, transaction), transaction)
    })
  }

  /** Writes only fields that differ. */
  async change(
    room: RoomRow,
    present: Participant,
    change: Partial<Pick<Participant, 'role' | 'kind' | 'display_name'>>,
    transaction: Knex,
  ): Promise<Participant> {
    const { tables } = this.#parts
    const at = elementPath('participants', present.identifier)
    const differing = Object.entries(change).filter(([member, value]) => present[member as 'role'] !== value)
    const changed = { ...present, ...change }
    if (differing.length === 0) return changed
    await this.#touch(room, transaction)
    await tables.participants.update({ room_id: room.id, identifier: present.identifier }, change, transaction)
    const fields = differing.map(([member]) => memberPath(at, member))
    return recordChange(this.#parts, changed, 'changed', fields, transaction)
  }

  /** Also removes the participant's lock. */
  async take(room: RoomRow, present: Participant, transaction: Knex): Promise<void> {
    const { tables } = this.#parts
    const which = { room_id: room.id, identifier: present.identifier }
    await this.#touch(room, transaction)
    await tables.participants.delete(which, transaction)
    await stopReading(which, transaction)
    await tables.locks.delete({ room_id: room.id, holder: present.identifier }, transaction)
    await recordChange(this.#parts, present, 'left', [elementPath('participants', present.identifier)], transaction)
  }

  async #getManaged(asker: Asker, word: string, transaction: Knex): Promise<RoomRow> {
    const room = await roomOf(this.#parts, word, transaction)
    refuseOtherThanAdmin(asker, room, await participantOf(this.#parts, room, asker, transaction))
    return room
  }

  async #inRoom(room: RoomRow, identifier: string, on?: Knex): Promise<Participant> {
    const found = await participantOf(this.#parts, room, { names: [identifier], isAgent: false }, on)
    if (!found) throw notFound('participant', `${identifier} of room ${room.name}`)
    return found
  }

  /** Participants are part of the room's version. */
  async #touch(room: RoomRow, transaction: Knex): Promise<void> {
    await this.#parts.tables.rooms.update(room.id, { updated_at: timestamp(this.#parts.world.clock) }, transaction)
  }
}

/** The caller's transaction must have locked the room. */
export async function insertParticipant(
  parts: Parts,
  room: RoomRow,
  { identifier, kind, display_name = identifier, role = 'member' }: ParticipantInput,
  transaction: Knex,
): Promise<Participant> {
  const { tables, world } = parts
  if (room.room_type === 'direct') {
    const many = await tables.participants.count({ room_id: room.id }, transaction)
    if (many >= DIRECT_PARTICIPANTS)
      throw conflict(
        `the direct room "${room.name}" already has ${DIRECT_PARTICIPANTS} participants: create a room of type group for more`,
      )
  }
  if (await tables.participants.find({ room_id: room.id, identifier }, transaction))
    throw alreadyIn(identifier, room.name)
  const joined_at = timestamp(world.clock)
  const made = { id: world.ids(), room_id: room.id, identifier, kind, display_name, role, joined_at }
  const row = await tables.participants.insert(made, transaction)
  await startReading({ room_id: room.id, identifier, number: room.posted }, transaction)
  return recordChange(parts, row, 'joined', [elementPath('participants', identifier)], transaction)
}

async function recordChange(
  { tables, audit, tell }: Parts,
  row: Participant,
  event: ParticipantEvent,
  paths: readonly string[],
  transaction: Knex,
): Promise<Participant> {
  const by = writer()
  await audit.record(transaction, 'rooms', row.room_id, paths, by)
  const participant = tables.participants.record(row)
  await tell({ type: 'participant', room_id: row.room_id, event, participant, by: by.actor }, transaction)
  return participant
}

const alreadyIn = (identifier: string, room: string) =>
  conflict(`${identifier} is already in room "${room}": to change its role, PATCH the participant`)
