// The conductor's lock of the engineering room during a bulk change of issues.
import type { Clock, Timer } from '../../../platform/core/clock.ts'
import type { RoomLock } from '../../../schemas/communicate/message.ts'
import type { ActReply } from '../decision/contract.ts'
import { CONDUCTOR } from './memory.ts'
import type { Rooms } from './rooms.ts'

const RENEW_MS = 5 * 60_000

export class CoordinationLock {
  readonly #rooms: Rooms
  readonly #clock: Clock
  readonly #repository: string
  #renewal: Timer | null = null
  #renewing: Promise<unknown> = Promise.resolve()

  constructor(rooms: Rooms, clock: Clock, repository: string) {
    this.#rooms = rooms
    this.#clock = clock
    this.#repository = repository.toLowerCase()
  }

  /**
   * Lock of another participant (null if none), and the conductor's own: `orphaned` by a crash of a run of this
   * repository, or `foreign`, held by a run of another one.
   */
  async read(): Promise<{ other: RoomLock | null; own: 'orphaned' | 'foreign' | null; lock: RoomLock | null }> {
    const locks = await this.#rooms.locks()
    const lock = locks.find(({ holder }) => holder === CONDUCTOR) ?? null
    const isOwn = lock?.purpose.toLowerCase().startsWith(`${this.#repository}:`)
    return {
      other: locks.find(({ holder }) => holder !== CONDUCTOR) ?? null,
      own: lock && (isOwn ? 'orphaned' : 'foreign'),
      lock,
    }
  }

  get isHeld(): boolean {
    return this.#renewal !== null
  }

  /**
   * Posts `text`, which begins with [LOCK] and the repository. Fails with `held` and the lock while another participant
   * or a run of another repository has one. Renewed until `release`.
   */
  async take(text: string): Promise<ActReply> {
    const { other, own, lock } = await this.read()
    // A participant has one lock: a second run would shorten that of the first.
    const held = other ?? (own === 'foreign' ? lock : null)
    if (held !== null) {
      const reason = `${held.holder_name} holds a lock until ${held.expires_at}: ${held.purpose}`
      return { outcome: 'failed', code: 'held', reason, lock: held }
    }
    const reply = await this.#rooms.announce('lock', text)
    if (reply.outcome === 'done') this.#renewLater(text)
    return reply
  }

  /** Posts `text`, which begins with [UNLOCK]. */
  async release(text: string): Promise<ActReply> {
    this.#renewal?.cancel()
    this.#renewal = null
    // A renewal that arrived later would lock the room again.
    await this.#renewing
    return this.#rooms.announce('unlock', text)
  }

  /** A failed renewal is a problem of the run; the next one is still tried. */
  #renewLater(text: string): void {
    this.#renewal = this.#clock.after(RENEW_MS, () => {
      this.#renewLater(text)
      this.#renewing = this.#rooms.announce('lock', text).catch(() => undefined)
    })
  }
}
