// The triggers that run. A type that is not here is stored, and can be triggered by hand.
import type { TriggerDefinition } from './contract.ts'
import { manual } from './manual.ts'

export const triggers: readonly TriggerDefinition[] = [manual]

/** The trigger of a type; undefined when none of that type runs. */
export function findTrigger(type: string, among: readonly TriggerDefinition[]): TriggerDefinition | undefined {
  return among.find((trigger) => trigger.type === type)
}
