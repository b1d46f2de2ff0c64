// The agent record of the API, and the bodies and answers of what is said to an agent.
import * as Type from 'typebox'
import { recordOf } from '../members.ts'
import { agentMembers } from './members.ts'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'

/** How the `last_error` of an agent begins that runs, and whose program cannot work: not logged in, no such model. */
export const PROMPTS_FAIL = 'its program cannot work: '

export const AGENT_STATUSES = ['pending', 'running', 'stopped', 'failed'] as const

export const AgentRecord = namedObject('Agent', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  status: Type.Enum([...AGENT_STATUSES]),
  config: closedObject(recordOf(agentMembers)),
  mux_session: Type.String({ description: 'svc-orch-<id>' }),
  activity: Type.Enum(['idle', 'busy']),
  connected: Type.Boolean({ description: 'A live WebSocket connection' }),
  restarts: Type.Integer(),
  last_error: nullableText,
  warnings: Type.Array(Type.String()),
  managed_by: orNull(
    Type.Object({ source: Type.String(), file: Type.String(), line: Type.Integer() }),
    'The manifest that declares this agent, if any',
  ),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})
export type AgentRecord = Type.Static<typeof AgentRecord>

/** What `PATCH /agents/{id}` answers: the agent, and whether a restart is needed to take the change up. */
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
