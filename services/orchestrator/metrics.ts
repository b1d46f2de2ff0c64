import { eachOf, inPieces } from '../../platform/async/time-slices.ts'
import { oneAtOnce } from '../../platform/async/single-flight.ts'
import { counter, gauge, type Metric, type Sample } from '../../platform/metrics/metrics.ts'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import type { Lifecycle } from './agents/lifecycle.ts'
import type { Queues, Workflows } from './face.ts'
import type { DispatchRecorder } from './events/dispatch-recorder.ts'
import type { Firings } from './record/firings.ts'
import { OLDEST_FIRST } from './record/tables.ts'
import type { RecordWorld } from './record/world.ts'
import type { RefusedFrames } from './session/refused-frames.ts'
import type { Sessions } from './session/sessions.ts'
import type { TranscriptRecorder } from './transcript/recorder.ts'
import type { SandboxReports } from './turns/sandbox-reports.ts'

interface Measured {
  sessions: Sessions
  refusals: RefusedFrames
  reports: SandboxReports
  lifecycle: Lifecycle
  dispatches: DispatchRecorder
  firings: Firings
  queues: Queues
  workflows: Workflows
  transcript: TranscriptRecorder
}

export function metricsOf(record: RecordWorld, parts: Measured): Metric[] {
  return [
    ...agentMetrics(record, parts),
    ...transcriptMetrics(parts.transcript),
    ...dispatchMetrics(record, parts.dispatches),
    ...queueMetrics(parts.queues),
    ...triggerMetrics(parts.firings, parts.workflows),
  ]
}

function agentMetrics(
  { agents, tables }: RecordWorld,
  { lifecycle, refusals, reports, sessions }: Pick<Measured, 'lifecycle' | 'refusals' | 'reports' | 'sessions'>,
): Metric[] {
  return [
    counter('agents_created_total', 'Agents created', () => lifecycle.created),
    gauge('websocket_connections_active', 'Agents with a live connection', () => sessions.connected),
    gauge('agents', 'Agents by status', () => agents.countByStatus(), 'status'),
    counter('agent_frames_refused_total', 'Refused agent frames by reason', () => refusals.byReason, 'reason'),
    counter('agent_characters_replaced_total', 'Characters of frames that became U+FFFD', () => refusals.replaced),
    counter('agent_sandbox_refused_total', 'What sandboxes refused or reported, by kind', () => reports.byKind, 'kind'),
    gauge('agents_sandboxed', 'Running agents in a sandbox', () => agents.countSandboxed()),
    gauge('approvals_pending', 'Pending tool approvals', () => tables.approvals.count({ status: 'pending' })),
  ]
}

function transcriptMetrics(transcript: TranscriptRecorder): Metric[] {
  const frames = 'Agent frames without an entry in the transcript, by type'
  return [
    counter('agent_frames_without_entry_total', frames, () => transcript.withoutEntry, 'type'),
    counter('transcript_entries_lost_total', 'Transcript entries that could not be stored', () => transcript.lost),
  ]
}

function dispatchMetrics({ clock, tables }: RecordWorld, { metrics }: DispatchRecorder): Metric[] {
  const oldest = async () => {
    const first = await tables.dispatches.find({ status: 'pending' }, undefined, { order: OLDEST_FIRST })
    return first === null ? 0 : (clock.now() - Date.parse(first.created_at)) / 1000
  }
  return [
    gauge('dispatches_waiting', 'Pending dispatches', () => tables.dispatches.count({ status: 'pending' })),
    gauge('dispatch_oldest_waiting_seconds', 'Age of the oldest pending dispatch', oldest),
    ...metrics,
  ]
}

function queueMetrics(queues: Queues): Metric[] {
  const listed = oneAtOnce(() => queues.list())
  const each = (figure: 'pending' | 'processing' | 'dead' | 'oldest_pending_secs') => async () =>
    samplesOf(await listed(), ({ queue_name, [figure]: value }) => ({ labels: { queue: queue_name }, value }))
  return [
    gauge('queue_tasks_pending', 'Pending tasks by queue', each('pending'), 'queue'),
    gauge('queue_tasks_processing', 'Tasks in progress by queue', each('processing'), 'queue'),
    gauge('queue_tasks_dead', 'Dead tasks by queue', each('dead'), 'queue'),
    gauge(
      'queue_oldest_pending_seconds',
      'Age of the oldest pending task by queue',
      each('oldest_pending_secs'),
      'queue',
    ),
  ]
}

function triggerMetrics(firings: Firings, workflows: Workflows): Metric[] {
  const listed = oneAtOnce(() => workflows.list())
  const each = (valueOf: (workflow: WorkflowRecord) => number | null) => async () =>
    samplesOf(await listed(), (workflow) => {
      const value = workflow.enabled ? valueOf(workflow) : null
      return value === null ? null : { labels: { workflow: workflow.name }, value }
    })
  const time = (member: 'next_fire_at' | 'last_fired_at') =>
    each(({ [member]: at }) => (at === null ? null : Date.parse(at) / 1000))
  const failing = each(({ last_error }) => (last_error === null ? 0 : 1))
  const next = 'Next firing of a workflow trigger with a schedule, in seconds since 1970'
  const last = 'Last firing of a workflow trigger, in seconds since 1970'
  return [
    gauge('triggers_failing', 'Workflows with a failing trigger', () => firings.failing),
    gauge('trigger_next_fire_timestamp_seconds', next, time('next_fire_at'), 'workflow'),
    gauge('trigger_last_fire_timestamp_seconds', last, time('last_fired_at'), 'workflow'),
    gauge('trigger_failing', 'Whether the trigger of a workflow is failing (1) or not (0)', failing, 'workflow'),
  ]
}

async function samplesOf<T>(items: readonly T[], sampleOf: (item: T) => Sample | null): Promise<Sample[]> {
  const samples: Sample[] = []
  const add = (item: T) => {
    const sample = sampleOf(item)
    if (sample) samples.push(sample)
  }
  await inPieces(eachOf(items, add))
  return samples
}
