import * as Type from 'typebox'
import { operation, type Placed } from './operation.ts'

export const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded']),
    service: Type.String(),
    version: Type.String(),
    uptime_secs: Type.Integer(),
    reason: Type.Optional(Type.String({ description: 'Why the service is degraded, and what to do' })),
    refused_calls: Type.Optional(
      Type.Array(Type.String(), { description: 'Why other services refused the last call of this one' }),
    ),
  },
  { additionalProperties: true },
)

export const health = operation('common.health', 'GET /health', {
  identity: 'none',
  summary: 'Check the health of the service',
  reply: { 200: Health },
  auth: 'open',
})

/** Common operations of a service. */
export const common = ({ service, port, mount }: Placed) => ({
  service,
  port,
  ...(mount ? { mount } : {}),
  operations: { health },
})
