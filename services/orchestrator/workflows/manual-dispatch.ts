import type { Actor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import { invalid } from '../../../platform/core/problem.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import type { WorkflowsWorld } from './world.ts'
import { recordTasks } from '../dispatch/task-records.ts'
import type { WorkflowRow } from '../record/tables.ts'
import { checkConnected, checkFree } from '../dispatch/agent-availability.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'
import type { Reading, RecordWorld } from '../record/world.ts'
import { findTrigger } from './triggers/index.ts'

export async function giveTask(
  record: RecordWorld,
  { dispatches, draining, firingLog, prompts, sessions, triggers }: WorkflowsWorld,
  workflowId: string,
  task: TriggeredTask,
  by: Actor,
): Promise<DispatchRecord> {
  draining.refuse()
  const asked = await getEnabled(record, workflowId)
  await checkConnected(record, sessions, asked)
  const session = sessions.of(asked.agent_id)
  return session.frames.call(async () => {
    const workflow = await getEnabled(record, workflowId)
    const agent = await checkFree(record, sessions, workflow)
    const waits = findTrigger(workflow.trigger_config.type, triggers)?.fires === 'by-hand'
    const { dispatch, prompt } = await write(record.db, async (transaction) => {
      const given = [{ workflow, task }]
      const recorded = await recordTasks(record, dispatches, transaction, given, waits ? 'pending' : 'dispatched')
      await firingLog.addTasks(transaction, [recorded[0]!.dispatch], { trigger_type: 'manual' })
      return recorded[0]!
    })
    const facts = { agent_id: agent.id, workflow_id: workflowId, dispatch_id: dispatch.id }
    record.log.info({ ...facts, actor: by.actor, request_id: by.requestId }, 'workflow triggered')
    dispatches.announce([dispatch])
    if (waits) prompts.wake(agent.id)
    else await prompts.deliver(session, agent, prompt)
    return record.tables.dispatches.record(dispatch)
  })
}

async function getEnabled({ tables }: Reading, id: string): Promise<WorkflowRow> {
  const workflow = await tables.workflows.get(id)
  if (!workflow.enabled)
    throw invalid(`workflow ${workflow.name} is disabled: enable it first`, undefined, 'workflow-disabled')
  return workflow
}
