// Checks tool policies as the API takes them.
import { refuseFaults } from '../../../platform/core/problem.ts'
import { policyFaults } from '../../../schemas/tools/policy-faults.ts'

/** Throws 400 naming every fault. */
export function checkPolicy(policy: Parameters<typeof policyFaults>[0]): void {
  refuseFaults(policyFaults(policy, ['tool_policy']))
}
