// Events for triggers; not stored.
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'

export type OrchestratorEvent =
  | { type: 'AgentConnected' | 'AgentDisconnected' | 'ContextCleared'; agent_id: string }
  | {
      type: 'DispatchCompleted'
      workflow_id: string
      dispatch_id: string
      status: DispatchRecord['status']
      /** Source id of the chain's first task. */
      source_id: string
      depth: number
    }

/** `timestamp`: RFC 3339. */
export type Published = OrchestratorEvent & { timestamp: string }

export interface Listening {
  /** Resolves once buffered events are handled. */
  close(): Promise<void>
}

/** Buffered events per listener. */
export const BUS_CAPACITY = 256
const AGAIN_MS = 1000

interface BusWorld {
  clock: Clock
  log: Pick<Log, 'warn'>
}

export class EventBus {
  readonly #world: BusWorld
  readonly #listeners = new Set<Listener>()

  constructor(world: BusWorld) {
    this.#world = world
  }

  publish(event: OrchestratorEvent): void {
    const published = { ...event, timestamp: timestamp(this.#world.clock) }
    for (const listener of this.#listeners) listener.take(published)
  }

  /**
   * Calls `handle` with each event in order. A failure is reported to `onFault` and retried every second, except for a
   * Problem below 500. A slow listener loses its oldest events.
   */
  listen(name: string, handle: (event: Published) => Promise<void>, onFault: (error: Error) => void): Listening {
    const listener = new Listener(this.#world, { name, handle, onFault })
    this.#listeners.add(listener)
    return {
      close: () => {
        this.#listeners.delete(listener)
        return listener.close()
      },
    }
  }
}

interface Options {
  name: string
  handle(event: Published): Promise<void>
  onFault(error: Error): void
}

class Listener {
  readonly #world: BusWorld
  readonly #options: Options
  readonly #waiting: Published[] = []
  #running: Promise<void> | null = null
  #endPause: (() => void) | null = null
  #closed = false
  #lost = 0

  constructor(world: BusWorld, options: Options) {
    this.#world = world
    this.#options = options
  }

  take(event: Published): void {
    if (this.#waiting.length === BUS_CAPACITY) {
      this.#waiting.shift()
      // Logged once until the listener catches up.
      if (this.#lost++ === 0)
        this.#world.log.warn(
          { listener: this.#options.name, capacity: BUS_CAPACITY },
          'slow subscriber: dropping events',
        )
    }
    this.#waiting.push(event)
    this.#running ??= this.#work()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#endPause?.()
    await this.#running
  }

  async #work(): Promise<void> {
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) await this.#deal(event)
    if (this.#lost > 0)
      this.#world.log.warn(
        { listener: this.#options.name, lost: this.#lost },
        'slow subscriber caught up: events were dropped',
      )
    this.#lost = 0
    this.#running = null
  }

  async #deal(event: Published): Promise<void> {
    for (;;) {
      try {
        return await this.#options.handle(event)
      } catch (error) {
        if (error instanceof Problem && error.status < 500) return
        this.#options.onFault(error as Error)
        if (this.#closed) return
        await this.#wait()
      }
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#world.clock.after(AGAIN_MS, resolve)
      this.#endPause = () => {
        timer.cancel()
        resolve()
      }
    })
  }
}
