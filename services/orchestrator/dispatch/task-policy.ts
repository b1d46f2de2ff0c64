// The policy that is in force while a task of a workflow runs.
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import type { WorkflowRow } from '../record/tables.ts'

/** Null = the agent's own. */
export function taskPolicy({ tool_policy: { mode, tools } }: Pick<WorkflowRow, 'tool_policy'>): ToolPolicy | null {
  return mode === 'auto' ? null : { mode, tools }
}
