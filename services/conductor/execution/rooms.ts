// Messages and locks of the conductor in its rooms.
import type { Clock } from '../../../platform/core/clock.ts'
import type { ClientOf } from '../../../platform/http/client.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { MOST_CONTENT, MOST_METADATA, type RoomLock } from '../../../schemas/communicate/message.ts'
import type { RoomName } from '../../../schemas/conductor/run.ts'
import type { communicateOperations } from '../../../schemas/operations/communicate.ts'
import type { Act, ActReply } from '../decision/contract.ts'
import { pause } from '../run-queue.ts'
import { keyOf } from '../runs.ts'
import { topicOf, type Journal } from './journal.ts'
import { CONDUCTOR } from './memory.ts'
import { uuidv5 } from './message-ids.ts'
import { isStopping, type Problems } from './problems.ts'

interface RoomWorld {
  communicate: ClientOf<typeof communicateOperations>
  problems: Problems
  repository: string
  /** Id of the run. */
  run: string
  /** Of the message ids: the id of the memory, or of the run, that this one began from. */
  namespace: string
  journal: Pick<Journal, 'namespaceOf'>
  clock: Clock
  signal: AbortSignal
}

/** Milliseconds before each repeat of a message that a room has not confirmed. */
const REPEATS = [1000, 2000]

export class Rooms {
  readonly #world: RoomWorld
  #announced = 0
  /** Since the last answer: a run does not repeat each of its messages to rooms that are down. */
  #isDown = false

  constructor(world: RoomWorld) {
    this.#world = world
  }

  /** Posts a message; a repeat, also after a crash, is stored once. */
  async post(act: Act): Promise<ActReply> {
    const { about, number, mention, items = number === null ? [] : [number], key, text = '' } = act
    const { repository, run } = this.#world
    const name = act.id ?? key ?? `${about}${number === null ? '' : ` #${number}`}`
    const metadata = { source: CONDUCTOR, about, repository, run, items: [...items], mention }
    return this.#send(act.room!, {
      content: text,
      metadata: bounded(metadata, act.digest),
      message_id: this.#idOf(name, topicOf(act)),
    })
  }

  /** Whether the message that `name` identifies is in its room. A room that cannot be read counts as without it. */
  async has(name: string, topic: string): Promise<boolean> {
    try {
      await this.#world.communicate.getMessage({ params: { id: this.#idOf(name, topic) } })
      return true
    } catch (error) {
      if (!(error instanceof Problem) || isStopping(error)) throw error
      return false
    }
  }

  #idOf(name: string, topic: string): string {
    const { repository, namespace, journal } = this.#world
    return uuidv5(journal.namespaceOf(topic) ?? namespace, `${keyOf(repository)} ${name}`)
  }

  /** Posts [LOCK] or [UNLOCK]. Never under the id of an earlier one: the room would ignore it. */
  async announce(about: 'lock' | 'unlock', text: string): Promise<ActReply> {
    const { repository, run } = this.#world
    const metadata = { source: CONDUCTOR, about, repository, run, items: [], mention: null }
    const message_id = uuidv5(run, `${about} ${++this.#announced}`)
    return this.#send('engineering', { content: text, metadata, message_id })
  }

  /** Repeats a message that the room has not confirmed: it may be stored, and is stored once. */
  async #send(
    room: RoomName,
    message: { content: string; metadata: Record<string, unknown>; message_id: string },
  ): Promise<ActReply> {
    const { communicate, clock, signal } = this.#world
    const body = { ...message, content: message.content.slice(0, MOST_CONTENT), sender_id: CONDUCTOR }
    const delays = this.#isDown ? [] : [...REPEATS]
    for (;;) {
      try {
        await communicate.createMessage({ params: { id: room }, body })
        this.#isDown = false
        return { outcome: 'done' }
      } catch (error) {
        const delay = isPassing(error) && !isStopping(error) && !signal.aborted ? delays.shift() : undefined
        if (delay === undefined) return this.#failed(room, error)
        await pause(clock, delay, signal)
      }
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

  /** `error`: the room may have the message, or take it later, so nothing that depends on it may follow. */
  #failed(room: RoomName, error: unknown): ActReply {
    if (!(error instanceof Problem) || isStopping(error)) throw error
    const { status, message: reason } = error
    this.#isDown = isPassing(error)
    this.#world.problems.add(status === 404 ? 'room-missing' : 'room-refused', `room ${room}: ${reason}`)
    const code = status === 404 ? 'missing' : this.#isDown ? 'error' : 'refused'
    return { outcome: 'failed', code, reason }
  }
}

/** The room fails, is late, or refuses messages temporarily. */
const isPassing = (error: unknown): boolean => error instanceof Problem && (error.status >= 500 || error.status === 429)

/** Shortens metadata to the limit of a room. */
function bounded(metadata: { items: number[] }, more: object = {}): Record<string, unknown> {
  const fits = (given: object) => JSON.stringify(given).length <= MOST_METADATA
  const full = { ...metadata, ...more }
  if (fits(full)) return full
  return fits(metadata) ? metadata : { ...metadata, items: metadata.items.slice(0, 1000) }
}
