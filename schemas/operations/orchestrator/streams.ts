import * as Type from 'typebox'
import { StreamFrame } from '../../agent/stream.ts'
import { socket } from '../operation.ts'

const Replayed = Type.Object({
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'Replay retained frames since this time first' }),
  ),
})

export const streamAll = socket('orchestrator.streamAll', '/stream', {
  identity: 'caller',
  ownUser: true,
  summary: 'Stream the frames of all agents as JSON lines (WebSocket)',
  query: Replayed,
  sends: StreamFrame,
})

export const streamAgent = socket('orchestrator.streamAgent', '/stream/:agent_id', {
  identity: 'caller',
  ownUser: true,
  summary: 'Stream the frames of one agent as JSON lines (WebSocket)',
  params: Type.Object({ agent_id: Type.String({ format: 'uuid' }) }),
  query: Replayed,
  sends: StreamFrame,
  errors: [404],
})

/** Unknown and malformed agent ids both get 401 before the upgrade. */
export const agentSocket = socket('orchestrator.agentSocket', '/ws/:agent_id', {
  identity: 'none',
  summary: 'Connect an agent, with its secret as bearer token or ?token=',
  params: Type.Object({ agent_id: Type.String() }),
  sends: Type.Unknown(),
  auth: 'own',
})
