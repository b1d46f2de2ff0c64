// Taking tasks on: they are on record with the cursor of their trigger before anything is done about them, and wait in
// the agent's queue until their turn comes, whichever daemon runs then.
import { ownActor } from '../../../platform/core/actor.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { invalid, unavailable } from '../../../platform/core/problem.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import type { WorkflowsWorld } from './world.ts'
import { now } from '../record/world.ts'
import { wake } from '../dispatch/prompt-sender.ts'
import type { DispatchRow, WorkflowRow } from '../record/tables.ts'
import { takeEnd } from '../record/chains.ts'
import { announceDispatch } from '../events/dispatch-announcements.ts'
import { LONGEST_CHAIN, skippedDispatch } from '../record/dispatch-store.ts'
import { leaveOutSeen } from './trigger-progress.ts'
import { dispatchOf, recordTasks } from '../dispatch/task-records.ts'
import type { Progress } from './triggers/contract.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'

const TOO_DEEP =
  `the chain of dispatches is ${LONGEST_CHAIN} tasks long, as it is where workflows fire on one another without end: ` +
  'give its dispatch_result triggers a source_workflow_id'

interface Taken {
  workflow: WorkflowRow
  dispatches: DispatchRow[]
  committed: (() => void)[]
}

/** See `TriggerWorld.accept`. Throws 404 for an unknown workflow, 400 for a disabled one. */
export async function acceptTasks(
  service: WorkflowsWorld,
  workflowId: string,
  tasks: readonly TriggeredTask[],
  progress: Progress = {},
): Promise<DispatchRecord[]> {
  const { workflow, dispatches, committed } = await write(service.db, (transaction) =>
    take(service, transaction, workflowId, tasks, progress),
  )
  for (const done of committed) done()
  for (const dispatch of dispatches) announceDispatch(service, dispatch)
  if (progress.finished) service.feed.publish({ kind: 'workflows', id: workflow.id, name: workflow.name })
  const session = service.sessions.find(workflow.agent_id)
  if (session && dispatches.length > 0) wake(service, session)
  return dispatches.map((dispatch) => service.tables.dispatches.record(dispatch))
}

async function take(
  service: WorkflowsWorld,
  transaction: Knex,
  id: string,
  tasks: readonly TriggeredTask[],
  { cursor, most, follows, finished }: Progress,
): Promise<Taken> {
  const workflow = await service.tables.workflows.get(id, transaction)
  if (!workflow.enabled) throw invalid(`workflow ${workflow.name} is disabled`, undefined, 'workflow-disabled')
  if (most !== undefined) await checkRoom(service, transaction, workflow, most - tasks.length)
  const taken: Taken = { workflow, dispatches: [], committed: [] }
  if (follows !== undefined && !(await takeEnd(service, transaction, id, follows))) return taken
  const unseen = await leaveOutSeen(service, transaction, id, tasks)
  for (const task of unseen) taken.dispatches.push(await takeOne(service, transaction, workflow, task))
  if (cursor !== undefined)
    await service.tables.cursors.put([{ workflow_id: id, cursor, updated_at: now(service) }], transaction)
  if (unseen.length > 0) taken.committed.push(await service.firings.fired(service, transaction, id))
  if (finished) await finish(service, transaction, workflow)
  return taken
}

async function checkRoom(
  service: WorkflowsWorld,
  transaction: Knex,
  { id, name }: Pick<WorkflowRow, 'id' | 'name'>,
  room: number,
): Promise<void> {
  const waiting = await service.tables.dispatches.count({ workflow_id: id, status: 'pending' }, transaction)
  if (waiting > room)
    throw unavailable(
      `${waiting} tasks of workflow ${name} wait for its agent, and no more may: send it again later`,
      undefined,
      'channel-full',
    )
}

async function takeOne(
  service: WorkflowsWorld,
  transaction: Knex,
  workflow: WorkflowRow,
  task: TriggeredTask,
): Promise<DispatchRow> {
  if ((task.depth ?? 0) > LONGEST_CHAIN)
    return skippedDispatch(service, transaction, dispatchOf(workflow, task), TOO_DEEP)
  return (await recordTasks(service, transaction, [{ workflow, task }], 'pending'))[0]!.dispatch
}

/** Nothing more comes: the workflow is disabled, in the name of its trigger. */
async function finish(service: WorkflowsWorld, transaction: Knex, { id, trigger_config }: WorkflowRow): Promise<void> {
  await service.tables.workflows.update(id, { enabled: false, finished: true, updated_at: now(service) }, transaction)
  const by = ownActor(`trigger ${trigger_config.type}`, service.ids())
  await service.audit.record(transaction, 'workflows', id, ['enabled'], by)
}
