// Routes of approvals: what waits for a person, and the person's answer.
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { listOf, listSchema, pageMembers, type PageQuery } from '../../platform/http/lists.ts'
import { shapesOf } from '../../platform/http/schemas.ts'
import { Approval, APPROVAL_STATUSES, ApprovalDecision } from '../../schemas/approval.ts'
import type { Agents, Approvals } from '../../services/orchestrator/face.ts'
import { Id } from './parameters.ts'

const StatusQuery = Type.Object({ status: Type.Optional(Type.Enum([...APPROVAL_STATUSES])), ...pageMembers })
type StatusQuery = PageQuery & { status?: string }

export function approvalRoutes(app: FastifyInstance, approvals: Approvals, agents: Agents): void {
  const shape = shapesOf(app)
  const approval = shape(Approval)
  const list = { querystring: StatusQuery, response: { 200: listSchema(approval) } }

  app.get<{ Querystring: StatusQuery }>(
    '/approvals',
    { schema: { summary: 'All approvals, newest first', ...list } },
    async ({ query }) => listOf(await approvals.list({ status: query.status }), query),
  )

  app.get<{ Params: Id; Querystring: StatusQuery }>(
    '/agents/:id/approvals',
    { schema: { summary: 'Approvals of one agent, newest first', params: Id, ...list } },
    async ({ params, query }) => {
      await agents.get(params.id)
      return listOf(await approvals.list({ status: query.status, agentId: params.id }), query)
    },
  )

  app.get<{ Params: Id }>(
    '/approvals/:id',
    { schema: { summary: 'One approval', params: Id, response: { 200: approval } } },
    async ({ params }) => approvals.get(params.id),
  )

  for (const verdict of ['approve', 'deny'] as const) {
    app.post<{ Params: Id; Body: ApprovalDecision }>(
      `/approvals/:id/${verdict}`,
      {
        config: { bodyOptional: true },
        schema: {
          summary: `${verdict === 'approve' ? 'Approve' : 'Deny'} a tool request that waits`,
          params: Id,
          body: shape(ApprovalDecision),
          response: { 200: approval },
        },
      },
      async ({ params, body, actor }) => approvals[verdict](params.id, body, actor),
    )
  }
}
