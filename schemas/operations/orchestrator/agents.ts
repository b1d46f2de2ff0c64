// Operations on agents: create, change, end.
import Type from 'typebox'
import {
  AGENT_STATUSES,
  AgentInput,
  AgentPatch,
  AgentRecord,
  PatchedAgent,
  checkAgentInput,
  checkAgentPatch,
} from '../../agent.ts'
import { Id } from '../parameters.ts'
import { list, operation } from '../operation.ts'

export const listAgents = list({
  id: 'orchestrator.listAgents',
  summary: 'All agents, newest first',
  path: '/agents',
  query: Type.Object({
    status: Type.Optional(Type.Enum([...AGENT_STATUSES])),
    name: Type.Optional(Type.String()),
  }),
  item: AgentRecord,
})

export const createAgent = operation({
  id: 'orchestrator.createAgent',
  summary: 'Create and launch an agent',
  method: 'POST',
  path: '/agents',
  guard: 'agent',
  body: AgentInput,
  reply: { 201: AgentRecord },
  errors: [422],
  check: ({ body }) => checkAgentInput(body),
})

export const getAgent = operation({
  id: 'orchestrator.getAgent',
  summary: 'One agent',
  method: 'GET',
  path: '/agents/:id',
  params: Id,
  reply: { 200: AgentRecord },
  errors: [404],
})

export const updateAgent = operation({
  id: 'orchestrator.updateAgent',
  summary: 'Change name and config by JSON Merge Patch',
  method: 'PATCH',
  path: '/agents/:id',
  guard: 'agent',
  params: Id,
  body: AgentPatch,
  reply: { 200: PatchedAgent },
  errors: [404, 422],
  check: ({ body }) => checkAgentPatch(body),
})

export const deleteAgent = operation({
  id: 'orchestrator.deleteAgent',
  summary: 'End an agent; its record stays unless purged',
  method: 'DELETE',
  path: '/agents/:id',
  guard: 'agent',
  params: Id,
  query: Type.Object({ purge: Type.Optional(Type.Boolean({ description: 'Remove the record too' })) }),
  reply: { 200: AgentRecord, 204: null },
  errors: [404],
})

export const restartAgent = operation({
  id: 'orchestrator.restartAgent',
  summary: 'A new process under the same id',
  method: 'POST',
  path: '/agents/:id/restart',
  guard: 'agent',
  params: Id,
  reply: { 200: AgentRecord },
  errors: [404, 422],
})
