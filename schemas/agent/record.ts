// The agent record of the API, and the bodies and answers of what is said to an agent.
import * as Type from 'typebox'
import { recordOf } from '../members.ts'
import { agentMembers } from './members.ts'

/** How the `last_error` of an agent begins that runs, and whose program cannot work: not logged in, no such model. */
export const PROMPTS_FAIL = 'its program cannot work: '

export const AGENT_STATUSES = ['pending', 'running', 'stopped', 'failed'] as const

export const AgentRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    status: Type.Enum([...AGENT_STATUSES]),
    config: Type.Object(recordOf(agentMembers), { additionalProperties: false }),
    mux_session: Type.String({ description: 'svc-orch-<id>' }),
    activity: Type.Enum(['idle', 'busy']),
    connected: Type.Boolean({ description: 'A live WebSocket connection' }),
    restarts: Type.Integer(),
    last_error: Type.Union([Type.String(), Type.Null()]),
    warnings: Type.Array(Type.String()),
    managed_by: Type.Union(
      [Type.Object({ source: Type.String(), file: Type.String(), line: Type.Integer() }), Type.Null()],
      {
        description: 'The manifest that declares this agent, if any',
      },
    ),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Agent', additionalProperties: false },
)
export type AgentRecord = Type.Static<typeof AgentRecord>

/** What `PATCH /agents/{id}` answers: the agent, and whether a restart is needed to take the change up. */
export const PatchedAgent = Type.Object(
  { ...AgentRecord.properties, requires_restart: Type.Boolean() },
  { $id: 'PatchedAgent', additionalProperties: false },
)

export const MessageInput = Type.Object(
  { content: Type.String({ minLength: 1 }) },
  { $id: 'MessageInput', additionalProperties: false },
)
export const MessageReply = Type.Object(
  { status: Type.Enum(['sent', 'queued']), agent_id: Type.String(), message_id: Type.String() },
  { $id: 'MessageReply', additionalProperties: false },
)
export type MessageReply = Type.Static<typeof MessageReply>

export const DirectoryInput = Type.Object(
  { path: Type.String({ minLength: 1, examples: ['/tmp'] }) },
  { $id: 'DirectoryInput', additionalProperties: false },
)
export const DirectoryReply = Type.Object(
  { agent_id: Type.String(), additional_dirs: Type.Array(Type.String()), requires_restart: Type.Boolean() },
  { $id: 'DirectoryReply', additionalProperties: false },
)
export type DirectoryReply = Type.Static<typeof DirectoryReply>
