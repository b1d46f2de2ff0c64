// What a monitoring stream sends: one JSON object and a newline a frame.
import * as Type from 'typebox'
import { Approval } from '../tools/approval.ts'
import { DispatchRecord } from '../workflow/record.ts'

export const StreamFrame = Type.Object(
  {
    agent_id: Type.String(),
    type: Type.String({
      description:
        '`system`, `assistant`, `user`, `result`, `control_request`, `keep_alive` of the agent; `pending_approval`, `approval_decided`, `agent_status`, `dispatch`, `context_cleared`, `message_lost`, `connection_replaced`, `work_preserved`, `worktree_kept` of ours',
    }),
    content: Type.String({ description: 'The readable text' }),
    timestamp: Type.String(),
    message: Type.Unknown({ description: 'The frame as the agent sent it; null for types of ours' }),
    approval: Type.Optional(Approval),
    dispatch: Type.Optional(DispatchRecord),
    status: Type.Optional(Type.String()),
    activity: Type.Optional(Type.String()),
  },
  { $id: 'StreamFrame' },
)
export type StreamFrame = Type.Static<typeof StreamFrame>
