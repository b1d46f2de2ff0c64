import type { FastifyInstance } from 'fastify'
import { answer, implement } from '../../platform/http/implement.ts'
import { canonicalAgent, type AgentRecord } from '../../schemas/agent.ts'
import { MOST_LOG_LINES, USUAL_LOG_LINES } from '../../schemas/agent/message.ts'
import { USAGE_HOURS } from '../../schemas/agent/usage.ts'
import * as limits from '../../schemas/operations/orchestrator/agent-limits.ts'
import * as sessions from '../../schemas/operations/orchestrator/agent-sessions.ts'
import * as operations from '../../schemas/operations/orchestrator/agents.ts'
import type { Agents, Orchestrator } from '../../services/orchestrator/face.ts'

/** Returns the manifest that declares a live resource, or null. */
export type ManagedBy = (kind: string, liveId: string) => { source: string; file: string; line: number } | null

export function agentRoutes(
  app: FastifyInstance,
  { agents, defaultSandbox: sandbox, sandboxTrials }: Pick<Orchestrator, 'agents' | 'defaultSandbox' | 'sandboxTrials'>,
  managedBy: ManagedBy,
): void {
  const shown = <T extends AgentRecord>(agent: T): T => ({ ...agent, managed_by: managedBy('agents', agent.id) })

  implement(app, operations.listAgents, async ({ query: { status, name }, cursor }) => {
    if (!cursor) return (await agents.list({ status, name })).map(shown)
    const slice = await agents.slice({ status, name }, cursor)
    return { ...slice, items: slice.items.map(shown) }
  })
  implement(app, operations.createAgent, async ({ body, actor }) =>
    shown(await agents.create(canonicalAgent(body, { restart: 'never', sandbox }), actor)),
  )
  implement(app, operations.getAgent, async ({ params }) => shown(await agents.get(params.id)))
  implement(app, operations.updateAgent, async ({ params, body, actor }) =>
    shown(await agents.patch(params.id, body, actor)),
  )
  implement(app, operations.deleteAgent, async ({ params, query, actor }) => {
    if (!query.purge) return shown(await agents.terminate(params.id, actor))
    await agents.purge(params.id, actor)
    return answer(204)
  })
  implement(app, operations.getAgentSandbox, ({ params }) => sandboxTrials.of(params.id))
  implement(app, operations.restartAgent, async ({ params, actor }) => shown(await agents.restart(params.id, actor)))
}

export function agentSessionRoutes(
  app: FastifyInstance,
  { agents, usage }: Pick<Orchestrator, 'agents' | 'usage'>,
): void {
  implement(app, sessions.sendMessage, ({ params, body, actor }) => agents.message(params.id, body.content, actor))
  implement(app, sessions.listMessages, ({ params, part }) => agents.messages(params.id, part))
  implement(app, sessions.getMessage, ({ params }) => agents.messageOf(params.id, params.message_id))
  implement(app, sessions.clearContext, ({ params, actor }) => agents.clearContext(params.id, actor))
  implement(app, sessions.interruptAgent, ({ params, actor }) => agents.interrupt(params.id, actor))
  implement(app, sessions.getUsage, ({ params }) => agents.usage(params.id))
  implement(app, sessions.getUsageHistory, ({ query: { hours = USAGE_HOURS.default, agent } }) =>
    usage.history({ hours, agentId: agent }),
  )
  implement(app, sessions.getLogs, async ({ params, query: { lines = USUAL_LOG_LINES } }) => ({
    lines: await agents.logs(params.id, Math.min(Math.max(lines, 1), MOST_LOG_LINES)),
  }))
}

/** Routes of an agent's tool policy and directories. */
export function agentLimitRoutes(app: FastifyInstance, agents: Agents): void {
  implement(app, limits.getPolicy, async ({ params }) => (await agents.get(params.id)).config.tool_policy)
  implement(app, limits.setPolicy, ({ params, body, actor }) => agents.setPolicy(params.id, body, actor))
  implement(app, limits.addDirectory, ({ params, body, actor }) => agents.addDirectory(params.id, body.path, actor))
  implement(app, limits.removeDirectory, ({ params, body, actor }) =>
    agents.removeDirectory(params.id, body.path, actor),
  )
}
