// Giving a workflow's agent a task by hand: now, or not at all.
import type { Actor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import { invalid } from '../../../platform/core/problem.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import type { WorkflowsWorld } from './world.ts'
import { deliver, wake } from '../dispatch/prompt-sender.ts'
import { recordTasks } from '../dispatch/task-records.ts'
import { announceDispatch } from '../events/dispatch-announcements.ts'
import type { WorkflowRow } from '../record/tables.ts'
import { checkFree, connected } from '../dispatch/agent-availability.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'
import { findTrigger } from './triggers/index.ts'

/** 400 disabled, 404 unknown, 409 agent busy, 503 agent not connected. */
export async function giveTask(
  service: WorkflowsWorld,
  workflowId: string,
  task: TriggeredTask,
  by: Actor,
): Promise<DispatchRecord> {
  service.draining.refuse()
  const asked = await enabled(service, workflowId)
  await connected(service, asked)
  const session = service.sessions.of(asked.agent_id)
  return session.frames.call(async () => {
    const workflow = await enabled(service, workflowId)
    const agent = await checkFree(service, workflow)
    // By hand, the task is on record as pending before it goes out.
    const waits = findTrigger(workflow.trigger_config.type, service.triggers)?.fires === 'by-hand'
    const recorded = await write(service.db, (transaction) =>
      recordTasks(service, transaction, [{ workflow, task }], waits ? 'pending' : 'dispatched'),
    )
    const { dispatch, prompt } = recorded[0]!
    service.log.info(
      { agent_id: agent.id, workflow_id: workflowId, dispatch_id: dispatch.id, ...requestOf(by) },
      'workflow triggered',
    )
    announceDispatch(service, dispatch)
    if (waits) wake(service, session)
    else await deliver(service, session, agent, prompt)
    return service.tables.dispatches.record(dispatch)
  })
}

function requestOf({ actor, requestId }: Actor): { actor: string; request_id: string } {
  return { actor, request_id: requestId }
}

async function enabled(service: WorkflowsWorld, id: string): Promise<WorkflowRow> {
  const workflow = await service.tables.workflows.get(id)
  if (!workflow.enabled)
    throw invalid(`workflow ${workflow.name} is disabled: enable it first`, undefined, 'workflow-disabled')
  return workflow
}
