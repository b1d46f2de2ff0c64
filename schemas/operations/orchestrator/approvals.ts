// Operations on approvals: what waits for a person, and the person's answer.
import * as Type from 'typebox'
import { Approval, APPROVAL_STATUSES, ApprovalDecision } from '../../tools/approval.ts'
import { Id } from '../parameters.ts'
import { list, operation } from '../operation.ts'

const ApprovalQuery = Type.Object({ status: Type.Optional(Type.Enum([...APPROVAL_STATUSES])) })

export const listApprovals = list('orchestrator.listApprovals', '/approvals', {
  summary: 'All approvals, newest first',
  query: ApprovalQuery,
  item: Approval,
})

export const listAgentApprovals = list('orchestrator.listAgentApprovals', '/agents/:id/approvals', {
  summary: 'Approvals of one agent, newest first',
  params: Id,
  query: ApprovalQuery,
  item: Approval,
  errors: [404],
})

export const getApproval = operation('orchestrator.getApproval', 'GET /approvals/:id', {
  summary: 'One approval',
  params: Id,
  reply: { 200: Approval },
  errors: [404],
})

export const approve = operation('orchestrator.approve', 'POST /approvals/:id/approve', {
  summary: 'Approve a tool request that waits',
  guard: 'approve',
  params: Id,
  body: Type.Optional(ApprovalDecision),
  reply: { 200: Approval },
  errors: [404, 409],
})

export const deny = operation('orchestrator.deny', 'POST /approvals/:id/deny', {
  summary: 'Deny a tool request that waits',
  guard: 'approve',
  params: Id,
  body: Type.Optional(ApprovalDecision),
  reply: { 200: Approval },
  errors: [404, 409],
})
