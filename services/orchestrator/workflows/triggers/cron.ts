import { cronTimes, type CronTimes } from '../../../../schemas/workflow/cron-times.ts'
import { Alarm } from '../alarm.ts'
import type { PolledWorld, RunningTrigger, TriggerDefinition, TriggeredWorkflow, TriggerWorld } from './contract.ts'

/** A firing missed by less is not late: a trigger takes time to reopen. */
const LATE_MS = 1000

/** Firings up to `at` (RFC 3339) are done. */
interface Place {
  at: string
  expression: string
  timezone: string
}

const MISSED =
  'the daemon was stopped, or the workflow disabled, at this time: set catch_up to last to run the last missed firing'

type CronWorld = PolledWorld & Pick<TriggerWorld, 'unfired'>

class CronTrigger implements RunningTrigger {
  readonly #world: CronWorld
  readonly #expression: string
  readonly #timezone: string
  readonly #catchUp: boolean
  readonly #times: CronTimes
  readonly #alarm: Alarm

  constructor(world: CronWorld, { trigger }: TriggeredWorkflow) {
    this.#world = world
    this.#expression = trigger.expression as string
    this.#timezone = trigger.timezone as string
    this.#catchUp = trigger.catch_up === 'last'
    this.#times = cronTimes(this.#expression, this.#timezone)
    this.#alarm = new Alarm(world, (due) => this.#fire(due))
  }

  async start(): Promise<void> {
    const now = this.#world.clock.now()
    const place = await this.#place()
    if (place === null) await this.#world.accept([], { cursor: this.#cursor(now) })
    const missed = place === null ? null : this.#lastBetween(place, now)
    const owed = missed !== null && (this.#catchUp || now - missed <= LATE_MS)
    if (missed !== null && !owed)
      this.#world.unfired({ outcome: 'missed', reason: MISSED, at: new Date(missed).toISOString() })
    this.#alarm.set(owed ? missed : this.#after(now))
  }

  stop(): Promise<void> {
    return this.#alarm.stop()
  }

  next(): number | null {
    return this.#alarm.due
  }

  async #fire(due: number): Promise<void> {
    const fire_time = new Date(due).toISOString()
    const task = {
      sourceId: `cron:${fire_time}`,
      title: `Cron ${fire_time}`,
      metadata: { fire_time, cron_expression: this.#expression },
    }
    await this.#world.accept([task], { cursor: this.#cursor(due) })
    this.#alarm.set(this.#after(Math.max(due, this.#world.clock.now())))
  }

  /** Returns null if none is stored, or for another expression. */
  async #place(): Promise<number | null> {
    const cursor = await this.#world.cursor()
    if (cursor === null) return null
    const { at, expression, timezone } = JSON.parse(cursor) as Place
    return expression === this.#expression && timezone === this.#timezone ? Date.parse(at) : null
  }

  #cursor(at: number): string {
    const place: Place = { at: new Date(at).toISOString(), expression: this.#expression, timezone: this.#timezone }
    return JSON.stringify(place)
  }

  #after(time: number): number | null {
    return this.#times.next(time)
  }

  /** Returns the last firing in (from, to]. */
  #lastBetween(from: number, to: number): number | null {
    const last = this.#times.last(to)
    return last !== null && last > from ? last : null
  }
}

export const cron: TriggerDefinition = {
  type: 'cron',
  fires: 'polled',
  open: (world, workflow) => new CronTrigger(world, workflow),
}
