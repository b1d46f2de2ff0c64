import * as Type from 'typebox'
import { UnmatchedDelivery } from '../../workflow/record.ts'
import { operation } from '../operation.ts'

export const receiveWebhook = operation('orchestrator.receiveWebhook', 'POST /webhooks/:workflow_id', {
  summary: 'Receive a webhook for a workflow, signed if it has a secret',
  guard: 'none',
  auth: 'open',
  params: Type.Object({ workflow_id: Type.String({ format: 'uuid' }) }),
  body: Type.Optional(Type.Unsafe<Buffer>(Type.Unknown({ description: 'Any bytes; JSON is parsed' }))),
  bytes: true,
  bodyLimit: 25 * 1024 * 1024,
  /** Without a body if a task was created. */
  reply: { 202: UnmatchedDelivery },
  adds: true,
  errors: [404, 413, 415, 422],
})
