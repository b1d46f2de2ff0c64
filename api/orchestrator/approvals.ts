import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/orchestrator/approvals.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'

export function approvalRoutes(
  app: FastifyInstance,
  { approvals, agents }: Pick<Orchestrator, 'approvals' | 'agents'>,
): void {
  implement(app, operations.listApprovals, ({ query: { status, agent: agentId }, page, cursor }) =>
    cursor ? approvals.slice({ status, agentId }, cursor) : approvals.list({ status, agentId }, page),
  )
  implement(app, operations.listAgentApprovals, async ({ params, query: { status }, page, cursor }) => {
    await agents.get(params.id)
    const filter = { status, agentId: params.id }
    return cursor ? approvals.slice(filter, cursor) : approvals.list(filter, page)
  })
  implement(app, operations.getApproval, ({ params }) => approvals.get(params.id))
  implement(app, operations.listSimilarApprovals, ({ params, page }) => approvals.similar(params.id, page))
  implement(app, operations.approve, ({ params, body = {}, actor }) => approvals.approve(params.id, body, actor))
  implement(app, operations.deny, ({ params, body = {}, actor }) => approvals.deny(params.id, body, actor))
  implement(app, operations.decideAlike, async ({ body, actor }) => ({
    results: await approvals.decideAlike(body, actor),
  }))
  implement(app, operations.withdraw, ({ params, actor }) => approvals.withdraw(params.id, actor))
}
