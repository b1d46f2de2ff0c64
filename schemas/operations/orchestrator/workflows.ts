import * as Type from 'typebox'
import {
  PromptPreview,
  PromptPreviewInput,
  TemplateValidateInput,
  TemplateValidation,
} from '../../workflow/template.ts'
import { FIRING_OUTCOMES, FiringRecord, WorkflowSchedule } from '../../workflow/firing.ts'
import { WorkflowInput, WorkflowPatch } from '../../workflow/input.ts'
import { DispatchRecord, TriggerInput, WorkflowRecord } from '../../workflow/record.ts'
import { Id } from '../parameters.ts'
import { list, one, operation, type Asked } from '../operation.ts'

export const listWorkflows = list('orchestrator.listWorkflows', '/workflows', {
  identity: 'none',
  summary: 'List workflows, newest first',
  item: WorkflowRecord,
  cursors: {},
})

export const createWorkflow = operation('orchestrator.createWorkflow', 'POST /workflows', {
  summary: 'Create a workflow',
  guard: 'workflow',
  body: WorkflowInput,
  reply: { 201: WorkflowRecord },
  errors: [409],
  check: async ({ body }) => (await import('../../workflow/check.ts')).checkWorkflowInput(body),
})

export const getWorkflow = one('orchestrator.getWorkflow', '/workflows/:id', {
  identity: 'none',
  summary: 'Show a workflow',
  params: Id,
  item: WorkflowRecord,
})

const changeWorkflow = {
  guard: 'workflow',
  params: Id,
  body: WorkflowPatch,
  reply: { 200: WorkflowRecord },
  errors: [404, 409],
  check: async ({ body }: Asked) => (await import('../../workflow/check.ts')).checkWorkflowPatch(body),
} as const

export const updateWorkflow = operation('orchestrator.updateWorkflow', 'PATCH /workflows/:id', {
  summary: 'Update a workflow; omitted fields keep their values',
  ...changeWorkflow,
})

export const putWorkflow = operation('orchestrator.putWorkflow', 'PUT /workflows/:id', {
  summary: 'Update a workflow (same as PATCH)',
  ...changeWorkflow,
})

export const deleteWorkflow = operation('orchestrator.deleteWorkflow', 'DELETE /workflows/:id', {
  summary: 'Delete a workflow',
  guard: 'workflow',
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const listDispatches = list('orchestrator.listDispatches', '/workflows/:id/history', {
  identity: 'none',
  summary: 'List the dispatches of a workflow, newest first',
  params: Id,
  item: DispatchRecord,
  cursors: {},
  errors: [404],
})

export const getDispatch = one('orchestrator.getDispatch', '/workflows/:id/history/:dispatch_id', {
  identity: 'none',
  summary: 'Show a dispatch of a workflow',
  params: Type.Object({ ...Id.properties, dispatch_id: Type.String({ format: 'uuid' }) }),
  item: DispatchRecord,
})

export const listFirings = list('orchestrator.listFirings', '/workflows/:id/firings', {
  identity: 'none',
  summary: 'List the firings of a trigger, newest first',
  params: Id,
  query: Type.Object({ outcome: Type.Optional(Type.Enum([...FIRING_OUTCOMES])) }),
  item: FiringRecord,
  cursors: {},
  errors: [404],
})

export const getSchedule = one('orchestrator.getSchedule', '/workflows/:id/schedule', {
  identity: 'none',
  summary: 'Show when a workflow fires next',
  params: Id,
  item: WorkflowSchedule,
})

export const triggerWorkflow = operation('orchestrator.triggerWorkflow', 'POST /workflows/:id/trigger', {
  summary: 'Run a workflow now with a given task',
  guard: 'none',
  params: Id,
  body: Type.Optional(TriggerInput),
  reply: { 200: DispatchRecord },
  adds: true,
  errors: [404, 409],
})

export const previewPrompt = operation('orchestrator.previewPrompt', 'POST /workflows/:id/preview', {
  summary: 'Show a template rendered with the task of a dispatch',
  // A template can show every member of a webhook.
  guard: 'workflow',
  role: 'operator',
  identity: 'caller',
  params: Id,
  body: PromptPreviewInput,
  reply: { 200: PromptPreview },
  errors: [404, 409],
  readOnly: true,
})

export const validateTemplate = operation('orchestrator.validateTemplate', 'POST /templates/validate', {
  identity: 'none',
  summary: 'Validate a prompt template',
  body: TemplateValidateInput,
  reply: { 200: TemplateValidation },
  readOnly: true,
})
