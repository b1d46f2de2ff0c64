import * as Type from 'typebox'
import { recordOf } from '../members.ts'
import { agentMembers } from './members.ts'
import { AgentSandbox } from './sandbox-state.ts'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'

/** Prefix of `last_error` if the agent runs but its program cannot work, for example because it is not logged in. */
export const PROMPTS_FAIL = 'its program cannot work: '

export const AGENT_STATUSES = ['pending', 'running', 'stopped', 'failed'] as const

export const AgentRecord = namedObject('Agent', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  status: Type.Enum([...AGENT_STATUSES]),
  config: closedObject(recordOf(agentMembers)),
  mux_session: Type.String({ description: 'svc-orch-<id>' }),
  activity: Type.Enum(['idle', 'busy']),
  connected: Type.Boolean({ description: 'Whether its WebSocket is connected' }),
  restarts: Type.Integer(),
  last_error: nullableText,
  warnings: Type.Array(Type.String()),
  sandbox: orNull(AgentSandbox, 'Sandbox of the process; null before the first start'),
  managed_by: orNull(
    Type.Object({ source: Type.String(), file: Type.String(), line: Type.Integer() }),
    'Manifest that declares this agent, if any',
  ),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})
export type AgentRecord = Type.Static<typeof AgentRecord>

export const PatchedAgent = namedObject('PatchedAgent', { ...AgentRecord.properties, requires_restart: Type.Boolean() })

export const MessageInput = namedObject('MessageInput', { content: Type.String({ minLength: 1 }) })
export const MessageReply = namedObject('MessageReply', {
  status: Type.Enum(['sent', 'queued']),
  agent_id: Type.String(),
  message_id: Type.String(),
})
export type MessageReply = Type.Static<typeof MessageReply>

export const DirectoryInput = namedObject('DirectoryInput', { path: Type.String({ minLength: 1, examples: ['/tmp'] }) })
export const DirectoryReply = namedObject('DirectoryReply', {
  agent_id: Type.String(),
  additional_dirs: Type.Array(Type.String()),
  requires_restart: Type.Boolean(),
})
export type DirectoryReply = Type.Static<typeof DirectoryReply>

export interface AgentFilter {
  status?: AgentRecord['status']
  name?: string
}
