import * as Type from 'typebox'
import { AgentInput, AgentPatch } from '../../agent/input.ts'
import { AGENT_STATUSES, AgentRecord, PatchedAgent } from '../../agent/record.ts'
import { SandboxTrial } from '../../agent/sandbox-trial.ts'
import { Id } from '../parameters.ts'
import { list, one, operation } from '../operation.ts'

export const listAgents = list('orchestrator.listAgents', '/agents', {
  identity: 'none',
  summary: 'List agents, newest first',
  query: Type.Object({
    status: Type.Optional(Type.Enum([...AGENT_STATUSES])),
    name: Type.Optional(Type.String()),
  }),
  item: AgentRecord,
  cursors: {},
})

export const createAgent = operation('orchestrator.createAgent', 'POST /agents', {
  summary: 'Create and launch an agent',
  guard: 'agent',
  body: AgentInput,
  reply: { 201: AgentRecord },
  errors: [422],
  check: async ({ body }) => (await import('../../agent/check.ts')).checkAgentInput(body),
})

export const getAgent = one('orchestrator.getAgent', '/agents/:id', {
  identity: 'none',
  summary: 'Show an agent',
  params: Id,
  item: AgentRecord,
})

export const updateAgent = operation('orchestrator.updateAgent', 'PATCH /agents/:id', {
  summary: 'Update name and config with a JSON Merge Patch',
  guard: 'agent',
  params: Id,
  body: AgentPatch,
  reply: { 200: PatchedAgent },
  errors: [404, 422],
  check: async ({ body }) => (await import('../../agent/check.ts')).checkAgentPatch(body),
})

export const deleteAgent = operation('orchestrator.deleteAgent', 'DELETE /agents/:id', {
  summary: 'Stop an agent; its record is kept unless purged',
  guard: 'agent',
  params: Id,
  query: Type.Object({ purge: Type.Optional(Type.Boolean({ description: 'Delete the record too' })) }),
  reply: { 200: AgentRecord, 204: null },
  errors: [404],
})

export const restartAgent = operation('orchestrator.restartAgent', 'POST /agents/:id/restart', {
  summary: 'Restart an agent under the same id',
  guard: 'agent',
  params: Id,
  reply: { 200: AgentRecord },
  errors: [404, 422],
})

export const getAgentSandbox = operation('orchestrator.getAgentSandbox', 'GET /agents/:id/sandbox', {
  summary: 'Show the sandbox of an agent, to run a command in it',
  guard: 'agent',
  identity: 'caller',
  params: Id,
  reply: { 200: SandboxTrial },
  errors: [404, 422],
})
