// Operations on workflows, their dispatches, and the templates they are written in.
import Type from 'typebox'
import { TemplateValidateInput, TemplateValidation } from '../../workflow/template.ts'
import {
  DispatchRecord,
  TriggerInput,
  WorkflowInput,
  WorkflowPatch,
  WorkflowRecord,
  checkWorkflowInput,
  checkWorkflowPatch,
} from '../../workflow.ts'
import { Id } from '../parameters.ts'
import { list, operation, type Asked } from '../operation.ts'

export const listWorkflows = list({
  id: 'orchestrator.listWorkflows',
  summary: 'All workflows, newest first',
  path: '/workflows',
  item: WorkflowRecord,
})

export const createWorkflow = operation({
  id: 'orchestrator.createWorkflow',
  summary: 'Create a workflow',
  method: 'POST',
  path: '/workflows',
  guard: 'workflow',
  body: WorkflowInput,
  reply: { 201: WorkflowRecord },
  errors: [409],
  check: ({ body }) => checkWorkflowInput(body),
})

export const getWorkflow = operation({
  id: 'orchestrator.getWorkflow',
  summary: 'One workflow',
  method: 'GET',
  path: '/workflows/:id',
  params: Id,
  reply: { 200: WorkflowRecord },
  errors: [404],
})

const changeWorkflow = {
  path: '/workflows/:id',
  guard: 'workflow',
  params: Id,
  body: WorkflowPatch,
  reply: { 200: WorkflowRecord },
  errors: [404, 409],
  check: ({ body }: Asked) => checkWorkflowPatch(body),
} as const

export const updateWorkflow = operation({
  id: 'orchestrator.updateWorkflow',
  summary: 'Change a workflow; what is left out stays',
  method: 'PATCH',
  ...changeWorkflow,
})

export const putWorkflow = operation({
  id: 'orchestrator.putWorkflow',
  summary: 'The same as PATCH',
  method: 'PUT',
  ...changeWorkflow,
})

export const deleteWorkflow = operation({
  id: 'orchestrator.deleteWorkflow',
  summary: 'Delete a workflow',
  method: 'DELETE',
  path: '/workflows/:id',
  guard: 'workflow',
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const listDispatches = list({
  id: 'orchestrator.listDispatches',
  summary: 'Its dispatches, newest first',
  path: '/workflows/:id/history',
  params: Id,
  item: DispatchRecord,
  errors: [404],
})

export const getDispatch = operation({
  id: 'orchestrator.getDispatch',
  summary: 'One of them',
  method: 'GET',
  path: '/workflows/:id/history/:dispatch_id',
  params: Type.Object({ ...Id.properties, dispatch_id: Type.String({ format: 'uuid' }) }),
  reply: { 200: DispatchRecord },
  errors: [404],
})

export const triggerWorkflow = operation({
  id: 'orchestrator.triggerWorkflow',
  summary: 'Run it now with a task of your own',
  method: 'POST',
  path: '/workflows/:id/trigger',
  guard: 'none',
  params: Id,
  body: Type.Optional(TriggerInput),
  reply: { 200: DispatchRecord },
  errors: [404, 409],
})

export const validateTemplate = operation({
  id: 'orchestrator.validateTemplate',
  summary: 'Check a prompt template',
  method: 'POST',
  path: '/templates/validate',
  body: TemplateValidateInput,
  reply: { 200: TemplateValidation },
  readOnly: true,
})
