// What an agent may use: its tool policy and its directories.
import { DirectoryInput, DirectoryReply, checkDirectoryInput } from '../../agent.ts'
import { ToolPolicy } from '../../tools/policy.ts'
import { Id } from '../parameters.ts'
import { operation } from '../operation.ts'
import { checkPolicyInput } from '../../policy.ts'

export const getPolicy = operation({
  id: 'orchestrator.getPolicy',
  summary: 'Its tool policy',
  method: 'GET',
  path: '/agents/:id/policy',
  params: Id,
  reply: { 200: ToolPolicy },
  errors: [404],
})

export const setPolicy = operation({
  id: 'orchestrator.setPolicy',
  summary: 'Set its tool policy, at once',
  method: 'PUT',
  path: '/agents/:id/policy',
  guard: 'policy',
  params: Id,
  body: ToolPolicy,
  reply: { 200: ToolPolicy },
  errors: [404],
  check: ({ body }) => checkPolicyInput(body),
})

export const addDirectory = operation({
  id: 'orchestrator.addDirectory',
  summary: 'Add a directory, from the next start on',
  method: 'POST',
  path: '/agents/:id/dirs',
  guard: 'agent',
  params: Id,
  body: DirectoryInput,
  reply: { 200: DirectoryReply },
  errors: [404, 422],
  check: ({ body }) => checkDirectoryInput(body),
})

export const removeDirectory = operation({
  id: 'orchestrator.removeDirectory',
  summary: 'Remove a directory, from the next start on',
  method: 'DELETE',
  path: '/agents/:id/dirs',
  guard: 'agent',
  params: Id,
  body: DirectoryInput,
  reply: { 200: DirectoryReply },
  errors: [404],
})
