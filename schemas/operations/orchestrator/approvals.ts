import * as Type from 'typebox'
import { Approval, APPROVAL_STATUSES, ApprovalDecision } from '../../tools/approval.ts'
import { Id } from '../parameters.ts'
import { list, one, operation } from '../operation.ts'

const ApprovalQuery = Type.Object({ status: Type.Optional(Type.Enum([...APPROVAL_STATUSES])) })

export const listApprovals = list('orchestrator.listApprovals', '/approvals', {
  identity: 'none',
  summary: 'List approvals, newest first',
  query: ApprovalQuery,
  item: Approval,
})

export const listAgentApprovals = list('orchestrator.listAgentApprovals', '/agents/:id/approvals', {
  identity: 'none',
  summary: 'List the approvals of an agent, newest first',
  params: Id,
  query: ApprovalQuery,
  item: Approval,
  errors: [404],
})

export const getApproval = one('orchestrator.getApproval', '/approvals/:id', {
  identity: 'none',
  summary: 'Show an approval',
  params: Id,
  item: Approval,
})

const decide = {
  guard: 'approve',
  params: Id,
  body: Type.Optional(ApprovalDecision),
  reply: { 200: Approval },
  errors: [404, 409],
} as const

export const approve = operation('orchestrator.approve', 'POST /approvals/:id/approve', {
  summary: 'Approve a pending tool request',
  ...decide,
})

export const deny = operation('orchestrator.deny', 'POST /approvals/:id/deny', {
  summary: 'Deny a pending tool request',
  ...decide,
})
