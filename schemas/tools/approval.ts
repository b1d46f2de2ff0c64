import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, mapOf, orNull } from '../shapes.ts'

export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'timed_out'] as const

export const Approval = namedObject('Approval', {
  id: Type.String({ format: 'uuid' }),
  agent_id: Type.String({ format: 'uuid' }),
  request_id: Type.String({ description: 'Request id of the agent' }),
  tool_name: Type.String(),
  tool_input: Type.Unknown(),
  finding: orNull(
    closedObject({ reason: Type.String(), part: Type.String() }),
    'Why the entries of the policy did not decide, and the part of the call; null if its mode asks for every call',
  ),
  status: Type.Enum([...APPROVAL_STATUSES]),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
  decided_at: nullableText,
  decided_by: nullableText,
  reason: nullableText,
})
export type Approval = Type.Static<typeof Approval>

/** Optional body of approve and deny. `session` decides for the tool until the context is cleared. */
export const ApprovalDecision = namedObject('ApprovalDecision', {
  reason: Type.Optional(Type.String()),
  updated_input: Type.Optional(mapOf(Type.Unknown())),
  scope: Type.Optional(Type.Enum(['once', 'session'])),
})
export type ApprovalDecision = Type.Static<typeof ApprovalDecision>
