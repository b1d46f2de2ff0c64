// The prompt that a task becomes, by the template of its workflow.
import { renderTemplate } from '../../../schemas/workflow/template.ts'
import type { WorkflowRow } from '../record/tables.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'

export function promptOf({ prompt_template }: Pick<WorkflowRow, 'prompt_template'>, task: TriggeredTask): string {
  return renderTemplate(prompt_template, valuesOf(task))
}

/** Metadata keys are variables too, but never take the place of a standard one. */
function valuesOf({ sourceId, title, body = '', url = '', labels = [], assignee = '', metadata = {} }: TriggeredTask) {
  const listed = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`)
  return {
    ...metadata,
    title,
    body,
    url,
    labels: labels.join(', '),
    assignee,
    source_id: sourceId,
    metadata: listed.join('\n'),
  }
}
