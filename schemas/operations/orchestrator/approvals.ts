import * as Type from 'typebox'
import {
  AlikeDecision,
  AlikeResult,
  Approval,
  APPROVAL_STATUSES,
  ApprovalCounts,
  ApprovalDecision,
  MOST_SIMILAR,
  SimilarDecision,
} from '../../tools/approval.ts'
import { closedObject } from '../../shapes.ts'
import { Id } from '../parameters.ts'
import { list, one, operation } from '../operation.ts'

const ApprovalQuery = Type.Object({ status: Type.Optional(Type.Enum([...APPROVAL_STATUSES])) })

export const listApprovals = list('orchestrator.listApprovals', '/approvals', {
  identity: 'none',
  summary: 'List approvals, newest first',
  query: Type.Object({
    ...ApprovalQuery.properties,
    agent: Type.Optional(Type.String({ format: 'uuid', description: 'Id of an agent' })),
  }),
  item: Approval,
  cursors: { counts: ApprovalCounts },
})

export const listAgentApprovals = list('orchestrator.listAgentApprovals', '/agents/:id/approvals', {
  identity: 'none',
  summary: 'List the approvals of an agent, newest first',
  params: Id,
  query: ApprovalQuery,
  item: Approval,
  cursors: { counts: ApprovalCounts },
  errors: [404],
})

export const getApproval = one('orchestrator.getApproval', '/approvals/:id', {
  identity: 'none',
  summary: 'Show an approval',
  params: Id,
  item: Approval,
})

export const listSimilarApprovals = list('orchestrator.listSimilarApprovals', '/approvals/:id/similar', {
  identity: 'none',
  summary: 'List earlier decisions on an equal tool request',
  params: Id,
  item: SimilarDecision,
  largest: MOST_SIMILAR,
  errors: [404],
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

export const decideAlike = operation('orchestrator.decideAlike', 'POST /approvals/decide', {
  summary: 'Approve or deny several requests for the same call',
  guard: 'approve',
  body: AlikeDecision,
  reply: { 200: closedObject({ results: Type.Array(AlikeResult, { description: 'In the order of `ids`' }) }) },
  errors: [409],
})

export const withdraw = operation('orchestrator.withdraw', 'POST /approvals/:id/withdraw', {
  summary: 'Withdraw a decision before the agent has it',
  guard: 'approve',
  params: Id,
  reply: { 200: Approval },
  errors: [404, 409],
})
