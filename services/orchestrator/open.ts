// Builds the orchestrator: agents in sessions, their sockets, policies, approvals, workflows and streams.
import { ChangeFeed } from '../../platform/async/change-feed.ts'
import { write } from '../../platform/database/database.ts'
import { Forge } from '../../platform/forge/forge.ts'
import { Gate } from '../../platform/async/gate.ts'
import { within } from '../../platform/service/stop-deadline.ts'
import type { World } from '../../platform/service/world.ts'
import { listen } from '../../platform/store/change-log.ts'
import { openAudit } from '../../platform/store/audit.ts'
import { AgentsFace } from './agents/agents.ts'
import { AgentCallers } from './agents/callers.ts'
import { Lifecycle } from './agents/lifecycle.ts'
import { launchedSpec } from './agents/launch.ts'
import { reconcileStartup } from './agents/startup-recovery.ts'
import { AgentSecrets } from './session/agent-secrets.ts'
import { AgentStore, sessionName, type AgentRow } from './record/agent-store.ts'
import { Supervisor } from './agents/supervisor.ts'
import { admits } from './agents/admission.ts'
import { EventBus } from './events/event-bus.ts'
import type { Orchestrator } from './face.ts'
import { History } from './retention.ts'
import { WorkInHand } from './dispatch/in-flight.ts'
import { Draining } from './dispatch/draining.ts'
import { DispatchMetrics } from './events/dispatch-metrics.ts'
import { metricsOf } from './metrics.ts'
import { migrations } from './migrations.ts'
import type { OrchestratorWorld } from './world.ts'
import { PoliciesFace } from './tools/named-policies.ts'
import { CLOSE } from './session/connection.ts'
import { ContextClearing } from './agents/context-clearing.ts'
import { FrameHandler } from './turns/frame-router.ts'
import { settleSent } from './dispatch/prompt-sender.ts'
import { QueuesFace } from './queues/queues.ts'
import { RoomBridge } from './rooms/room-bridge.ts'
import { RefusalCounts } from './session/refusal-counts.ts'
import { Sessions } from './session/sessions.ts'
import type { settings } from './settings.ts'
import { StreamHub } from './events/streams.ts'
import { openTables } from './record/tables.ts'
import { Transcript } from './events/transcript.ts'
import { ApprovalBook } from './tools/approvals.ts'
import { Chains } from './record/chains.ts'
import { Firings } from './record/firings.ts'
import { TriggerRunner } from './workflows/trigger-runner.ts'
import type { TriggerDefinition } from './workflows/triggers/contract.ts'
import { triggers } from './workflows/triggers/index.ts'
import { WorkflowsFace } from './workflows/workflows.ts'

const STOP_WITHIN_MS = 2500
const LIVE_KINDS = ['agents', 'workflows', 'policies'] as const
/** The controller's words for members that the API calls otherwise. */
const WORDS = { workflows: { agent: 'agent_id', trigger: 'trigger_config' } }

/** What may be handed in beside the world. */
export interface OrchestratorParts {
  /** The trigger types that run; default all there are. */
  triggers?: readonly TriggerDefinition[]
}

export function openOrchestrator(world: World<typeof settings>, parts: OrchestratorParts | void): Orchestrator {
  const stopping = new AbortController()
  const service = buildWorld(world, parts ?? {}, stopping.signal)
  const approvals = new ApprovalBook(service)
  const lifecycle = new Lifecycle(service, approvals)
  const supervisor = new Supervisor(service, lifecycle)
  const context = new ContextClearing(service, lifecycle, approvals)
  const frames = new FrameHandler(service, { approvals, supervisor, context })
  const runner = new TriggerRunner(service)
  const queues = new QueuesFace(service)
  const work = new WorkInHand(service)
  const history = new History(service)
  // An agent that dials before it was adopted would say what it is at to a session that does not listen yet.
  const adopted = new Gate()
  lifecycle.onLaunched = (session, agent) => {
    if (!launchedSpec(agent).interactive && !session.connected) supervisor.expectConnection(session)
  }
  const agents = new AgentsFace(service, { approvals, lifecycle, supervisor, context })
  const workflows = new WorkflowsFace(service)
  const rooms = new RoomBridge(service, agents)
  return {
    agents,
    workflows,
    webhooks: runner,
    queues,
    policies: new PoliciesFace(service),
    approvals,
    work,
    audit: service.audit,
    sockets: {
      admit: (agentId, token) => adopted.passed.then(() => admits(service, agentId, token)),
      attach: (agentId, socket) => frames.attach(agentId, socket),
    },
    streams: service.streams,
    callers: new AgentCallers(service),
    named: async (collection) =>
      collection === 'agents' ? agents.list() : collection === 'workflows' ? workflows.list() : [],
    changes: (listener, { kind, since } = {}) =>
      listen(service, listener, { kinds: kind === undefined ? LIVE_KINDS : [kind], since }),
    metrics: metricsOf(service, { queues, workflows, lifecycle }),
    health: async () => ({ agents_active: service.sessions.connected }),
    start: async () => {
      await recover(service, { supervisor, lifecycle, approvals, runner })
      // Before any agent connects: that is an event for some.
      await runner.start()
      adopted.open()
      for (const each of [supervisor, queues, rooms]) each.start()
      service.transcript.start(world.settings.transcriptDays)
      history.start(world.settings.historyDays)
    },
    stop: async ({ agents } = { agents: false }) => {
      work.stop()
      adopted.open()
      stopping.abort()
      if (agents) await endSessions(service)
      await stop(service, { supervisor, approvals, runner, queues, rooms, history })
    },
  }
}

function buildWorld(world: World<typeof settings>, parts: OrchestratorParts, stopping: AbortSignal): OrchestratorWorld {
  const { agents, ...tables } = openTables(world)
  const transcript = new Transcript(world)
  return {
    ...world,
    agents: new AgentStore(world, agents),
    secrets: new AgentSecrets(world.config),
    tables,
    audit: openAudit({
      db: world.db,
      clock: world.clock,
      prefix: migrations.prefix,
      words: WORDS,
      guards: world.guards,
    }),
    forge: new Forge({ url: world.settings.forgeApiUrl, token: forgeToken(world.config.env), clock: world.clock }),
    triggers: parts.triggers ?? triggers,
    chains: new Chains(),
    firings: new Firings(),
    events: new EventBus(world),
    freed: new ChangeFeed(world.log),
    pushes: new ChangeFeed(world.log),
    sessions: new Sessions(),
    streams: new StreamHub(world, transcript),
    transcript,
    feed: new ChangeFeed(world.log),
    stopping,
    draining: new Draining(world),
    figures: new DispatchMetrics(),
    refusals: new RefusalCounts(),
  }
}

function forgeToken(env: World['config']['env']): string | null {
  return env.SVC_FORGE_TOKEN || env.GITHUB_TOKEN || null
}

interface Running {
  supervisor: Supervisor
  approvals: ApprovalBook
  runner: TriggerRunner
  queues: QueuesFace
  rooms: RoomBridge
  history: History
}

/** What an earlier daemon left behind is brought to where work can go on. */
async function recover(
  service: OrchestratorWorld,
  parts: { supervisor: Supervisor; lifecycle: Lifecycle; approvals: ApprovalBook; runner: TriggerRunner },
): Promise<void> {
  await service.firings.load(service)
  await parts.runner.follow()
  await settleSent(service)
  await reconcileStartup(service, parts)
  await parts.approvals.resume()
}

/** Stops taking work, and lets what has begun come to its end, but not for ever. */
async function stop(service: OrchestratorWorld, running: Running): Promise<void> {
  const { supervisor, approvals, runner, queues, rooms, history } = running
  const supervised = supervisor.stop()
  approvals.stop()
  const sessions = service.sessions.all()
  for (const session of sessions) {
    session.connection.close(CLOSE.goingAway, 'the orchestrator is stopping')
    session.frames.retry()
  }
  const stopped = [runner, queues, rooms, history].map((each) => each.stop())
  const ends = [supervised, ...stopped, ...sessions.map((session) => session.drained())]
  await within(STOP_WITHIN_MS, service.log, 'agents', Promise.all(ends))
  await service.transcript.stop()
  void supervisor.stop()
}

/** Ends every session on our record, and records it as stopped; what is kept running comes back at the next start. */
async function endSessions(service: OrchestratorWorld): Promise<void> {
  const end = async ({ id, status }: AgentRow) => {
    await service.mux.kill(sessionName(id))
    if (status !== 'running' && status !== 'pending') return
    const ended = { status: 'stopped', last_error: null } as const
    await write(service.db, (transaction) => service.agents.update(transaction, id, ended))
  }
  await Promise.all((await service.agents.list()).map(end))
}
