// The orchestrator over HTTP: all its routes, its health and its figures.
import type { FastifyInstance } from 'fastify'
import type { Orchestrator } from '../../services/orchestrator/face.ts'
import { agentChangeRoutes, agentLimitRoutes, agentRoutes, agentSessionRoutes, type ManagedBy } from './agents.ts'
import { approvalRoutes } from './approvals.ts'
import { policyRoutes } from './policies.ts'
import { streamRoutes } from './streams.ts'
import { dispatchRoutes, templateRoutes, workflowRoutes } from './workflows.ts'

export { orchestratorMetrics } from './metrics.ts'

/** `managedBy` names the manifest behind a live resource. Default: nothing is managed. */
export function orchestratorRoutes(
  app: FastifyInstance,
  orchestrator: Orchestrator,
  options: { managedBy?: ManagedBy } = {},
): void {
  const { agents, approvals, policies, workflows } = orchestrator
  const managedBy = options.managedBy ?? (() => null)
  agentRoutes(app, agents, managedBy)
  agentChangeRoutes(app, agents, managedBy)
  agentSessionRoutes(app, agents)
  agentLimitRoutes(app, agents)
  workflowRoutes(app, workflows)
  dispatchRoutes(app, workflows)
  templateRoutes(app)
  approvalRoutes(app, approvals, agents)
  policyRoutes(app, policies)
  streamRoutes(app, orchestrator)
}

/** What /health says beside the common members. Asks the database, so that one that is gone shows. */
export async function orchestratorHealth(
  orchestrator: Pick<Orchestrator, 'figures'>,
): Promise<{ agents_active: number }> {
  return { agents_active: (await orchestrator.figures()).websocket_connections_active }
}
