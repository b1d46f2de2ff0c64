// The life of triggers: one runs for each enabled workflow, and is opened anew when what it was opened for changes.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { ownActor } from '../../../platform/actor.ts'
import type { Unsubscribe } from '../../../platform/change-feed.ts'
import type { Timer } from '../../../platform/clock.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import type { ServiceParts } from '../parts.ts'
import { cursorOf } from './cursors.ts'
import type { WorkflowRow } from '../tables.ts'
import { giveTask } from './task.ts'
import type { RunningTrigger, TriggerDefinition, TriggeredWorkflow, TriggerWorld } from './triggers/contract.ts'
import { findTrigger } from './triggers/index.ts'

const OPEN_AGAIN_MS = 10_000

/** Where the trigger of one workflow is in its life. */
interface Slot {
  queue: SerialQueue
  running: { subject: TriggeredWorkflow; trigger: RunningTrigger } | null
  /** Set while a trigger that failed waits to be opened again. */
  again: Timer | null
}

export class TriggerRunner {
  readonly #service: ServiceParts
  readonly #slots = new Map<string, Slot>()
  #unsubscribe: Unsubscribe | null = null

  constructor(service: ServiceParts) {
    this.#service = service
  }

  /** Starts the triggers of all enabled workflows, and follows their changes from then on. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#service.feed.subscribe(({ kind, id }) => {
      if (kind === 'workflows') void this.#update(id)
    })
    const enabled = await this.#service.tables.workflows.list({ where: { enabled: true } })
    // One that changed meanwhile is being read anew.
    const unchanged = enabled.filter(({ id }) => !this.#slots.has(id))
    await Promise.all(unchanged.map((workflow) => this.#update(workflow.id, workflow)))
  }

  /** Resolves when every trigger has stopped. */
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribe = null
    await Promise.all([...this.#slots].map(([id, slot]) => slot.queue.run(() => this.#close(id, slot))))
  }

  /** Brings the trigger of a workflow in line with its record. Never rejects: what fails is logged and tried again. */
  async #update(id: string, known?: WorkflowRow): Promise<void> {
    const slot = this.#slots.get(id) ?? { queue: new SerialQueue(), running: null, again: null }
    this.#slots.set(id, slot)
    try {
      await slot.queue.run(() => this.#align(id, slot, known))
    } catch (error) {
      this.#service.log.error(
        { workflow_id: id, error: (error as Error).message },
        'a trigger failed; it is opened again',
      )
      this.#updateLater(id, slot)
    }
    if (!slot.running && !slot.again && slot.queue.idle) this.#slots.delete(id)
  }

  async #align(id: string, slot: Slot, known?: WorkflowRow): Promise<void> {
    if (!this.#follows) return
    const workflow = known ?? (await this.#service.tables.workflows.find(id))
    const definition = workflow?.enabled && findTrigger(workflow.trigger_config.type, this.#service.triggers)
    if (!workflow || !definition) return this.#close(id, slot)
    const subject = subjectOf(workflow)
    if (slot.running && changedFields(slot.running.subject, subject).length === 0) return
    await this.#close(id, slot)
    await this.#open(slot, definition, subject)
  }

  async #open(slot: Slot, definition: TriggerDefinition, subject: TriggeredWorkflow): Promise<void> {
    const trigger = definition.open(this.#world(subject), subject)
    slot.running = { subject, trigger }
    try {
      await trigger.start()
    } catch (error) {
      await this.#close(subject.id, slot)
      throw error
    }
  }

  /** A trigger that cannot stop is named in the log, and let go. */
  async #close(id: string, slot: Slot): Promise<void> {
    slot.again?.cancel()
    slot.again = null
    const { running } = slot
    slot.running = null
    await running?.trigger
      .stop()
      .catch((error: unknown) =>
        this.#service.log.error({ workflow_id: id, error: (error as Error).message }, 'a trigger did not stop'),
      )
  }

  #updateLater(id: string, slot: Slot): void {
    if (!this.#follows) return
    slot.again?.cancel()
    slot.again = this.#service.clock.after(OPEN_AGAIN_MS, () => void this.#update(id))
  }

  get #follows(): boolean {
    return this.#unsubscribe !== null && !this.#service.stopping
  }

  #world({ id, trigger }: TriggeredWorkflow): TriggerWorld {
    const { clock, log } = this.#service
    return {
      clock,
      log: log.child({ workflow_id: id, trigger: trigger.type }),
      cursor: cursorOf(this.#service, id),
      fire: (task) => giveTask(this.#service, id, task, ownActor(`trigger ${trigger.type}`, this.#service.ids())),
    }
  }
}

/** What the trigger of a workflow is opened for. */
function subjectOf({ id, trigger_config, poll_interval_secs }: WorkflowRow): TriggeredWorkflow {
  return { id, trigger: trigger_config, pollIntervalSecs: poll_interval_secs }
}
