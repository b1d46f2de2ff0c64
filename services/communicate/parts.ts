import { randomUUID } from 'node:crypto'
import { currentActor, ownActor, type Actor } from '../../platform/core/actor.ts'
import type { Knex } from '../../platform/database/database.ts'
import { notFound } from '../../platform/core/problem.ts'
import type { World } from '../../platform/service/world.ts'
import type { Audit } from '../../platform/store/audit.ts'
import type { ParticipantEvent } from '../../schemas/communicate/frames.ts'
import type { MessageStatus } from '../../schemas/communicate/message.ts'
import { looksLikeId, type Participant, type Room } from '../../schemas/communicate/room.ts'
import type { Asker } from './access.ts'
import type { RoomRow, Tables } from './tables.ts'

/** Published after the commit to every daemon on the database. */
export type Happening =
  | { type: 'message'; room_id: string; number: number }
  | { type: 'status'; room_id: string; message_id: string; sender_id: string; status: MessageStatus; by: string }
  | { type: 'participant'; room_id: string; event: ParticipantEvent; participant: Participant; by: string }
  | { type: 'room'; room_id: string; event: 'made' | 'changed' | 'deleted' }
  | { type: 'typing'; room_id: string; identifier: string; display_name: string }

export interface Parts {
  world: World
  tables: Tables
  audit: Audit
  tell(happening: Happening, transaction?: Knex): Promise<void>
}

export const writer = (): Actor => currentActor() ?? ownActor('daemon', randomUUID())

/** Locks the room within a transaction; throws 404. */
export async function roomOf({ tables }: Parts, word: string, on?: Knex): Promise<RoomRow> {
  const row = await tables.rooms.find(looksLikeId(word) ? { id: word } : { name: word }, on)
  if (!row) throw notFound('room', word)
  return row
}

/** Null if the caller is not in the room. */
export async function participantOf(
  { tables }: Parts,
  room: Pick<Room, 'id'>,
  { names, isAgent }: Pick<Asker, 'names' | 'isAgent'>,
  on?: Knex,
): Promise<Participant | null> {
  if (names.length === 0) return null
  const which = { room_id: room.id, identifier: names, ...(isAgent ? { kind: 'agent' as const } : {}) }
  return tables.participants.find(which, on)
}
