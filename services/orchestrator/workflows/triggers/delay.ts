// Fires one task, then disables the workflow.
import { Alarm } from '../alarm.ts'
import type { PolledWorld, RunningTrigger, TriggerDefinition, TriggeredWorkflow } from './contract.ts'

/** `of`: the delay that `run_at` was computed from. */
interface Place {
  run_at: string
  of: string
  fired: boolean
}

class DelayTrigger implements RunningTrigger {
  readonly #world: PolledWorld
  readonly #workflowId: string
  readonly #runAt: string | undefined
  readonly #delaySecs: number
  readonly #alarm: Alarm

  constructor(world: PolledWorld, { id, trigger }: TriggeredWorkflow) {
    this.#world = world
    this.#workflowId = id
    this.#runAt = trigger.run_at as string | undefined
    this.#delaySecs = (trigger.delay_secs as number | undefined) ?? 0
    this.#alarm = new Alarm(world, (due) => this.#fire(due))
  }

  async start(): Promise<void> {
    const place = (await this.#place()) ?? (await this.#begin())
    if (!place.fired) return this.#alarm.set(Date.parse(place.run_at))
    // The workflow was enabled again without a change.
    const remedy = 'change run_at or delay_secs to fire it again, or disable the workflow'
    this.#world.report(new Error(`the delay fired at ${place.run_at} and fires only once: ${remedy}`))
  }

  stop(): Promise<void> {
    return this.#alarm.stop()
  }

  next(): number | null {
    return this.#alarm.due
  }

  async #begin(): Promise<Place> {
    const due = this.#runAt === undefined ? this.#world.clock.now() + this.#delaySecs * 1000 : Date.parse(this.#runAt)
    const place = { run_at: new Date(due).toISOString(), of: this.#of, fired: false }
    await this.#world.accept([], { cursor: JSON.stringify(place) })
    this.#world.report(null)
    return place
  }

  async #fire(due: number): Promise<void> {
    const run_at = new Date(due).toISOString()
    const task = {
      sourceId: `delay:${this.#workflowId}:${run_at}`,
      title: `Delay until ${run_at}`,
      metadata: { run_at, workflow_id: this.#workflowId },
    }
    const cursor = JSON.stringify({ run_at, of: this.#of, fired: true })
    await this.#world.accept([task], { cursor, finished: true })
    this.#alarm.set(null)
  }

  /** Returns null if none is stored, or for another delay. */
  async #place(): Promise<Place | null> {
    const cursor = await this.#world.cursor()
    const place = cursor === null ? null : (JSON.parse(cursor) as Place)
    return place?.of === this.#of ? place : null
  }

  get #of(): string {
    return this.#runAt ?? `${this.#delaySecs} s`
  }
}

export const delay: TriggerDefinition = {
  type: 'delay',
  fires: 'polled',
  open: (world, workflow) => new DelayTrigger(world, workflow),
}
