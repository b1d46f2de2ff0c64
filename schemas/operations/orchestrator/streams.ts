// WebSockets of the orchestrator: the monitoring streams, and the socket agents dial.
import * as Type from 'typebox'
import { StreamFrame } from '../../agent/stream.ts'
import { socket } from '../operation.ts'

const Replayed = Type.Object({
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'First what was said since then, as far as it is kept' }),
  ),
})

export const streamAll = socket('orchestrator.streamAll', '/stream', {
  summary: 'Every frame of every agent, as a WebSocket of newline-delimited JSON',
  query: Replayed,
  sends: StreamFrame,
})

export const streamAgent = socket('orchestrator.streamAgent', '/stream/:agent_id', {
  summary: 'The frames of one agent, as a WebSocket',
  params: Type.Object({ agent_id: Type.String({ format: 'uuid' }) }),
  query: Replayed,
  sends: StreamFrame,
  errors: [404],
})

/** An unknown agent and an ill-formed id are refused alike: 401, before the upgrade. */
export const agentSocket = socket('orchestrator.agentSocket', '/ws/:agent_id', {
  summary: 'The socket an agent dials, with its own secret as bearer token or ?token=',
  params: Type.Object({ agent_id: Type.String() }),
  sends: Type.Unknown(),
  auth: 'own',
})
