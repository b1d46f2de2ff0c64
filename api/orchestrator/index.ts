// The orchestrator over HTTP: all its routes.
import type { FastifyInstance } from 'fastify'
import type { Orchestrator } from '../../services/orchestrator/face.ts'
import { agentLimitRoutes, agentRoutes, agentSessionRoutes, type ManagedBy } from './agents.ts'
import { approvalRoutes } from './approvals.ts'
import { policyRoutes } from './policies.ts'
import { queueRoutes } from './queues.ts'
import { streamRoutes } from './streams.ts'
import { webhookRoutes } from './webhooks.ts'
import { workRoutes } from './work.ts'
import { workflowRoutes } from './workflows.ts'

/** `managedBy` names the manifest behind a live resource. Default: nothing is managed. */
export function orchestratorRoutes(
  app: FastifyInstance,
  orchestrator: Orchestrator,
  managedBy: ManagedBy = () => null,
): void {
  const { agents, approvals, policies, queues, webhooks, work, workflows } = orchestrator
  agentRoutes(app, agents, managedBy)
  agentSessionRoutes(app, agents)
  agentLimitRoutes(app, agents)
  workflowRoutes(app, workflows)
  webhookRoutes(app, webhooks)
  queueRoutes(app, queues)
  workRoutes(app, work)
  approvalRoutes(app, approvals, agents)
  policyRoutes(app, policies)
  streamRoutes(app, orchestrator)
}
