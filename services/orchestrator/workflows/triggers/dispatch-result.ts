import { SerialQueue } from '../../../../platform/async/serial-queue.ts'
import type { Listening } from '../../events/event-bus.ts'
import type { DispatchRow } from '../../record/tables.ts'
import type { Follows } from '../../record/chains.ts'
import type { TriggeredTask } from '../../record/triggered-task.ts'
import type { RunningTrigger, TriggerDefinition, TriggeredWorkflow, TriggerWorld } from './contract.ts'

type ChainWorld = Pick<TriggerWorld, 'listen' | 'ends' | 'accept'>

/** Events only wake it; ends are read from the database, so lost events are harmless. */
class DispatchResultTrigger implements RunningTrigger {
  readonly #world: ChainWorld
  readonly #follows: Follows
  readonly #turns = new SerialQueue()
  #listening: Listening | null = null

  constructor(world: ChainWorld, workflow: TriggeredWorkflow) {
    this.#world = world
    this.#follows = follows(workflow)
  }

  async start(): Promise<void> {
    this.#listening = this.#world.listen(async (event) => {
      if (event.type !== 'DispatchCompleted') return
      const { dispatch_id: id, workflow_id, status } = event
      if (this.#follows({ id, workflow_id, status })) await this.#takeEnds()
    })
    // Ends recorded while it was not running.
    await this.#takeEnds()
  }

  async stop(): Promise<void> {
    await this.#listening?.close()
  }

  #takeEnds(): Promise<void> {
    return this.#turns.run(async () => {
      for (const end of await this.#world.ends())
        // The trigger may have changed since the end was recorded.
        await this.#world.accept(this.#follows(end) ? [taskOf(end)] : [], { follows: end.id })
    })
  }
}

/** A workflow follows itself only if `source_workflow_id` names it, to avoid an endless loop. */
function follows({ id, trigger }: TriggeredWorkflow): Follows {
  const { source_workflow_id: source, status: wanted } = trigger
  return ({ workflow_id, status }) => {
    const bySource = source == null ? workflow_id !== id : workflow_id === source
    return bySource && (wanted == null || status === wanted)
  }
}

function taskOf({ id, workflow_id, status, source_id, completed_at, task, depth }: DispatchRow): TriggeredTask {
  const timestamp = completed_at!
  return {
    sourceId: `event:dispatch:${id}:${timestamp}`,
    title: `Dispatch completed: ${id} (${status})`,
    metadata: {
      source_workflow_id: workflow_id,
      dispatch_id: id,
      status,
      timestamp,
      original_source_id: task?.metadata?.original_source_id ?? source_id,
    },
    depth: depth + 1,
  }
}

export const dispatchResult: TriggerDefinition = {
  type: 'dispatch_result',
  fires: 'pushed',
  follows,
  open: (world, workflow) => new DispatchResultTrigger(world, workflow),
}
