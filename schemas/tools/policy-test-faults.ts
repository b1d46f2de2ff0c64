// Separate, so that clients do not load the shell parser.
import { oneFault, type Fault } from '../kind.ts'
import { policyFaults } from './policy-faults.ts'
import type { PolicyTest } from './policy-test.ts'

/** Errors of a policy test beyond the schema. */
export function policyTestFaults({ policy, tool_policy, agent, recorded, calls }: PolicyTest): Fault[] {
  const fault = (member: string, message: string, hint: string) =>
    oneFault([member], 'conflicting-members', message, hint)
  return [
    ...(isOne(policy, tool_policy) ? [] : fault('policy', 'give either "policy" or "tool_policy"', 'remove the other')),
    ...(isOne(recorded, calls) ? [] : fault('recorded', 'give either "recorded" or "calls"', 'remove the other')),
    ...(calls === undefined || agent !== undefined
      ? []
      : fault('agent', 'is required beside "calls"', 'set the id of the agent in whose directories they are judged')),
    ...(tool_policy === undefined ? [] : policyFaults(tool_policy, ['tool_policy'])),
  ]
}

const isOne = (one: unknown, other: unknown): boolean => (one === undefined) !== (other === undefined)
