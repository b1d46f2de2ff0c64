// Routes of agents: create, change, end, talk to.
import { isAbsolute } from 'node:path'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { listOf, listSchema, pageMembers, type PageQuery } from '../../platform/http/lists.ts'
import { shapesOf } from '../../platform/http/schemas.ts'
import { invalid } from '../../platform/problem.ts'
import {
  AGENT_STATUSES,
  AgentInput,
  AgentPatch,
  AgentRecord,
  canonicalAgent,
  DirectoryInput,
  DirectoryReply,
  MessageInput,
  MessageReply,
  PatchedAgent,
} from '../../schemas/agent.ts'
import { ToolPolicy } from '../../schemas/tool-policy.ts'
import { AgentUsage, ContextCleared } from '../../schemas/usage.ts'
import type { Agents } from '../../services/orchestrator/face.ts'
import { checkDirectories, checkPolicy, Id, notAbsolute } from './parameters.ts'

/** The manifest that declares a live resource, or null. */
export type ManagedBy = (kind: string, liveId: string) => { source: string; file: string; line: number } | null

const StatusQuery = Type.Object({
  status: Type.Optional(Type.Enum([...AGENT_STATUSES])),
  name: Type.Optional(Type.String()),
  ...pageMembers,
})
const PurgeQuery = Type.Object({ purge: Type.Optional(Type.Boolean({ description: 'Remove the record too' })) })
const MOST_LOG_LINES = 10_000
const LogsQuery = Type.Object({
  lines: Type.Optional(Type.Integer({ description: `Default 200, clamped to 1 to ${MOST_LOG_LINES}` })),
})

/** An agent object as it is answered: with the manifest that manages it. */
function showing(managedBy: ManagedBy): <T extends AgentRecord>(agent: T) => T {
  return (agent) => ({ ...agent, managed_by: managedBy('agents', agent.id) })
}

export function agentRoutes(app: FastifyInstance, agents: Agents, managedBy: ManagedBy): void {
  const shape = shapesOf(app)
  const shown = showing(managedBy)
  const agent = shape(AgentRecord)

  app.get<{ Querystring: PageQuery & { status?: string; name?: string } }>(
    '/agents',
    { schema: { summary: 'All agents, newest first', querystring: StatusQuery, response: { 200: listSchema(agent) } } },
    async ({ query }) => {
      return listOf((await agents.list({ status: query.status, name: query.name })).map(shown), query)
    },
  )

  app.post<{ Body: AgentInput }>(
    '/agents',
    { schema: { summary: 'Create and launch an agent', body: shape(AgentInput), response: { 201: agent } } },
    async ({ body, actor }, reply) => {
      checkDirectories(body)
      checkPolicy(body.tool_policy, ['tool_policy'])
      return reply.code(201).send(shown(await agents.create(canonicalAgent(body, { restart: 'never' }), actor)))
    },
  )

  app.get<{ Params: Id }>(
    '/agents/:id',
    { schema: { summary: 'One agent', params: Id, response: { 200: agent } } },
    async ({ params }) => shown(await agents.get(params.id)),
  )
}

/** Changes of an agent that exists: its config, its end, a new start. */
export function agentChangeRoutes(app: FastifyInstance, agents: Agents, managedBy: ManagedBy): void {
  const shape = shapesOf(app)
  const shown = showing(managedBy)
  const agent = shape(AgentRecord)

  app.patch<{ Params: Id; Body: AgentPatch }>(
    '/agents/:id',
    {
      schema: {
        summary: 'Change name and config by JSON Merge Patch',
        params: Id,
        body: shape(AgentPatch),
        response: { 200: shape(PatchedAgent) },
      },
    },
    async ({ params, body, actor }) => {
      for (const [members, at] of [
        [body, []],
        [body.config ?? {}, ['config']],
      ] as const) {
        checkDirectories(members, [...at])
        checkPolicy(members.tool_policy, [...at, 'tool_policy'])
      }
      return shown(await agents.patch(params.id, body, actor))
    },
  )

  app.delete<{ Params: Id; Querystring: { purge?: boolean } }>(
    '/agents/:id',
    {
      schema: {
        summary: 'End an agent; its record stays unless purged',
        params: Id,
        querystring: PurgeQuery,
        response: { 200: agent, 204: { type: 'null', description: 'Purged' } },
      },
    },
    async ({ params, query, actor }, reply) => {
      if (!query.purge) return shown(await agents.terminate(params.id, actor))
      await agents.purge(params.id, actor)
      return reply.code(204).send()
    },
  )

  app.post<{ Params: Id }>(
    '/agents/:id/restart',
    { schema: { summary: 'A new process under the same id', params: Id, response: { 200: agent } } },
    async ({ params, actor }) => shown(await agents.restart(params.id, actor)),
  )
}

/** What is said to an agent that runs, and asked of it. */
export function agentSessionRoutes(app: FastifyInstance, agents: Agents): void {
  const shape = shapesOf(app)

  app.post<{ Params: Id; Body: { content: string } }>(
    '/agents/:id/message',
    {
      schema: {
        summary: 'Send a prompt; a busy agent gets it in turn',
        params: Id,
        body: shape(MessageInput),
        response: { 200: shape(MessageReply) },
      },
    },
    async ({ params, body, actor }) => agents.message(params.id, body.content, actor),
  )

  app.post<{ Params: Id }>(
    '/agents/:id/clear-context',
    { schema: { summary: 'Begin a new conversation', params: Id, response: { 200: shape(ContextCleared) } } },
    async ({ params, actor }) => agents.clearContext(params.id, actor),
  )

  app.post<{ Params: Id }>(
    '/agents/:id/interrupt',
    {
      schema: {
        summary: 'Stop the turn in hand',
        params: Id,
        response: { 202: { type: 'null', description: 'Asked to stop' } },
      },
    },
    async ({ params, actor }, reply) => {
      await agents.interrupt(params.id, actor)
      return reply.code(202).send()
    },
  )

  app.get<{ Params: Id }>(
    '/agents/:id/usage',
    { schema: { summary: 'Tokens, cost and turns', params: Id, response: { 200: shape(AgentUsage) } } },
    async ({ params }) => agents.usage(params.id),
  )

  app.get<{ Params: Id; Querystring: { lines?: number } }>(
    '/agents/:id/logs',
    {
      schema: {
        summary: 'The end of what its terminal shows',
        params: Id,
        querystring: LogsQuery,
        response: { 200: Type.Object({ lines: Type.String() }) },
      },
    },
    async ({ params, query }) => ({
      lines: await agents.logs(params.id, Math.min(Math.max(query.lines ?? 200, 1), MOST_LOG_LINES)),
    }),
  )
}

/** What an agent may use: its tool policy and its directories. */
export function agentLimitRoutes(app: FastifyInstance, agents: Agents): void {
  const shape = shapesOf(app)
  const directories = shape(DirectoryReply)

  app.get<{ Params: Id }>(
    '/agents/:id/policy',
    { schema: { summary: 'Its tool policy', params: Id, response: { 200: ToolPolicy } } },
    async ({ params }) => (await agents.get(params.id)).config.tool_policy,
  )

  app.put<{ Params: Id; Body: ToolPolicy }>(
    '/agents/:id/policy',
    {
      schema: { summary: 'Set its tool policy, at once', params: Id, body: ToolPolicy, response: { 200: ToolPolicy } },
    },
    async ({ params, body, actor }) => {
      checkPolicy(body)
      return agents.setPolicy(params.id, body, actor)
    },
  )

  app.post<{ Params: Id; Body: { path: string } }>(
    '/agents/:id/dirs',
    {
      schema: {
        summary: 'Add a directory, from the next start on',
        params: Id,
        body: shape(DirectoryInput),
        response: { 200: directories },
      },
    },
    async ({ params, body, actor }) => {
      if (!isAbsolute(body.path))
        throw invalid(`path ${notAbsolute(body.path)}`, [{ path: 'path', message: notAbsolute(body.path) }])
      return agents.addDirectory(params.id, body.path, actor)
    },
  )

  app.delete<{ Params: Id; Body: { path: string } }>(
    '/agents/:id/dirs',
    {
      schema: {
        summary: 'Remove a directory, from the next start on',
        params: Id,
        body: shape(DirectoryInput),
        response: { 200: directories },
      },
    },
    async ({ params, body, actor }) => agents.removeDirectory(params.id, body.path, actor),
  )
}
