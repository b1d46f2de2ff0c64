// Runs one trigger per enabled workflow and reopens it when the workflow changes.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Unsubscribe } from '../../../platform/async/change-feed.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import { Problem, unprocessable } from '../../../platform/core/problem.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import type { Forge } from '../../../platform/forge/forge.ts'
import type { EventsWorld } from '../events/world.ts'
import type { QueueConsumers } from '../queues/queue-consumers.ts'
import type { WorkflowRow } from '../record/tables.ts'
import type { Delivery, RefusedDelivery } from '../../../platform/forge/webhook-signature.ts'
import type { Webhooks } from '../face.ts'
import type { TaskAcceptance } from './task-acceptance.ts'
import { endsFor, type Chains } from '../record/chains.ts'
import type { RecordWorld } from '../record/world.ts'
import { listSeenTasks } from './trigger-progress.ts'
import { factsOf } from './webhook-delivery.ts'
import type { WorkflowsWorld } from './world.ts'
import type { RunningTrigger, TriggerDefinition, TriggeredWorkflow, TriggerWorld } from './triggers/contract.ts'
import { findTrigger } from './triggers/index.ts'

const OPEN_AGAIN_MS = 10_000

interface Slot {
  queue: SerialQueue
  running: { subject: TriggeredWorkflow; trigger: RunningTrigger } | null
  /** Set while a failed trigger waits to be reopened. */
  again: Timer | null
  /** The error is recorded on the workflow. */
  failed: boolean
}

interface Parts extends Pick<WorkflowsWorld, 'feed' | 'firings' | 'firingLog' | 'triggers'> {
  chains: Chains
  acceptance: TaskAcceptance
  readonly stopping: AbortSignal
}

interface Sources extends Pick<EventsWorld, 'events'> {
  forge: Forge
  queues: QueueConsumers
  openWebhooks: boolean
}

export class TriggerRunner implements Webhooks {
  readonly #record: RecordWorld
  readonly #parts: Parts
  readonly #sources: Sources
  readonly #slots = new Map<string, Slot>()
  #unsubscribe: Unsubscribe | null = null

  constructor(record: RecordWorld, parts: Parts, sources: Sources) {
    this.#record = record
    this.#parts = parts
    this.#sources = sources
  }

  /** Call before any dispatch can end. */
  async follow(): Promise<void> {
    for (const workflow of await this.#listEnabled()) {
      const definition = findTrigger(workflow.trigger_config.type, this.#parts.triggers)
      this.#parts.chains.follow(workflow.id, definition?.follows?.(subjectOf(workflow)))
    }
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#parts.feed.subscribe(({ kind, id }) => {
      if (kind === 'workflows') void this.#update(id)
    })
    const enabled = await this.#listEnabled()
    // The others have changed and are being updated.
    const unchanged = enabled.filter(({ id }) => !this.#slots.has(id))
    await Promise.all(unchanged.map((workflow) => this.#update(workflow.id, workflow)))
  }

  async receive(id: string, delivery: Delivery): Promise<string | null> {
    const { trigger_config, name } = await this.#record.tables.workflows.get(id)
    if (trigger_config.type !== 'webhook')
      throw unprocessable(`workflow ${name} has a ${trigger_config.type} trigger, which accepts no webhooks`)
    const slot = this.#slots.get(id)
    // The trigger may be reopening.
    await slot?.queue.drained()
    const receive = slot?.running?.trigger.receive
    if (!receive) throw new Problem(404, `the trigger of workflow ${name} is not running: enable the workflow`)
    return receive(delivery)
  }

  async refused(id: string, delivery: RefusedDelivery, { status, code, message }: Problem): Promise<void> {
    const { log, tables } = this.#record
    try {
      if ((await tables.workflows.find(id)) === null) return
      const facts = await factsOf(delivery, status)
      this.#parts.firingLog.add(id, { outcome: 'refused', code, reason: message, delivery: facts })
    } catch (error) {
      log.warn({ workflow_id: id, error: (error as Error).message }, 'failed to record a refused delivery')
    }
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribe = null
    await Promise.all([...this.#slots].map(([id, slot]) => slot.queue.run(() => this.#close(id, slot))))
  }

  /** Never rejects: failures are logged and retried. */
  async #update(id: string, known?: WorkflowRow): Promise<void> {
    const slot = this.#slots.get(id) ?? { queue: new SerialQueue(), running: null, again: null, failed: false }
    this.#slots.set(id, slot)
    try {
      await slot.queue.run(() => this.#align(id, slot, known))
    } catch (error) {
      this.#record.log.error({ workflow_id: id, error: (error as Error).message }, 'trigger failed, reopening')
      slot.failed = true
      void this.#parts.firings.recordError(id, (error as Error).message)
      this.#updateLater(id, slot)
    }
    if (!slot.running && !slot.again && slot.queue.idle) this.#slots.delete(id)
  }

  async #align(id: string, slot: Slot, known?: WorkflowRow): Promise<void> {
    if (!this.#follows) return
    const workflow = known ?? (await this.#record.tables.workflows.find(id))
    const definition = workflow?.enabled && findTrigger(workflow.trigger_config.type, this.#parts.triggers)
    if (!workflow || !definition) {
      this.#parts.chains.follow(id, undefined)
      await this.#close(id, slot)
      return this.#parts.firings.recordError(id, workflow?.enabled ? neverFires(workflow) : null)
    }
    const subject = subjectOf(workflow)
    this.#parts.chains.follow(id, definition.follows?.(subject))
    if (slot.running && changedFields(slot.running.subject, subject).length === 0) return
    await this.#close(id, slot)
    await this.#open(slot, definition, subject)
  }

  async #open(slot: Slot, definition: TriggerDefinition, subject: TriggeredWorkflow): Promise<void> {
    const trigger = definition.open(this.#world(subject), subject)
    slot.running = { subject, trigger }
    try {
      // The error may be from an earlier daemon.
      const { firings } = this.#parts
      if (firings.errorOf(subject.id)?.includes(NEVER_FIRES)) await firings.recordError(subject.id, null)
      await trigger.start()
      this.#parts.firings.track(subject.id, trigger)
      if (slot.failed) void this.#parts.firings.recordError(subject.id, null)
      slot.failed = false
    } catch (error) {
      await this.#close(subject.id, slot)
      throw error
    }
  }

  async #close(id: string, slot: Slot): Promise<void> {
    slot.again?.cancel()
    slot.again = null
    const { running } = slot
    slot.running = null
    this.#parts.firings.untrack(id)
    await running?.trigger
      .stop()
      .catch((error: unknown) =>
        this.#record.log.error({ workflow_id: id, error: (error as Error).message }, 'trigger failed to stop'),
      )
  }

  #updateLater(id: string, slot: Slot): void {
    if (!this.#follows) return
    slot.again?.cancel()
    slot.again = this.#record.clock.after(OPEN_AGAIN_MS, () => void this.#update(id))
  }

  #listEnabled(): Promise<WorkflowRow[]> {
    return this.#record.tables.workflows.list({ where: { enabled: true } })
  }

  get #follows(): boolean {
    return this.#unsubscribe !== null && !this.#parts.stopping.aborted
  }

  #world({ id, agentId, trigger }: TriggeredWorkflow): TriggerWorld {
    const { clock, tables } = this.#record
    const { events, forge, queues, openWebhooks } = this.#sources
    const log = this.#record.log.child({ workflow_id: id, trigger: trigger.type })
    const report = (error: Error | null) => {
      if (error) log.warn({ error: error.message }, 'trigger cannot fire')
      void this.#parts.firings.recordError(id, error && error.message)
    }
    return {
      clock,
      log,
      openWebhooks,
      forge,
      ends: () => endsFor(this.#record, id),
      cursor: async () => (await tables.cursors.find(id))?.cursor ?? null,
      seen: () => listSeenTasks(this.#record, id),
      accept: (tasks, progress) => this.#parts.acceptance.accept(id, tasks, progress),
      listen: (handle) => events.listen(`${trigger.type} of workflow ${id}`, handle, report),
      queue: queues.consumer({ id, agentId }),
      unfired: (firing) => this.#parts.firingLog.add(id, firing),
      report,
    }
  }
}

/** Error of a trigger type that this daemon does not implement. */
const NEVER_FIRES = 'does not fire here: trigger the workflow by hand, or change its type'
const neverFires = ({ trigger_config }: WorkflowRow) => `a trigger of type ${trigger_config.type} ${NEVER_FIRES}`

function subjectOf({ id, agent_id, trigger_config, poll_interval_secs }: WorkflowRow): TriggeredWorkflow {
  return { id, agentId: agent_id, trigger: trigger_config, pollIntervalSecs: poll_interval_secs }
}
