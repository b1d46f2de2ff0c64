// Operations on named tool policies.
import Type from 'typebox'
import { ResourceName } from '../../kind.ts'
import { PolicyInput, PolicyRecord, checkPolicyInput } from '../../policy.ts'
import { list, operation } from '../operation.ts'

const PolicyName = Type.Object({ name: ResourceName })

export const listPolicies = list({
  id: 'orchestrator.listPolicies',
  summary: 'All named policies',
  path: '/policies',
  item: PolicyRecord,
})

export const getNamedPolicy = operation({
  id: 'orchestrator.getNamedPolicy',
  summary: 'One named policy',
  method: 'GET',
  path: '/policies/:name',
  params: PolicyName,
  reply: { 200: PolicyRecord },
  errors: [404],
})

export const putNamedPolicy = operation({
  id: 'orchestrator.putNamedPolicy',
  summary: 'Create or replace a named policy',
  method: 'PUT',
  path: '/policies/:name',
  guard: 'policy',
  params: PolicyName,
  body: PolicyInput,
  reply: { 200: PolicyRecord, 201: PolicyRecord },
  check: ({ body }) => checkPolicyInput(body),
})

export const deleteNamedPolicy = operation({
  id: 'orchestrator.deleteNamedPolicy',
  summary: 'Delete a named policy',
  method: 'DELETE',
  path: '/policies/:name',
  guard: 'policy',
  params: PolicyName,
  reply: { 204: null },
  errors: [404],
})
