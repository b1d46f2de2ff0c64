// Rooms for the reconciler: a room and its participants are one resource.
import { asActor, type Actor } from '../../platform/core/actor.ts'
import { ChangeFeed, type Unsubscribe } from '../../platform/async/change-feed.ts'
import { isUniqueViolation, write, type Knex } from '../../platform/database/database.ts'
import { conflict, notFound } from '../../platform/core/problem.ts'
import type { AuditEntry } from '../../platform/store/audit.ts'
import { listen, type LiveChange, type ChangeNotice } from '../../platform/store/change-log.ts'
import { refuseMoved, type Seen } from '../../platform/store/write-preconditions.ts'
import type { Participant, Room } from '../../schemas/communicate/room.ts'
import type { RoomSpec } from '../../schemas/room.ts'
import { insertParticipant, type Participants } from './participants.ts'
import type { Parts } from './parts.ts'
import type { Rooms } from './rooms.ts'
import type { RoomRow } from './tables.ts'

export type RoomMembers = Omit<RoomSpec, 'name'>

export interface InspectedRoom {
  room: Room
  participants: readonly Participant[]
  /** Incremented by every write to the room or its participants. */
  version: number
}

export type RoomNotice = ChangeNotice<'rooms'>

export class DeclaredRooms {
  readonly #parts: Parts
  readonly #rooms: Rooms
  readonly #participants: Participants
  readonly #feed: ChangeFeed<LiveChange<'rooms'>>

  constructor(parts: Parts, rooms: Rooms, participants: Participants) {
    this.#parts = parts
    this.#rooms = rooms
    this.#participants = participants
    this.#feed = new ChangeFeed(parts.world.log)
  }

  async inspect(id: string): Promise<InspectedRoom> {
    return this.#inspectRow(await this.#parts.tables.rooms.get(id))
  }

  async find(name: string): Promise<InspectedRoom | null> {
    const row = await this.#parts.tables.rooms.find({ name })
    return row && this.#inspectRow(row)
  }

  /** Newest first. */
  async inspectAll(): Promise<InspectedRoom[]> {
    const { rooms, participants } = this.#parts.tables
    const [rows, everybody] = [await rooms.list(), await participants.list()]
    const byRoom = groupByRoom(everybody)
    return rows.map((row) => this.#inspectWith(row, byRoom.get(row.id) ?? []))
  }

  /** Throws 409 if the name is taken. */
  async make(id: string, name: string, members: RoomMembers, by: Actor): Promise<void> {
    const { topic, description, type, participants } = members
    const input = { name, topic, description, room_type: type, created_by: by.actor }
    const work = (transaction: Knex) => this.#rooms.insert(input, id, participants, transaction).then(() => undefined)
    await asActor(by, () => write(this.#parts.world.db, work)).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      throw conflict(`room "${name}" already exists: it was created after the plan was made`, 'name-taken')
    })
  }

  /** Replaces fields, except the participants in `left`. Throws 409 `moved` if a field differs from `seen`. */
  async assign(
    id: string,
    members: Partial<RoomMembers>,
    { by, seen, left }: { by: Actor; seen: Seen<RoomMembers> | undefined; left: ReadonlySet<string> },
  ): Promise<void> {
    await asActor(by, () =>
      write(this.#parts.world.db, async (transaction) => {
        const row = await this.#parts.tables.rooms.find(id, transaction)
        if (!row) throw notFound('room', id)
        const { participants } = this.#parts.tables
        const present = (await participants.list({ where: { room_id: id } }, transaction)).filter(
          ({ identifier }) => !left.has(identifier),
        )
        refuseMoved<RoomMembers>(`room ${row.name}`, { ...membersOf(row, present), version: row.version }, seen)
        if (members.participants) await this.#remove(row, present, members.participants, transaction)
        const { participants: _, type, ...rest } = members
        await this.#rooms.change(row, { ...rest, ...(type === undefined ? {} : { room_type: type }) }, transaction)
        if (members.participants) await this.#add(row, present, members.participants, transaction)
      }),
    )
  }

  async remove(id: string, by: Actor): Promise<void> {
    await asActor(by, () => write(this.#parts.world.db, (transaction) => this.#rooms.remove({ id }, transaction)))
  }

  writer(id: string, path: string): Promise<AuditEntry | null> {
    return this.#parts.audit.latest('rooms', id, path === 'type' ? 'room_type' : path)
  }

  /** With `since`, first reports the changes after that cursor. */
  changes(listener: (change: RoomNotice) => void, since: number | null = null): Unsubscribe {
    const { world, audit } = this.#parts
    return listen({ feed: this.#feed, audit, clock: world.clock, log: world.log }, listener, {
      kinds: ['rooms'],
      since,
    })
  }

  publishChange(id: string): void {
    void this.#parts.tables.rooms
      .find(id)
      .then((row) => this.#feed.publish({ kind: 'rooms', id, name: row?.name ?? id }))
      .catch((error: unknown) => {
        this.#parts.world.log.warn({ room_id: id, error: (error as Error).message }, 'failed to publish room change')
      })
  }

  async #inspectRow(row: RoomRow): Promise<InspectedRoom> {
    return this.#inspectWith(row, await this.#parts.tables.participants.list({ where: { room_id: row.id } }))
  }

  #inspectWith(row: RoomRow, everybody: readonly Participant[]): InspectedRoom {
    const { rooms, participants } = this.#parts.tables
    const shown = everybody.map((each) => participants.record(each))
    return { room: rooms.record(row), participants: shown, version: row.version }
  }

  async #remove(
    row: RoomRow,
    present: readonly Participant[],
    wanted: RoomMembers['participants'],
    transaction: Knex,
  ): Promise<void> {
    const kept = new Set(wanted.map(({ identifier }) => identifier))
    for (const each of present) if (!kept.has(each.identifier)) await this.#participants.take(row, each, transaction)
  }

  async #add(
    row: RoomRow,
    present: readonly Participant[],
    wanted: RoomMembers['participants'],
    transaction: Knex,
  ): Promise<void> {
    const room = await this.#parts.tables.rooms.get(row.id, transaction)
    const known = new Map(present.map((each) => [each.identifier, each]))
    for (const each of wanted) {
      const before = known.get(each.identifier)
      const { role, kind, display_name } = each
      if (before) await this.#participants.change(room, before, { role, kind, display_name }, transaction)
      else await insertParticipant(this.#parts, room, each, transaction)
    }
  }
}

function membersOf(
  row: Pick<RoomRow, 'topic' | 'description' | 'room_type'>,
  present: readonly Participant[],
): RoomMembers {
  return {
    topic: row.topic,
    description: row.description,
    type: row.room_type,
    participants: present
      .map(({ identifier, kind, role, display_name }) => ({ identifier, kind, role, display_name }))
      .sort((a, b) => (a.identifier < b.identifier ? -1 : 1)),
  }
}

function groupByRoom(everybody: readonly Participant[]): Map<string, Participant[]> {
  const byRoom = new Map<string, Participant[]>()
  for (const each of everybody) byRoom.set(each.room_id, [...(byRoom.get(each.room_id) ?? []), each])
  return byRoom
}
