// Stores concurrent messages in one transaction and acknowledges them after the commit.
import type { Actor } from '../../platform/core/actor.ts'
import { inBatches } from '../../platform/async/batches.ts'
import { timestamp } from '../../platform/core/clock.ts'
import { isUniqueViolation, write, type Knex } from '../../platform/database/database.ts'
import { conflict, notFound } from '../../platform/core/problem.ts'
import type { Message, MessageInput } from '../../schemas/communicate/message.ts'
import { looksLikeId, type Participant } from '../../schemas/communicate/room.ts'
import { refuseMute, type Asker } from './access.ts'
import type { Locks } from './locks.ts'
import { notInRoom } from './messages.ts'
import { writer, type Parts } from './parts.ts'
import type { MessageRow, RoomRow } from './tables.ts'

interface Said {
  /** Id or name of the room. */
  word: string
  input: MessageInput
  /** Sent by an agent of the orchestrator. */
  isAgent: boolean
  by: Actor
}

/** Rows loaded for the whole batch. */
interface Facts {
  rooms: RoomRow[]
  participants: Participant[]
  /** Stored messages with the given ids, or replied to. */
  messages: Map<string, MessageRow>
}

const AT_ONCE = 100

export class Posting {
  readonly #parts: Parts
  readonly #locks: Locks
  readonly #post = inBatches(AT_ONCE, (said: readonly Said[]) => this.#keep(said))

  constructor(parts: Parts, locks: Locks) {
    this.#parts = parts
    this.#locks = locks
  }

  /** Throws 403 if the sender cannot post, 400 if `reply_to` is not in the room. */
  post({ isAgent }: Pick<Asker, 'isAgent'>, word: string, input: MessageInput): Promise<Message> {
    return this.#post({ word, input, isAgent, by: writer() })
  }

  #keep(said: readonly Said[]): Promise<(Message | Error)[]> {
    const keep = () => write(this.#parts.world.db, (transaction) => this.#keepIn(transaction, said))
    return keep().catch((error: unknown) => {
      if (said.length > 1 || !isUniqueViolation(error)) throw error
      // Another daemon has just stored this id; the retry finds it.
      return keep()
    })
  }

  async #keepIn(transaction: Knex, said: readonly Said[]): Promise<(Message | Error)[]> {
    const { tables, audit } = this.#parts
    const facts = await this.#facts(transaction, said)
    const fresh: { row: MessageRow; by: Actor }[] = []
    const outcomes = said.map((each): Message | Error => {
      try {
        const [row, isFresh] = this.#rowOf(each, facts)
        if (isFresh) fresh.push({ row, by: each.by })
        return tables.messages.record(row)
      } catch (error) {
        return error as Error
      }
    })
    await tables.messages.insertAll(
      fresh.map(({ row }) => row),
      transaction,
    )
    for (const { row } of fresh) await this.#locks.apply(tables.messages.record(row), transaction)
    await audit.recordAll(
      transaction,
      fresh.map(({ row: { id }, by }) => ({ kind: 'messages', id, members: [''], by })),
    )
    for (const { id, posted } of facts.rooms.filter((room) => fresh.some(({ row }) => row.room_id === room.id))) {
      await transaction(tables.rooms.name).where({ id }).update({ posted })
      await this.#parts.tell({ type: 'message', room_id: id, number: posted }, transaction)
    }
    return outcomes
  }

  /**
   * Locks the rooms until the commit: numbers must follow commit order and participants must not change. Ordered by
   * id, to avoid deadlocks between daemons.
   */
  async #facts(transaction: Knex, said: readonly Said[]): Promise<Facts> {
    const { tables } = this.#parts
    const words = [...new Set(said.map(({ word }) => word))]
    const rooms = await transaction(tables.rooms.name)
      .whereIn('id', words.filter(looksLikeId))
      .orWhereIn(
        'name',
        words.filter((word) => !looksLikeId(word)),
      )
      .orderBy('id')
      .forUpdate()
      .select('*')
    const rows = rooms.map((columns: object) => tables.rooms.fromColumns(columns))
    const senders = [...new Set(said.map(({ input }) => input.sender_id))]
    const participants = await tables.participants.list(
      { where: { room_id: rows.map(({ id }) => id), identifier: senders } },
      transaction,
    )
    const ids = said.flatMap(({ input }) => [input.message_id ?? [], input.reply_to ?? []].flat())
    const known = ids.length === 0 ? [] : await tables.messages.list({ where: { id: ids } }, transaction)
    return { rooms: rows, participants, messages: new Map(known.map((row) => [row.id, row])) }
  }

  /** `isFresh` is false if the message is already stored under its id. Throws if it is refused. */
  #rowOf({ word, input, isAgent }: Said, facts: Facts): [row: MessageRow, isFresh: boolean] {
    const { rooms, participants, messages } = facts
    const room = rooms.find(({ id, name }) => (looksLikeId(word) ? id === word : name === word))
    if (!room) throw notFound('room', word)
    const { sender_id, content, metadata = {}, reply_to = null, message_id } = input
    const sender = participants.find(
      ({ room_id, identifier, kind }) =>
        room_id === room.id && identifier === sender_id && (!isAgent || kind === 'agent'),
    )
    refuseMute(room, sender_id, sender ?? null)
    const known = message_id === undefined ? undefined : messages.get(message_id)
    if (known) {
      if (known.room_id === room.id && known.sender_id === sender_id) return [known, false]
      throw conflict(`message_id ${known.id} belongs to another message: omit it, or use a new one`)
    }
    if (reply_to !== null) {
      const answered = messages.get(reply_to)
      if (answered?.room_id !== room.id || answered.taken_back === 1) throw notInRoom('reply_to', reply_to, room)
    }
    const row: MessageRow = {
      id: message_id ?? this.#parts.world.ids(),
      room_id: room.id,
      number: ++room.posted,
      sender_id,
      sender_name: sender!.display_name,
      sender_kind: sender!.kind,
      content,
      metadata,
      reply_to,
      status: 'sent',
      created_at: timestamp(this.#parts.world.clock),
      taken_back: 0,
    }
    messages.set(row.id, row)
    return [row, true]
  }
}
