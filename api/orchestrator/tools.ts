// Routes of approvals and named policies.
import type { FastifyInstance } from 'fastify'
import { answer, implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/orchestrator/approvals.ts'
import * as policyOperations from '../../schemas/operations/orchestrator/policies.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'

export function toolRoutes(app: FastifyInstance, { approvals, agents, policies, policyTests }: Orchestrator): void {
  implement(app, operations.listApprovals, ({ query: { status }, page }) => approvals.list({ status }, page))
  implement(app, operations.listAgentApprovals, async ({ params, query: { status }, page }) => {
    await agents.get(params.id)
    return approvals.list({ status, agentId: params.id }, page)
  })
  implement(app, operations.getApproval, ({ params }) => approvals.get(params.id))
  implement(app, operations.approve, ({ params, body = {}, actor }) => approvals.approve(params.id, body, actor))
  implement(app, operations.deny, ({ params, body = {}, actor }) => approvals.deny(params.id, body, actor))
  implement(app, policyOperations.listPolicies, () => policies.list())
  implement(app, policyOperations.getNamedPolicy, ({ params }) => policies.get(params.name))
  implement(app, policyOperations.putNamedPolicy, async ({ params, body, actor }) => {
    const { policy, created } = await policies.put(params.name, body, actor)
    return answer(created ? 201 : 200, policy)
  })
  implement(app, policyOperations.deleteNamedPolicy, ({ params, actor }) => policies.delete(params.name, actor))
  implement(app, policyOperations.testPolicy, ({ body, actor }) => policyTests.run(body, actor))
}
