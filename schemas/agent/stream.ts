// Frame of a monitoring stream: one JSON object per line.
import * as Type from 'typebox'
import { Approval } from '../tools/approval.ts'
import { DispatchRecord } from '../workflow/record.ts'

export const StreamFrame = Type.Object(
  {
    agent_id: Type.String(),
    type: Type.String({
      description:
        'From the agent: `system`, `assistant`, `user`, `result`, `control_request`, `keep_alive`; from svc: `pending_approval`, `approval_decided`, `approval_withdrawn`, `approval_delivered`, `agent_status`, `dispatch`, `context_cleared`, `message_lost`, `connection_replaced`, `work_preserved`, `worktree_kept`, `sandbox_refused`, `sandbox_tampered`',
    }),
    content: Type.String({ description: 'Readable text; empty for `approval_delivered`' }),
    timestamp: Type.String(),
    message: Type.Unknown({ description: 'Frame as the agent sent it; null for types of svc' }),
    approval: Type.Optional(Approval),
    dispatch: Type.Optional(DispatchRecord),
    status: Type.Optional(Type.String()),
    activity: Type.Optional(Type.String()),
  },
  { $id: 'StreamFrame' },
)
export type StreamFrame = Type.Static<typeof StreamFrame>
