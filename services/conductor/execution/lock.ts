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
  #renewal: Timer | null = null
  #renewing: Promise<unknown> = Promise.resolve()

  constructor(rooms: Rooms, clock: Clock) {
    this.#rooms = rooms
    this.#clock = clock
  }

  /** Lock of another participant (null if none), and whether a crash left the conductor's own. */
  async read(): Promise<{ other: RoomLock | null; isOwnLeft: boolean }> {
    const locks = await this.#rooms.locks()
    return {
      other: locks.find(({ holder }) => holder !== CONDUCTOR) ?? null,
      isOwnLeft: locks.some(({ holder }) => holder === CONDUCTOR),
    }
  }

  get isHeld(): boolean {
    return this.#renewal !== null
  }

  /**
   * Posts `text`, which begins with [LOCK]. Fails with `held` and the lock while another participant has one. Renewed
   * until `release`.
   */
  async take(text: string): Promise<ActReply> {
    const { other } = await this.read()
    if (other !== null) {
      const reason = `${other.holder_name} holds a lock until ${other.expires_at}`
      return { outcome: 'failed', code: 'held', reason, lock: other }
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
