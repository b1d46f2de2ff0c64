// The sandbox that an agent's process runs in.
import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'

export const RefusedHost = closedObject({
  host: Type.String(),
  port: Type.Integer(),
  count: Type.Integer(),
  at: Type.String({ format: 'date-time', description: 'Time of the last refusal' }),
})

export const AgentSandbox = namedObject('AgentSandbox', {
  state: Type.Enum(['on', 'off', 'failed', 'unknown'], {
    description:
      'off: the process runs without one; failed: the start failed, because the sandbox cannot be kept; unknown: an ' +
      'earlier version of svc started the process',
  }),
  summary: Type.String({ description: 'For example: on (write 4, hidden 31, network hosts)' }),
  code: orNull(Type.String(), 'Code of the reason'),
  reason: nullableText,
  write: Type.Integer({ description: 'Number of paths that it may change' }),
  hidden: Type.Integer({ description: 'Number of paths that it cannot read' }),
  network: orNull(Type.Enum(['all', 'none', 'hosts']), 'Null without a sandbox'),
  refused: Type.Array(RefusedHost, { description: 'The last ten hosts that are not in sandbox.network.hosts' }),
  tampered: Type.Array(Type.String(), { description: 'Files that appeared in .git and change what git does' }),
})
export type AgentSandbox = Type.Static<typeof AgentSandbox>
