// The record of the API, made of the row of a workflow.
import { checkTemplate } from '../../../schemas/workflow/template.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import type { ServiceParts } from '../parts.ts'
import type { WorkflowRow } from '../tables.ts'
import { findTrigger } from './triggers/index.ts'

/** What of a workflow can be changed. */
export type Definition = Omit<WorkflowRow, 'id' | 'created_at' | 'updated_at'>

/** Secrets masked; a trigger that nothing here runs is warned of. */
export function toRecord({ tables, triggers }: ServiceParts, workflow: WorkflowRow): WorkflowRecord {
  const { type } = workflow.trigger_config
  const warnings = checkTemplate(workflow.prompt_template, type).warnings.map((warning) => warning.message)
  if (!findTrigger(type, triggers))
    warnings.push(`trigger type ${type} does not fire by itself in this version: trigger it by hand`)
  return Object.assign(tables.workflows.record(workflow), { warnings })
}
