import { DirectoryInput, DirectoryReply } from '../../agent/record.ts'
import { ToolPolicy } from '../../tools/policy.ts'
import { Id } from '../parameters.ts'
import { one, operation } from '../operation.ts'

export const getPolicy = one('orchestrator.getPolicy', '/agents/:id/policy', {
  identity: 'none',
  summary: 'Show the tool policy of an agent',
  params: Id,
  item: ToolPolicy,
})

export const setPolicy = operation('orchestrator.setPolicy', 'PUT /agents/:id/policy', {
  summary: 'Set the tool policy of an agent, effective immediately',
  guard: 'policy',
  params: Id,
  body: ToolPolicy,
  reply: { 200: ToolPolicy },
  errors: [404],
  check: async ({ body }) => (await import('../../policy.ts')).checkPolicyInput(body),
})

const changeDirectories = {
  guard: 'agent',
  params: Id,
  body: DirectoryInput,
  reply: { 200: DirectoryReply },
} as const

export const addDirectory = operation('orchestrator.addDirectory', 'POST /agents/:id/dirs', {
  summary: 'Add a directory, effective at the next start',
  ...changeDirectories,
  errors: [404, 422],
  check: async ({ body }) => (await import('../../agent/check.ts')).checkDirectoryInput(body),
})

export const removeDirectory = operation('orchestrator.removeDirectory', 'DELETE /agents/:id/dirs', {
  summary: 'Remove a directory, effective at the next start',
  ...changeDirectories,
  errors: [404],
})
