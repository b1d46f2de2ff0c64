// What every service can be asked.
import * as Type from 'typebox'
import { operation, type OperationGroup } from './operation.ts'

export const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded']),
    service: Type.String(),
    version: Type.String(),
    uptime_secs: Type.Integer(),
  },
  { additionalProperties: true },
)

export const health = operation('common.health', 'GET /health', {
  summary: 'Whether the service is well',
  reply: { 200: Health },
  auth: 'open',
})

/** What every service can be asked, of this one. */
export const common = ({ service, port }: Pick<OperationGroup, 'service' | 'port'>) => ({
  service,
  port,
  operations: { health },
})
