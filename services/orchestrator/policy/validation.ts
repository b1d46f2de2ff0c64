// Checks tool policies as the API takes them.
import { refuseFaults } from '../../../platform/core/problem.ts'
import { policyFaults, type ToolPolicy, type WorkflowToolPolicy } from '../../../schemas/tools/policy.ts'

/** Throws 400 naming every fault. */
export function checkPolicy(policy: ToolPolicy | WorkflowToolPolicy): void {
  refuseFaults(policyFaults(policy, ['tool_policy']))
}
