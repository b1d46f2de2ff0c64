// Operations on approvals: what waits for a person, and the person's answer.
import Type from 'typebox'
import { Approval, APPROVAL_STATUSES, ApprovalDecision } from '../../approval.ts'
import { Id } from '../parameters.ts'
import { list, operation } from '../operation.ts'

const ApprovalQuery = Type.Object({ status: Type.Optional(Type.Enum([...APPROVAL_STATUSES])) })

export const listApprovals = list({
  id: 'orchestrator.listApprovals',
  summary: 'All approvals, newest first',
  path: '/approvals',
  query: ApprovalQuery,
  item: Approval,
})

export const listAgentApprovals = list({
  id: 'orchestrator.listAgentApprovals',
  summary: 'Approvals of one agent, newest first',
  path: '/agents/:id/approvals',
  params: Id,
  query: ApprovalQuery,
  item: Approval,
  errors: [404],
})

export const getApproval = operation({
  id: 'orchestrator.getApproval',
  summary: 'One approval',
  method: 'GET',
  path: '/approvals/:id',
  params: Id,
  reply: { 200: Approval },
  errors: [404],
})

export const approve = operation({
  id: 'orchestrator.approve',
  summary: 'Approve a tool request that waits',
  method: 'POST',
  path: '/approvals/:id/approve',
  guard: 'approve',
  params: Id,
  body: Type.Optional(ApprovalDecision),
  reply: { 200: Approval },
  errors: [404, 409],
})

export const deny = operation({
  id: 'orchestrator.deny',
  summary: 'Deny a tool request that waits',
  method: 'POST',
  path: '/approvals/:id/deny',
  guard: 'approve',
  params: Id,
  body: Type.Optional(ApprovalDecision),
  reply: { 200: Approval },
  errors: [404, 409],
})
