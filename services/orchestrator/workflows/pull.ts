// Fetching a task for an agent that is free now: it is found and taken on in one transaction.
import { write, type Knex } from '../../../platform/database.ts'
import { Problem } from '../../../platform/problem.ts'
import { isDraining } from '../draining.ts'
import type { ServiceParts } from '../parts.ts'
import { wake } from '../session/prompts.ts'
import type { DispatchRow, WorkflowRow } from '../tables.ts'
import { recordTask } from './accept.ts'
import { announceDispatch } from './dispatches.ts'
import { checkFree } from './task.ts'
import type { TriggeredTask } from './triggers/contract.ts'

export type Find = (transaction: Knex, dispatchId: string) => Promise<TriggeredTask | null>

/** `busy` while the agent can take nothing; `nothing` when `find` found nothing, or the workflow is gone or disabled. */
export async function pullTask(service: ServiceParts, id: string, find: Find): Promise<'busy' | 'nothing' | 'taken'> {
  const workflow = await service.tables.workflows.find(id)
  if (!workflow?.enabled) return 'nothing'
  const session = service.sessions.find(workflow.agent_id)
  if (!session?.connected) return 'busy'
  return session.frames.call(async () => {
    if (!(await isFree(service, workflow))) return 'busy'
    const taken = await write(service.db, (transaction) => take(service, transaction, id, find))
    if (!taken) return 'nothing'
    taken.committed()
    announceDispatch(service, taken.dispatch)
    wake(service, session)
    return 'taken'
  })
}

async function take(
  service: ServiceParts,
  transaction: Knex,
  id: string,
  find: Find,
): Promise<{ dispatch: DispatchRow; committed: () => void } | null> {
  const workflow = await service.tables.workflows.find(id, transaction)
  if (!workflow?.enabled) return null
  const dispatchId = service.ids()
  const task = await find(transaction, dispatchId)
  if (!task) return null
  const { dispatch } = await recordTask(service, transaction, workflow, task, 'pending', dispatchId)
  return { dispatch, committed: await service.firings.fired(service, transaction, id) }
}

async function isFree(service: ServiceParts, workflow: WorkflowRow): Promise<boolean> {
  if (isDraining(service) || service.stopping) return false
  try {
    await checkFree(service, workflow)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
