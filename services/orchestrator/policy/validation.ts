// Checks tool policies as the API takes them.
import { refuseFaults } from '../../../platform/core/problem.ts'
import type { ToolPolicy, WorkflowToolPolicy } from '../../../schemas/tools/policy.ts'
import { policyFaults } from '../../../schemas/tools/policy-faults.ts'

/** Throws 400 naming every fault. */
export function checkPolicy(policy: ToolPolicy | WorkflowToolPolicy): void {
  refuseFaults(policyFaults(policy, ['tool_policy']))
}
