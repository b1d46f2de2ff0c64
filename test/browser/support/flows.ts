// Workflows that start each other, and queues with dead and pending tasks.
import type { QueueStats } from '../../../schemas/queue.ts'
import type { DispatchRecord, WorkflowRecord } from '../../../schemas/workflow/record.ts'
import type { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const MANIFESTS: Readonly<Record<string, string>> = {
  'agents/clerk': 'name: clerk\nruntime: scripted\nworking_dir: .\n',
  'workflows/nightly-deps': `name: nightly-deps
agent: clerk
source: { type: cron, expression: '30 2 * * 1-5', timezone: Europe/Vienna, catch_up: last }
prompt_template: |
  Update the dependencies of {{title}}.
  Take patch releases only, and report to {{channel}}.
`,
  'workflows/review-deps': `name: review-deps
agent: clerk
source: { type: dispatch_result, source_workflow: nightly-deps, status: completed }
prompt_template: Review {{original_source_id}}
`,
  'workflows/triage': `name: triage
agent: clerk
source: { type: queue, queue_name: mail, poll_interval_secs: 1 }
prompt_template: FAIL no answer to {{title}}
`,
}

/** Adds the manifests of workflows, and waits until their agent is connected. */
export async function addWorkflows(stand: DaemonStand): Promise<void> {
  for (const [path, text] of Object.entries(MANIFESTS)) stand.write(`${path}.yml`, text)
  await eventually(async () => (await workflows(stand)).length === 3 && (await stand.agentNamed('clerk')).connected)
}

const workflows = (stand: DaemonStand) => stand.get<WorkflowRecord[]>(`${stand.orchestrator}/workflows`)

export async function workflowNamed(stand: DaemonStand, name: string): Promise<WorkflowRecord> {
  return (await workflows(stand)).find((workflow) => workflow.name === name)!
}

/** Runs a workflow by hand, and waits for the end of its dispatch. */
export async function runWorkflow(stand: DaemonStand, name: string, title: string): Promise<void> {
  const { id } = await workflowNamed(stand, name)
  const address = `${stand.orchestrator}/workflows/${id}`
  const { body } = await stand.ask<DispatchRecord>('POST', `${address}/trigger`, { title })
  await eventually(async () => {
    const { status } = await stand.get<DispatchRecord>(`${address}/history/${body.id}`)
    return status === 'completed' || status === 'failed'
  })
}

export async function push(stand: DaemonStand, queue: string, task: object): Promise<void> {
  const { status, body } = await stand.ask('POST', `${stand.orchestrator}/queues/${queue}/push`, task)
  if (status !== 201) throw new Error(`push to ${queue}: ${status} ${JSON.stringify(body)}`)
}

export const statsOf = (stand: DaemonStand, queue: string): Promise<QueueStats> =>
  stand.get<QueueStats>(`${stand.orchestrator}/queues/${queue}/stats`)

/** Waits until a task of the queue has failed for the last time. */
export const deadIn = (stand: DaemonStand, queue: string): Promise<boolean> =>
  eventually(async () => (await statsOf(stand, queue)).dead > 0)
