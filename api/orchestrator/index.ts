import type { FastifyInstance } from 'fastify'
import type { Orchestrator } from '../../services/orchestrator/face.ts'
import { agentLimitRoutes, agentRoutes, agentSessionRoutes, type ManagedBy } from './agents.ts'
import { streamRoutes } from './streams.ts'
import { toolRoutes } from './tools.ts'
import { queueRoutes, workflowRoutes } from './workflows.ts'

/** Default of `managedBy`: no resource is declared by a manifest. */
export function orchestratorRoutes(
  app: FastifyInstance,
  orchestrator: Orchestrator,
  managedBy: ManagedBy = () => null,
): void {
  agentRoutes(app, orchestrator, managedBy)
  agentSessionRoutes(app, orchestrator.agents)
  agentLimitRoutes(app, orchestrator.agents)
  workflowRoutes(app, orchestrator)
  queueRoutes(app, orchestrator)
  toolRoutes(app, orchestrator)
  streamRoutes(app, orchestrator)
}
