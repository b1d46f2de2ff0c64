// The orchestrator: agents in sessions, their sockets, policies, approvals, workflows and streams.
import { randomUUID } from 'node:crypto'
import { ChangeFeed } from '../../platform/change-feed.ts'
import { migrate, write } from '../../platform/database.ts'
import { AGENT_STATUSES } from '../../schemas/agent.ts'
import { createAgents } from './agents.ts'
import { createApprovals } from './approvals.ts'
import { createAudit } from './audit.ts'
import { CLOSE, disconnect } from './connection.ts'
import { createContext } from './context.ts'
import type { Core, OrchestratorParts } from './core.ts'
import { createDesk } from './desk.ts'
import type { Orchestrator } from './face.ts'
import { tokenMatches } from './launcher.ts'
import { createLifecycle } from './lifecycle.ts'
import { migrations } from './migrations.ts'
import { createPolicies } from './policies.ts'
import { reconcileStartup } from './recovery.ts'
import { isConnected, Seats } from './seats.ts'
import { AGENTS, findAgent, listAgents, sessionName, updateAgent, type AgentRow } from './store.ts'
import { StreamHub } from './streams.ts'
import { createSupervisor } from './supervisor.ts'
import { createTrigger } from './trigger.ts'
import { createWorkflows } from './workflows.ts'

export type * from './face.ts'
export type { OrchestratorParts } from './core.ts'

const STOP_WITHIN_MS = 2500

/** Brings the tables up to date and builds the parts; nothing runs before `start`. */
export async function createOrchestrator(parts: OrchestratorParts): Promise<Orchestrator> {
  await migrate(parts.db, migrations)
  const core: Core = {
    ...parts,
    ids: parts.ids ?? randomUUID,
    seats: new Seats(),
    streams: new StreamHub(parts.clock),
    feed: new ChangeFeed(),
    stopping: false,
    created: 0,
  }
  const approvals = createApprovals(core)
  const lifecycle = createLifecycle(core, approvals)
  const supervisor = createSupervisor(core, lifecycle)
  const context = createContext(core, lifecycle)
  const desk = createDesk(core, { approvals, supervisor, context })
  lifecycle.onLaunched = (seat, agent) => {
    if (!agent.spec.interactive && !isConnected(seat)) supervisor.expectConnection(seat)
  }
  const connected = () => core.seats.all().filter(isConnected).length
  return {
    agents: createAgents(core, { approvals, lifecycle, supervisor, context, desk }),
    workflows: createWorkflows(core, createTrigger(core, desk)),
    policies: createPolicies(core),
    approvals,
    audit: createAudit(core),
    sockets: {
      admit: (agentId, token) => admit(core, agentId, token),
      attach: (agentId, socket) => desk.attach(agentId, socket),
      get connected() {
        return connected()
      },
    },
    streams: core.streams,
    changes: (listener) => core.feed.subscribe(listener),
    figures: async () => ({
      agents_created_total: core.created,
      websocket_connections_active: connected(),
      agents_by_status: await countByStatus(core),
      approvals_pending: await approvals.countPending(),
    }),
    start: async () => {
      await reconcileStartup(core, { lifecycle, supervisor, desk })
      await approvals.resume()
      supervisor.start()
    },
    stop: async () => {
      core.stopping = true
      supervisor.stop()
      approvals.stop()
      for (const seat of core.seats.all()) {
        disconnect(seat, CLOSE.goingAway, 'the orchestrator is stopping')
        seat.stall?.retry()
      }
      await drained(core)
      supervisor.stop()
    },
    endSessions: () => endSessions(core),
  }
}

/** True when `token` is the secret of that agent's current launch. */
async function admit(core: Core, agentId: string, token: string | null): Promise<boolean> {
  if (token === null || core.stopping) return false
  const agent = await findAgent(core, agentId)
  const live = agent?.status === 'running' || agent?.status === 'pending'
  return live && agent.tokenHash !== null && tokenMatches(token, agent.tokenHash)
}

async function countByStatus(core: Core): Promise<Record<string, number>> {
  const rows: { status: string; count: number | string }[] = await core
    .db(AGENTS)
    .groupBy('status')
    .select('status')
    .count({ count: '*' })
  const counts = new Map(rows.map((row) => [row.status, Number(row.count)]))
  return Object.fromEntries(AGENT_STATUSES.map((status) => [status, counts.get(status) ?? 0]))
}

/** Lets what has begun come to its end, but not for ever. */
async function drained(core: Core): Promise<void> {
  const lanes = core.seats.all().flatMap((seat) => [seat.lifecycle.drained(), seat.talk.drained()])
  let patience: { cancel(): void } | undefined
  await Promise.race([
    Promise.all(lanes),
    new Promise<void>((resolve) => (patience = core.clock.after(STOP_WITHIN_MS, resolve))),
  ])
  patience?.cancel()
}

/** Ends every session on our record, and records that they have stopped; what is kept running comes back at the next start. */
async function endSessions(core: Core): Promise<void> {
  core.stopping = true
  const end = async ({ id, status }: AgentRow) => {
    await core.mux.kill(sessionName(id))
    if (status !== 'running' && status !== 'pending') return
    await write(core.db, (transaction) => updateAgent(core, transaction, id, { status: 'stopped', last_error: null }))
  }
  await Promise.all((await listAgents(core)).map(end))
}
