import type { FastifyInstance } from 'fastify'
import { implement } from '../platform/http/implement.ts'
import * as operations from '../schemas/operations/monitor.ts'
import type { Monitor } from '../services/monitor/face.ts'

export function monitorRoutes(app: FastifyInstance, monitor: Monitor): void {
  implement(app, operations.getMetrics, () => monitor.latest())
  implement(app, operations.collect, () => monitor.collect())
  implement(app, operations.listHistory, ({ query: { since, until, step } }) => monitor.history({ since, until, step }))
  implement(app, operations.getStatus, () => monitor.status())
  implement(app, operations.getDisk, () => monitor.disk())
  implement(app, operations.listAgentLoads, () => monitor.agents())
}
