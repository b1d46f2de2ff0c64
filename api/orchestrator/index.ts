import type { FastifyInstance } from 'fastify'
import type { Orchestrator } from '../../services/orchestrator/face.ts'
import { agentLimitRoutes, agentRoutes, agentSessionRoutes, type ManagedBy } from './agents.ts'
import { approvalRoutes } from './approvals.ts'
import { policyRoutes } from './policies.ts'
import { roomRoutes } from './rooms.ts'
import { streamRoutes } from './streams.ts'
import { transcriptRoutes } from './transcript.ts'
import { queueRoutes, webhookRoutes, workflowRoutes } from './workflows.ts'

/** Default of `managedBy`: no resource is declared by a manifest. */
export function orchestratorRoutes(
  app: FastifyInstance,
  orchestrator: Orchestrator,
  managedBy: ManagedBy = () => null,
): void {
  agentRoutes(app, orchestrator, managedBy)
  agentSessionRoutes(app, orchestrator)
  transcriptRoutes(app, orchestrator.transcripts)
  agentLimitRoutes(app, orchestrator.agents)
  workflowRoutes(app, orchestrator)
  webhookRoutes(app, orchestrator)
  queueRoutes(app, orchestrator)
  approvalRoutes(app, orchestrator)
  policyRoutes(app, orchestrator)
  roomRoutes(app, orchestrator.rooms)
  streamRoutes(app, orchestrator)
}
