import { background, type Background } from '../../../../platform/async/background.ts'
import type { RunningTrigger, TriggerDefinition, TriggeredWorkflow, TriggerWorld } from './contract.ts'

type ConsumerWorld = Pick<TriggerWorld, 'clock' | 'log' | 'queue' | 'report'>

class QueueTrigger implements RunningTrigger {
  readonly #world: ConsumerWorld
  readonly #queue: string
  readonly #pollSecs: number
  readonly #timeoutSecs: number
  #loop: Background | null = null
  #leave: (() => void) | null = null

  constructor(world: ConsumerWorld, { trigger }: TriggeredWorkflow) {
    this.#world = world
    this.#queue = trigger.queue_name as string
    this.#pollSecs = trigger.poll_interval_secs as number
    this.#timeoutSecs = trigger.visibility_timeout_secs as number
  }

  async start(): Promise<void> {
    const { clock, log, queue } = this.#world
    this.#loop = background({
      clock,
      log,
      name: `queue ${this.#queue}`,
      everyMs: this.#pollSecs * 1000,
      atOnce: true,
      work: () => this.#pull(),
    })
    this.#leave = queue.onNews(this.#queue, () => this.#loop?.wake())
  }

  async stop(): Promise<void> {
    this.#leave?.()
    await this.#loop?.stop()
  }

  async #pull(): Promise<void> {
    try {
      await this.#world.queue.pull(this.#queue, this.#timeoutSecs)
      this.#world.report(null)
    } catch (error) {
      this.#world.report(error as Error)
      throw error
    }
  }
}

export const queue: TriggerDefinition = {
  type: 'queue',
  fires: 'polled',
  open: (world, workflow) => new QueueTrigger(world, workflow),
}
