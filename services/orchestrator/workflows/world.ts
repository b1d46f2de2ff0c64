// What workflows lean on beside queues.
import type { Forge } from '../../../platform/forge/forge.ts'
import type { QueuesWorld } from '../queues/world.ts'
import type { TriggerDefinition } from './triggers/contract.ts'

export interface WorkflowsWorld extends QueuesWorld {
  /** The trigger types that run. */
  triggers: readonly TriggerDefinition[]
  /** Where issues and pull requests are listed. */
  forge: Forge
}
