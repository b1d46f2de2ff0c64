// What a monitoring stream sends: one JSON object and a newline a frame.
import type { Approval } from './approval.ts'
import type { DispatchRecord } from './workflow.ts'

/** `message` is the frame as the agent sent it; the members after it belong to the types of our own. */
export interface StreamFrame {
  agent_id: string
  /** `system`, `assistant`, `user`, `result`, `control_request`, `keep_alive` of the agent; `pending_approval`, `approval_decided`, `agent_status`, `dispatch`, `context_cleared` of ours. */
  type: string
  /** The readable text. */
  content: string
  timestamp: string
  message: unknown
  approval?: Approval
  dispatch?: DispatchRecord
  status?: string
  activity?: string
}
