// Messages and locks of the conductor in its rooms.
import type { ClientOf } from '../../../platform/http/client.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { MOST_CONTENT, MOST_METADATA, type RoomLock } from '../../../schemas/communicate/message.ts'
import type { RoomName } from '../../../schemas/conductor/run.ts'
import type { communicateOperations } from '../../../schemas/operations/communicate.ts'
import type { Act, ActReply } from '../decision/contract.ts'
import { keyOf } from '../runs.ts'
import { CONDUCTOR } from './memory.ts'
import { uuidv5 } from './message-ids.ts'
import { isStopping, type Problems } from './problems.ts'

interface RoomWorld {
  communicate: ClientOf<typeof communicateOperations>
  problems: Problems
  repository: string
  /** Id of the run. */
  run: string
  /** Id of the record that the run began from. */
  record: string
}

export class Rooms {
  readonly #world: RoomWorld

  constructor(world: RoomWorld) {
    this.#world = world
  }

  /** Posts a message; a repeat after a crash is stored once. */
  async post(act: Act): Promise<ActReply> {
    const { about, number, mention, items = number === null ? [] : [number], key, text = '' } = act
    const { repository, run } = this.#world
    const subject = key ?? `${about}${number === null ? '' : ` #${number}`}`
    const metadata = { source: CONDUCTOR, about, repository, run, items: [...items], mention }
    return this.#send(act.room!, {
      content: text,
      metadata: bounded(metadata, act.digest),
      message_id: this.#idOf(subject),
    })
  }

  /** Whether the message of `key` is in its room. A room that cannot be read counts as without it. */
  async has(key: string): Promise<boolean> {
    try {
      await this.#world.communicate.getMessage({ params: { id: this.#idOf(key) } })
      return true
    } catch (error) {
      if (!(error instanceof Problem) || isStopping(error)) throw error
      return false
    }
  }

  #idOf(key: string): string {
    const { repository, record } = this.#world
    return uuidv5(record, `${keyOf(repository)} ${key}`)
  }

  /** Posts [LOCK] or [UNLOCK]. Never under an earlier id: the room would ignore it. */
  async announce(about: 'lock' | 'unlock', text: string): Promise<ActReply> {
    const { repository, run } = this.#world
    const metadata = { source: CONDUCTOR, about, repository, run, items: [], mention: null }
    return this.#send('engineering', { content: text, metadata })
  }

  async #send(
    room: RoomName,
    message: { content: string; metadata: Record<string, unknown>; message_id?: string },
  ): Promise<ActReply> {
    try {
      const body = { ...message, content: message.content.slice(0, MOST_CONTENT), sender_id: CONDUCTOR }
      await this.#world.communicate.createMessage({ params: { id: room }, body })
      return { outcome: 'done' }
    } catch (error) {
      return this.#failed(room, error)
    }
  }

  /** Locks of the engineering room; none if it cannot be read. */
  async locks(): Promise<readonly RoomLock[]> {
    try {
      return await this.#world.communicate.listLocks({ params: { id: 'engineering' } })
    } catch (error) {
      this.#failed('engineering', error)
      return []
    }
  }

  #failed(room: RoomName, error: unknown): ActReply {
    if (!(error instanceof Problem) || isStopping(error)) throw error
    const isMissing = error.status === 404
    this.#world.problems.add(isMissing ? 'room-missing' : 'room-refused', `room ${room}: ${error.message}`)
    return { outcome: 'failed', code: isMissing ? 'missing' : 'refused', reason: error.message }
  }
}

/** Drops what makes the metadata too long for a room. */
function bounded(metadata: { items: number[] }, more: object = {}): Record<string, unknown> {
  const fits = (given: object) => JSON.stringify(given).length <= MOST_METADATA
  const full = { ...metadata, ...more }
  if (fits(full)) return full
  return fits(metadata) ? metadata : { ...metadata, items: metadata.items.slice(0, 1000) }
}
