import { conflict, noSuch, unavailable } from '../../../platform/core/problem.ts'
import { timestamp } from '../../../platform/core/clock.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Notification } from '../../../schemas/notify/notification.ts'
import type { SinkConfig, SinkTest } from '../../../schemas/notify/sinks.ts'
import { TIMEOUT_SECS } from './channels.ts'
import type { Send } from './sink.ts'

interface Tested {
  sinks: readonly SinkConfig[]
  senders: ReadonlyMap<string, Send>
}

/** Sends test notifications, whatever quiet hours, priorities and earlier notifications say. */
export class SinkTests {
  readonly #world: Pick<World, 'clock' | 'ids'>
  readonly #tested: Tested
  readonly #running = new Set<string>()
  readonly #stopping = new AbortController()

  constructor(world: Pick<World, 'clock' | 'ids'>, tested: Tested) {
    this.#world = world
    this.#tested = tested
  }

  /** Throws 404 for an unknown sink, 409 while it is being tested, 503 if the daemon stops meanwhile. */
  async test(name: string): Promise<SinkTest> {
    const { sinks, senders } = this.#tested
    const sink = sinks.find((each) => each.name === name)
    const send = senders.get(name)
    if (!sink || !send)
      throw noSuch(
        'sink',
        name,
        sinks.map((each) => each.name),
      )
    if (this.#running.has(name)) throw conflict(`sink ${name} is being tested: wait for the outcome`)
    this.#running.add(name)
    try {
      return await this.#outcome(sink, send)
    } finally {
      this.#running.delete(name)
    }
  }

  /** Ends running tests. */
  stop(): void {
    this.#stopping.abort()
  }

  async #outcome(sink: SinkConfig, send: Send): Promise<SinkTest> {
    const { clock, ids } = this.#world
    const began = clock.monotonic()
    const timeout = AbortSignal.timeout((sink.timeout_secs ?? TIMEOUT_SECS) * 1000)
    const signal = AbortSignal.any([this.#stopping.signal, timeout])
    const error = await send({ id: ids(), notification: this.#notification(sink), now: clock.now(), signal }).then(
      () => null,
      ({ message }: Error) => message,
    )
    if (error !== null && this.#stopping.signal.aborted) throw unavailable('the daemon is stopping', 'stopping')
    const status = error === null ? 'delivered' : 'failed'
    return { sink: sink.name, status, error, duration_ms: Math.round(clock.monotonic() - began) }
  }

  #notification({ name, min_priority = 'Normal' }: SinkConfig): Notification {
    const at = timestamp(this.#world.clock)
    return {
      id: this.#world.ids(),
      source: 'System',
      lifetime: 'Persistent',
      priority: min_priority,
      status: 'Pending',
      title: 'Test of svc',
      message: `The sink ${name} receives notifications.`,
      requires_response: false,
      owner: null,
      response: null,
      created_at: at,
      updated_at: at,
    }
  }
}
