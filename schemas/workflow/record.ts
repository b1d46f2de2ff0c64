import * as Type from 'typebox'
import { recordOf } from '../members.ts'
import { WorkflowName, workflowMembers } from './members.ts'
import { namedObject, nullableText, orNull, mapOf } from '../shapes.ts'

export const WorkflowRecord = namedObject('Workflow', {
  id: Type.String({ format: 'uuid' }),
  name: WorkflowName,
  agent_id: Type.String({ format: 'uuid' }),
  ...recordOf(workflowMembers),
  trigger_config: Type.Object(
    { type: Type.String() },
    { additionalProperties: true, description: 'Trigger; a webhook secret is shown as ***' },
  ),
  warnings: Type.Array(Type.String()),
  next_fire_at: orNull(
    Type.String({ format: 'date-time' }),
    'Next time the trigger fires or polls its forge; null if not time-based',
  ),
  last_fired_at: orNull(Type.String({ format: 'date-time' }), 'Last time the trigger created a task'),
  last_error: orNull(Type.String(), 'Error that keeps the trigger from firing; null when resolved'),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})
export type WorkflowRecord = Type.Static<typeof WorkflowRecord>

/** May be empty or absent. */
export const TriggerInput = namedObject('TriggerInput', {
  title: Type.Optional(Type.String()),
  body: Type.Optional(Type.String()),
  metadata: Type.Optional(mapOf(Type.String())),
})
export type TriggerInput = Type.Static<typeof TriggerInput>

export const UnmatchedDelivery = namedObject('UnmatchedDelivery', {
  matched: Type.Literal(false),
  reason: Type.String({ description: 'Conditions of the trigger that do not hold' }),
})
export type UnmatchedDelivery = Type.Static<typeof UnmatchedDelivery>

export const DISPATCH_STATUSES = ['pending', 'dispatched', 'completed', 'failed', 'skipped'] as const

export const DispatchRecord = namedObject('Dispatch', {
  id: Type.String({ format: 'uuid' }),
  workflow_id: Type.String({ format: 'uuid' }),
  source_id: Type.String(),
  agent_id: Type.String({ format: 'uuid' }),
  prompt_sent: Type.String(),
  status: Type.Enum([...DISPATCH_STATUSES]),
  trigger_type: Type.String(),
  attempt: Type.Integer(),
  error: nullableText,
  result: nullableText,
  usage: orNull(mapOf(Type.Number())),
  created_at: Type.String({ format: 'date-time' }),
  dispatched_at: orNull(Type.String({ format: 'date-time' })),
  completed_at: orNull(Type.String({ format: 'date-time' })),
})
export type DispatchRecord = Type.Static<typeof DispatchRecord>
