import { noSuch } from '../../platform/core/problem.ts'
import { groupBy } from '../../platform/core/group-by.ts'
import type { RecordedTopic } from '../../platform/store/live-topic.ts'
import { askerOf } from './access.ts'
import type { Messages } from './messages.ts'
import type { Parts } from './parts.ts'

const SOURCES: RecordedTopic['sources'] = [
  {
    table: 'communicate_rooms',
    topic: 'room',
    of: 'id',
    kind: 'rooms',
    id: ['id'],
    // Also two changes in one millisecond; not the counts of messages, which every message changes.
    columns: ['updated_at', 'name', 'topic', 'description', 'room_type'],
  },
  { table: 'communicate_participants', topic: 'room', of: 'room_id', kind: 'participants', id: ['identifier'] },
  {
    table: 'communicate_messages',
    topic: 'room',
    of: 'room_id',
    kind: 'messages',
    id: ['id'],
    // Messages of a deleted room are deleted later, in batches.
    events: ['INSERT', 'UPDATE'],
  },
]

export function roomTopic(parts: Parts, messages: Messages): RecordedTopic {
  const { tables } = parts
  const readers: Record<string, (ids: readonly string[], room: string) => Promise<[id: string, record: object][]>> = {
    rooms: async (ids) =>
      (await tables.rooms.list({ where: { id: ids } })).map((row) => [row.id, tables.rooms.record(row)]),
    participants: async (identifier, room_id) => {
      const rows = await tables.participants.list({ where: { room_id, identifier } })
      return rows.map((row) => [row.identifier, tables.participants.record(row)])
    },
    messages: async (id) => {
      const rows = await tables.messages.list({ where: { id, taken_back: 0 } })
      return rows.map((row) => [row.id, tables.messages.record(row)])
    },
  }
  return {
    name: 'room',
    hasIds: true,
    sources: SOURCES,
    open: async (id, by) => {
      const room = await messages.readable(askerOf(by), id)
      if (room.id !== id) throw noSuch('topic', `room/${id}`, [`room/${room.id}`])
    },
    read: async (ids, room) => {
      const records = new Map<string, object>()
      for (const [kind, some] of groupBy(ids, kindOf)) {
        const found = await readers[kind]!(
          some.map((id) => id.slice(kind.length + 1)),
          room,
        )
        for (const [id, record] of found) records.set(`${kind}/${id}`, record)
      }
      return records
    },
  }
}

const kindOf = (id: string): string => id.slice(0, id.indexOf('/'))
