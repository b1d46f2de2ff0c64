// Builds the orchestrator: agents in sessions, their sockets, policies, approvals, workflows and streams.
import { ChangeFeed } from '../../platform/change-feed.ts'
import { write } from '../../platform/database.ts'
import { counter, gauge, type Metric } from '../../platform/metrics.ts'
import { Gate } from '../../platform/async/gate.ts'
import { within } from '../../platform/service/stopping.ts'
import type { World } from '../../platform/service/world.ts'
import { openAudit } from '../../platform/store/audit.ts'
import { AgentsFace } from './agents/agents.ts'
import { AgentCallers } from './agents/callers.ts'
import { Lifecycle } from './agents/lifecycle.ts'
import { launchedSpec } from './agents/launch.ts'
import { reconcileStartup } from './agents/recovery.ts'
import { AgentSecrets } from './agents/secrets.ts'
import { AgentStore, sessionName, type AgentRow } from './agents/store.ts'
import { Supervisor } from './agents/supervise.ts'
import { admits } from './agents/token.ts'
import type { Orchestrator } from './face.ts'
import { WorkInHand } from './in-flight.ts'
import { migrations } from './migrations.ts'
import type { ServiceParts } from './parts.ts'
import { PoliciesFace } from './policies.ts'
import { CLOSE } from './session/connection.ts'
import { ContextClearing } from './session/context.ts'
import { FrameHandler } from './session/frames.ts'
import { settleSent } from './session/prompts.ts'
import { Sessions } from './session/sessions.ts'
import type { settings } from './settings.ts'
import { StreamHub } from './streams.ts'
import { openTables } from './tables.ts'
import { ApprovalBook } from './tools/approvals.ts'
import { TriggerRunner } from './workflows/runner.ts'
import type { TriggerDefinition } from './workflows/triggers/contract.ts'
import { triggers } from './workflows/triggers/index.ts'
import { WorkflowsFace } from './workflows/workflows.ts'

const STOP_WITHIN_MS = 2500
/** The controller's words for members that the API calls otherwise. */
const WORDS = { workflows: { agent: 'agent_id', trigger: 'trigger_config' } }

/** What may be handed in beside the world. */
export interface OrchestratorParts {
  /** The trigger types that run; default all there are. */
  triggers?: readonly TriggerDefinition[]
}

export function openOrchestrator(world: World<typeof settings>, parts: OrchestratorParts | void): Orchestrator {
  const service = serviceParts(world, parts ?? {})
  const approvals = new ApprovalBook(service)
  const lifecycle = new Lifecycle(service, approvals)
  const supervisor = new Supervisor(service, lifecycle)
  const context = new ContextClearing(service, lifecycle, approvals)
  const frames = new FrameHandler(service, { approvals, supervisor, context })
  const runner = new TriggerRunner(service)
  const work = new WorkInHand(service)
  // An agent that dials before it was adopted would say what it is at to a session that does not listen yet.
  const adopted = new Gate()
  lifecycle.onLaunched = (session, agent) => {
    if (!launchedSpec(agent).interactive && !session.connected) supervisor.expectConnection(session)
  }
  return {
    agents: new AgentsFace(service, { approvals, lifecycle, supervisor, context }),
    workflows: new WorkflowsFace(service),
    policies: new PoliciesFace(service),
    approvals,
    work,
    audit: service.audit,
    sockets: {
      admit: async (agentId, token) => {
        await adopted.passed
        return admits(service, agentId, token)
      },
      attach: (agentId, socket) => frames.attach(agentId, socket),
    },
    streams: service.streams,
    callers: new AgentCallers(service),
    changes: (listener) => service.feed.subscribe(listener),
    metrics: metricsOf(service),
    health: async () => ({ agents_active: service.sessions.connected }),
    start: async () => {
      await settleSent(service)
      await reconcileStartup(service, supervisor)
      adopted.open()
      await approvals.resume()
      await runner.start()
      supervisor.start()
    },
    stop: async ({ agents } = { agents: false }) => {
      work.stop()
      adopted.open()
      if (agents) await endSessions(service)
      await stop(service, { supervisor, approvals, runner })
    },
  }
}

function serviceParts(world: World<typeof settings>, parts: OrchestratorParts): ServiceParts {
  const { agents, ...tables } = openTables(world)
  return {
    ...world,
    agents: new AgentStore(world, agents),
    secrets: new AgentSecrets(world.config),
    tables,
    audit: openAudit({ db: world.db, clock: world.clock, prefix: migrations.prefix, words: WORDS }),
    triggers: parts.triggers ?? triggers,
    sessions: new Sessions(),
    streams: new StreamHub(world),
    feed: new ChangeFeed(world.log),
    stopping: false,
    drainingUntil: null,
    created: 0,
    refusedFrames: new Map(),
  }
}

function metricsOf(service: ServiceParts): Metric[] {
  return [
    counter('agents_created_total', 'Agents created', () => service.created),
    gauge('websocket_connections_active', 'Agents with a live connection', () => service.sessions.connected),
    gauge('agents', 'Agents by status', () => service.agents.countByStatus(), 'status'),
    counter(
      'agent_frames_refused_total',
      'Frames of agents that were not taken, by their reason',
      () => Object.fromEntries(service.refusedFrames),
      'reason',
    ),
    gauge('approvals_pending', 'Tool requests that wait for a person', () =>
      service.tables.approvals.count({ status: 'pending' }),
    ),
  ]
}

interface Running {
  supervisor: Supervisor
  approvals: ApprovalBook
  runner: TriggerRunner
}

/** Stops taking work, and lets what has begun come to its end, but not for ever. */
async function stop(service: ServiceParts, { supervisor, approvals, runner }: Running): Promise<void> {
  service.stopping = true
  const supervised = supervisor.stop()
  approvals.stop()
  const sessions = service.sessions.all()
  for (const session of sessions) {
    session.connection.close(CLOSE.goingAway, 'the orchestrator is stopping')
    session.frames.retry()
  }
  const ends = [supervised, runner.stop(), ...sessions.map((session) => session.drained())]
  await within(STOP_WITHIN_MS, service.log, 'agents', Promise.all(ends))
  void supervisor.stop()
}

/** Ends every session on our record, and records it as stopped; what is kept running comes back at the next start. */
async function endSessions(service: ServiceParts): Promise<void> {
  service.stopping = true
  const end = async ({ id, status }: AgentRow) => {
    await service.mux.kill(sessionName(id))
    if (status !== 'running' && status !== 'pending') return
    const ended = { status: 'stopped', last_error: null } as const
    await write(service.db, (transaction) => service.agents.update(transaction, id, ended))
  }
  await Promise.all((await service.agents.list()).map(end))
}
