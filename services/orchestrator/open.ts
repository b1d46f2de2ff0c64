import pLimit from 'p-limit'
import { ChangeFeed } from '../../platform/async/change-feed.ts'
import { RateLimit } from '../../platform/core/rate-limit.ts'
import { write } from '../../platform/database/database.ts'
import { SandboxProbes } from '../../platform/sandbox/probe.ts'
import { Forge } from '../../platform/forge/forge.ts'
import { forgeToken } from '../../platform/forge/token.ts'
import { within } from '../../platform/service/stop-deadline.ts'
import type { World } from '../../platform/service/world.ts'
import { listen } from '../../platform/store/change-log.ts'
import type { SandboxSpec } from '../../schemas/sandbox/sandbox.ts'
import { Audit } from '../../platform/store/audit.ts'
import { AgentsFace } from './agents/agents.ts'
import { AgentCallers } from './agents/callers.ts'
import { Launcher } from './agents/launch.ts'
import { Lifecycle } from './agents/lifecycle.ts'
import { StartupRecovery } from './agents/startup-recovery.ts'
import { AgentSecrets } from './session/agent-secrets.ts'
import { AgentStore, sessionName, type AgentRow } from './record/agent-store.ts'
import { Supervisor } from './agents/supervisor.ts'
import { admitAgent } from './agents/admission.ts'
import { DispatchRecorder } from './events/dispatch-recorder.ts'
import { EventBus } from './events/event-bus.ts'
import type { LiveChange, Orchestrator } from './face.ts'
import { Retention } from './retention.ts'
import { InFlightWork } from './dispatch/in-flight.ts'
import { Draining } from './dispatch/draining.ts'
import { metricsOf } from './metrics.ts'
import { liveFace } from './live-topics.ts'
import { migrations } from './migrations.ts'
import { PoliciesFace } from './tools/named-policies.ts'
import { PolicyTests } from './tools/policy-tests.ts'
import { IssueLocks } from './tools/issue-locks.ts'
import { RecordedCalls } from './tools/recorded-calls.ts'
import { writersOf } from './tools/manifest-writers.ts'
import { ToolRequests } from './tools/tool-requests.ts'
import { Announcer } from './session/announcer.ts'
import { AgentSocketServer } from './session/agent-sockets.ts'
import { CLOSE } from './session/connection.ts'
import { ContextClearing } from './agents/context-clearing.ts'
import { FrameRouter } from './turns/frame-router.ts'
import { Results } from './turns/results.ts'
import { SandboxReports } from './turns/sandbox-reports.ts'
import { Sandboxes, type Probe } from './agents/sandbox/sandboxes.ts'
import { AgentSandboxTrials } from './agents/sandbox/trials.ts'
import { PromptSender } from './dispatch/prompt-sender.ts'
import { QueueConsumers } from './queues/queue-consumers.ts'
import { QueuesFace } from './queues/queues.ts'
import { RoomBridge } from './rooms/room-bridge.ts'
import { RefusedFrames } from './session/refused-frames.ts'
import { Sessions } from './session/sessions.ts'
import { settings } from './settings.ts'
import { StreamHub } from './events/streams.ts'
import { TranscriptPages } from './transcript/pages.ts'
import { TranscriptRecorder } from './transcript/recorder.ts'
import { openTables } from './record/tables.ts'
import { usageHistory } from './record/usage-history.ts'
import { StoredFrames } from './events/stored-frames.ts'
import { ApprovalBook } from './tools/approvals.ts'
import { Chains } from './record/chains.ts'
import { FiringLog } from './record/firing-log.ts'
import { Firings } from './record/firings.ts'
import type { RecordWorld } from './record/world.ts'
import { TaskAcceptance } from './workflows/task-acceptance.ts'
import { TriggerRunner } from './workflows/trigger-runner.ts'
import type { Declared } from './tools/request-facts.ts'
import type { TriggerDefinition } from './workflows/triggers/contract.ts'
import { triggers } from './workflows/triggers/index.ts'
import { WorkflowsFace } from './workflows/workflows.ts'

const STOP_WITHIN_MS = 2500
const LIVE_KINDS = ['agents', 'workflows', 'policies'] as const
/** The controller's names of fields that the API names differently. */
const WORDS = { workflows: { agent: 'agent_id', trigger: 'trigger_config' } }

export interface OrchestratorParts {
  /** Default: all trigger types. */
  triggers?: readonly TriggerDefinition[]
  /** Replaces the probe of sandboxes in tests. */
  probe?: Probe
  /** Of agents whose creation names none; default auto. */
  defaultSandbox?: SandboxSpec
  /** Default: no manifest declares a resource. */
  declared?: Declared
}

type OrchestratorWorld = World<typeof settings>

export function openOrchestrator(world: OrchestratorWorld, parts: OrchestratorParts | void): Orchestrator {
  const { defaultSandbox = 'auto', probe = probeOf(world), triggers: types = triggers } = parts ?? {}
  const { declared = () => null } = parts ?? {}
  const stopping = new AbortController()
  const record = openRecord(world)
  const base = openBase(world, record, stopping.signal)
  const agents = openAgents(record, base, { defaultSandbox, probe, declared })
  const work = openWork(record, base, types)
  const [rooms, retention] = [new RoomBridge(record, base, agents.face), new Retention(record, work.firingLog)]
  const { feed, sessions, streams, stored } = base
  // An agent that connects before its adoption would report to a session that is not listening.
  let markAdopted = () => {}
  const adopted = new Promise<void>((resolve) => (markAdopted = resolve))
  return {
    defaultSandbox,
    agents: agents.face,
    ...work.faces,
    ...agents.recordFaces,
    ...liveFace({ ...base, ...agents.recordFaces, agents: agents.face, workflows: work.workflows }),
    usage: { history: (asked) => usageHistory(record, asked) },
    sandboxTrials: agents.sandboxTrials,
    approvals: agents.approvals,
    rooms,
    audit: record.audit,
    sockets: {
      admit: (agentId, token) => adopted.then(() => admitAgent(record.agents, base, agentId, token)),
      attach: (agentId, socket) => agents.frames.attach(agentId, socket),
    },
    streams,
    callers: new AgentCallers(record.agents, world),
    maskerOf: maskerOf(record, base),
    writersOf: (files) => writersOf(files, record, world),
    named: namedIn(agents.face, work.workflows),
    changes: (listener, { kind, since } = {}) =>
      listen({ ...record, feed }, listener, { kinds: kind === undefined ? LIVE_KINDS : [kind], since }),
    metrics: metricsOf(record, { ...base, ...agents, ...work }),
    health: async () => ({ agents_active: sessions.connected }),
    start: async () => {
      await Promise.all([work.firings.load(), base.transcript.start()])
      await work.runner.follow()
      await base.prompts.settleSent()
      await new StartupRecovery(record, { ...base, ...agents }).run()
      await agents.approvals.resume()
      // Triggers must listen before agents can connect.
      await work.runner.start()
      markAdopted()
      for (const each of [agents.supervisor, work.queues, rooms]) each.start()
      stored.start(world.settings.transcriptDays)
      retention.start(world.settings.historyDays)
    },
    stop: async (options = { agents: false }) => {
      work.inFlight.stop()
      markAdopted()
      stopping.abort()
      if (options.agents) await endSessions(record, base)
      await stopAll(base, agents, [work.runner, work.queues, rooms, retention])
      await work.firingLog.flush()
    },
  }
}

const namedIn =
  (agents: Orchestrator['agents'], workflows: Orchestrator['workflows']): Orchestrator['named'] =>
  async (collection) =>
    collection === 'agents' ? agents.list() : collection === 'workflows' ? workflows.list() : []

const maskerOf =
  ({ agents }: Pick<RecordWorld, 'agents'>, { secrets }: Pick<Base, 'secrets'>): Orchestrator['maskerOf'] =>
  async (agentId) => {
    const agent = await agents.find(agentId)
    return agent && secrets.maskerOf(agent)
  }

function openRecord(world: OrchestratorWorld): RecordWorld {
  const { db, clock, log, guards } = world
  const { agents, ...tables } = openTables(world)
  const audit = new Audit({ db, clock, prefix: migrations.prefix, words: WORDS, guards })
  return { db, clock, log, ids: () => world.ids(), tables, agents: new AgentStore(world, agents), audit }
}

function openBase(world: OrchestratorWorld, record: RecordWorld, stopping: AbortSignal) {
  const stored = new StoredFrames(world)
  const streams = new StreamHub(world, stored)
  const events = new EventBus(world)
  const feed = new ChangeFeed<LiveChange>(world.log)
  const chains = new Chains()
  const dispatches = new DispatchRecorder(record, { chains, streams, events })
  const sessions = new Sessions({ ...world, stopping })
  const announcer = new Announcer({ feed, streams, events }, sessions)
  const draining = new Draining({ ...world, stopping })
  const transcript = new TranscriptRecorder(record, { ...world, sessions, streams })
  const sending = { sessions, announcer, dispatches, streams, draining, transcript }
  const prompts = new PromptSender(record, { ...world, ...sending })
  const secrets = new AgentSecrets(world.config)
  const freed = new ChangeFeed<string>(world.log)
  const own = { ...sending, stored, events, feed, chains, prompts }
  return { ...world, ...own, secrets, freed, stopping }
}

type Base = ReturnType<typeof openBase>

function openAgents(
  record: RecordWorld,
  base: Base,
  { defaultSandbox, probe, declared }: Required<Omit<OrchestratorParts, 'triggers'>>,
) {
  const locks = new IssueLocks(base)
  const approvals = new ApprovalBook(record, { ...base, judging: base, locks })
  const sandboxes = new Sandboxes({ ...base, probe })
  const launcher = new Launcher({ ...base, sandboxes }, base.streams)
  const sandboxTrials = new AgentSandboxTrials(record, { ...base, sandboxes })
  const lifecycle = new Lifecycle(record, { ...base, approvals, launcher })
  const supervisor = new Supervisor(record, { ...base, lifecycle })
  const context = new ContextClearing(record, { ...base, lifecycle, approvals })
  const face = new AgentsFace(record, { ...base, approvals, lifecycle, supervisor, context, defaultSandbox })
  const refusals = new RefusedFrames(record, base.announcer)
  const sockets = new AgentSocketServer(record, { ...base, refusals })
  const calls = new RecordedCalls(record)
  const policies = new PoliciesFace(record, base.feed)
  const tools = new ToolRequests(record, base, { approvals, calls, locks, policies, declared, vault: base.vault })
  const policyTests = new PolicyTests(record, { judging: base, calls, policies })
  const recordFaces = { policies, policyTests, transcripts: new TranscriptPages(record, base.transcript) }
  const results = new Results(record, base.dispatches, base.announcer)
  const reports = new SandboxReports(record, base)
  const frames = new FrameRouter(record, { ...base, sockets, tools, results, supervisor, context, reports })
  const faces = { face, recordFaces, sandboxTrials }
  return { ...faces, approvals, calls, launcher, lifecycle, supervisor, refusals, frames, reports }
}

type Agents = ReturnType<typeof openAgents>

function openWork(record: RecordWorld, base: Base, types: readonly TriggerDefinition[]) {
  const firingLog = new FiringLog(record)
  const firings = new Firings(record, firingLog)
  const pushes = new ChangeFeed<string>(base.log)
  const parts = { ...base, firings, firingLog, triggers: types }
  const consumers = new QueueConsumers(record, { pushes, freed: base.freed }, parts)
  const acceptance = new TaskAcceptance(record, parts)
  const token = forgeToken(base.config.env)
  const forge = new Forge({ url: base.settings.forgeApiUrl, token, clock: base.clock })
  const { openWebhooks } = base.config
  const sources = { events: base.events, forge, queues: consumers, openWebhooks }
  const runner = new TriggerRunner(record, { ...parts, acceptance }, sources)
  const inFlight = new InFlightWork(record, base)
  const { variable } = settings.pushesPerSec
  const rate = new RateLimit({ ...base, perSec: base.settings.pushesPerSec, what: 'queue tasks', variable })
  const queues = new QueuesFace(record, pushes, { rate, config: base.config })
  const workflows = new WorkflowsFace(record, parts)
  const faces = { workflows, queues, webhooks: runner, work: inFlight }
  return { firings, firingLog, runner, inFlight, queues, workflows, faces }
}

async function stopAll(base: Base, agents: Agents, running: { stop(): Promise<void> }[]): Promise<void> {
  const { log, sessions, stored, transcript } = base
  const supervised = agents.supervisor.stop()
  agents.approvals.stop()
  for (const session of sessions.all()) {
    session.connection.close(CLOSE.goingAway, 'the orchestrator is stopping')
    session.frames.retry()
  }
  const stopped = running.map((each) => each.stop())
  const ends = [supervised, ...stopped, ...sessions.all().map((session) => session.drained())]
  await within(STOP_WITHIN_MS, log, 'agents', Promise.all(ends))
  await Promise.all([stored.stop(), transcript.stop(), agents.calls.flush()])
  void agents.supervisor.stop()
}

/** Ending a session spawns a process. */
const ENDED_AT_ONCE = 8

/** The next start restarts agents that are kept running. */
async function endSessions({ agents, db }: RecordWorld, { mux }: Pick<World, 'mux'>): Promise<void> {
  const end = async ({ id, status }: AgentRow) => {
    await mux.kill(sessionName(id))
    if (status !== 'running' && status !== 'pending') return
    const ended = { status: 'stopped', last_error: null } as const
    await write(db, (transaction) => agents.update(transaction, id, ended))
  }
  await pLimit(ENDED_AT_ONCE).map(await agents.list(), end)
}

function probeOf({ clock, config }: Pick<World, 'clock' | 'config'>): Probe {
  const probes = new SandboxProbes(clock)
  return (user) => probes.get({ prefix: user?.prefix ?? [], env: config.env })
}
