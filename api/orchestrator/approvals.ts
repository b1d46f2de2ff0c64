// Routes of approvals: what waits for a person, and the person's answer.
import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/orchestrator/approvals.ts'
import type { Agents, Approvals } from '../../services/orchestrator/face.ts'

export function approvalRoutes(app: FastifyInstance, approvals: Approvals, agents: Agents): void {
  implement(app, operations.listApprovals, ({ query: { status }, page }) => approvals.list({ status }, page))
  implement(app, operations.listAgentApprovals, async ({ params, query: { status }, page }) => {
    await agents.get(params.id)
    return approvals.list({ status, agentId: params.id }, page)
  })
  implement(app, operations.getApproval, ({ params }) => approvals.get(params.id))
  implement(app, operations.approve, ({ params, body = {}, actor }) => approvals.approve(params.id, body, actor))
  implement(app, operations.deny, ({ params, body = {}, actor }) => approvals.deny(params.id, body, actor))
}
