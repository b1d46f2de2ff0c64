// Leases, acquired by [LOCK] messages and released by [UNLOCK] or expiry.
import { timestamp } from '../../platform/core/clock.ts'
import { write, type Knex } from '../../platform/database/database.ts'
import { lockWordOf, type Message, type RoomLock } from '../../schemas/communicate/message.ts'
import type { Parts } from './parts.ts'

export class Locks {
  readonly #parts: Parts
  readonly #leaseMs: number

  constructor(parts: Parts, leaseMs: number) {
    this.#parts = parts
    this.#leaseMs = leaseMs
  }

  /** Runs in the transaction that stores the message. */
  async apply(message: Message, transaction: Knex): Promise<void> {
    const asked = lockWordOf(message.content)
    if (!asked) return
    const { locks } = this.#parts.tables
    const which = { room_id: message.room_id, holder: message.sender_id }
    if (asked.word === 'unlock') return void (await locks.delete(which, transaction))
    const { clock } = this.#parts.world
    const present = await locks.find(which, transaction)
    const isHeld = present !== null && present.expires_at > timestamp(clock)
    const lock = {
      ...which,
      holder_name: message.sender_name,
      purpose: asked.purpose,
      message_id: message.id,
      since: isHeld ? present.since : message.created_at,
      expires_at: new Date(clock.now() + this.#leaseMs).toISOString(),
    }
    await locks.put([lock], transaction)
  }

  /** Unexpired locks, oldest first. */
  async list(roomId: string): Promise<RoomLock[]> {
    const { locks } = this.#parts.tables
    const now = timestamp(this.#parts.world.clock)
    const rows = await locks.list({ where: { room_id: roomId } })
    return rows.filter(({ expires_at }) => expires_at > now).map((row) => locks.record(row))
  }

  async sweep(): Promise<void> {
    const { world, tables } = this.#parts
    const now = timestamp(world.clock)
    await write(world.db, (transaction) => transaction(tables.locks.name).where('expires_at', '<=', now).delete())
  }
}
