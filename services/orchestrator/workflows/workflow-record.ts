// The record of the API, made of the row of a workflow.
import { checkTemplate } from '../../../schemas/workflow/template.ts'
import type { UnfiredRecord } from '../face.ts'
import type { Reading } from '../record/world.ts'
import type { WorkflowRow } from '../record/tables.ts'

/** What of a workflow can be changed. */
export type Definition = Omit<WorkflowRow, 'id' | 'finished' | 'version' | 'created_at' | 'updated_at'>

/** Secrets masked. What `Firings` knows of it is yet to be added. */
export function toRecord({ tables }: Reading, workflow: WorkflowRow): UnfiredRecord {
  const { type } = workflow.trigger_config
  const warnings = checkTemplate(workflow.prompt_template, type).warnings.map((warning) => warning.message)
  return Object.assign(tables.workflows.record(workflow), { warnings })
}
