import * as Type from 'typebox'
import { ResourceName } from '../../kind.ts'
import { PolicyInput, PolicyRecord } from '../../tools/named-policy.ts'
import { PolicyTest, PolicyTestReply } from '../../tools/policy-test.ts'
import { list, one, operation } from '../operation.ts'

const PolicyName = Type.Object({ name: ResourceName })

export const listPolicies = list('orchestrator.listPolicies', '/policies', {
  identity: 'none',
  summary: 'List named policies',
  item: PolicyRecord,
})

export const getNamedPolicy = one('orchestrator.getNamedPolicy', '/policies/:name', {
  identity: 'none',
  summary: 'Show a named policy',
  params: PolicyName,
  item: PolicyRecord,
})

export const putNamedPolicy = operation('orchestrator.putNamedPolicy', 'PUT /policies/:name', {
  summary: 'Create or replace a named policy',
  guard: 'policy',
  storesPath: true,
  params: PolicyName,
  body: PolicyInput,
  reply: { 200: PolicyRecord, 201: PolicyRecord },
  check: async ({ body }) => (await import('../../policy.ts')).checkPolicyInput(body),
})

export const deleteNamedPolicy = operation('orchestrator.deleteNamedPolicy', 'DELETE /policies/:name', {
  summary: 'Delete a named policy',
  guard: 'policy',
  params: PolicyName,
  reply: { 204: null },
  errors: [404],
})

export const testPolicy = operation('orchestrator.testPolicy', 'POST /policies/test', {
  identity: 'caller',
  summary: 'Test a policy with recorded or written tool calls',
  readOnly: true,
  body: PolicyTest,
  reply: { 200: PolicyTestReply },
  errors: [404, 429],
  check: async ({ body }) => (await import('../../tools/policy-test-faults.ts')).policyTestFaults(body),
})
