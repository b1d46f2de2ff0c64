// Dispatch records: one a task that a workflow gave, or is about to give, to its agent.
import type { Knex } from '../../../platform/database.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import { now, type ServiceParts } from '../parts.ts'
import { dropPromptsOf } from '../session/prompt-store.ts'
import type { Figures } from '../agents/usage.ts'

type Verdict = {
  status: 'completed' | 'failed' | 'skipped'
  error?: string | null
  result?: string | null
  usage?: Figures
}

export function addDispatch(
  service: ServiceParts,
  transaction: Knex,
  dispatch: Pick<DispatchRecord, 'workflow_id' | 'source_id' | 'agent_id' | 'prompt_sent' | 'status' | 'trigger_type'>,
): Promise<DispatchRecord> {
  const at = now(service)
  const dispatched_at = dispatch.status === 'dispatched' ? at : null
  const row = { id: service.ids(), ...dispatch, attempt: 1, created_at: at, dispatched_at }
  return service.tables.dispatches.insert(row, transaction)
}

/** pending → dispatched; null when it is pending no more. */
export async function markDispatched(
  service: ServiceParts,
  transaction: Knex,
  id: string,
): Promise<DispatchRecord | null> {
  const { dispatches } = service.tables
  const sent = { status: 'dispatched', dispatched_at: now(service) } as const
  const changed = await dispatches.update({ id, status: 'pending' }, sent, transaction)
  return changed === 1 ? dispatches.get(id, transaction) : null
}

/** Ends a dispatch that is in hand; null when it has ended already. */
export async function closeDispatch(
  service: ServiceParts,
  transaction: Knex,
  id: string,
  verdict: Verdict,
): Promise<DispatchRecord | null> {
  const { dispatches } = service.tables
  const ended = { error: null, result: null, usage: null, ...verdict, completed_at: now(service) }
  const changed = await dispatches.update({ id, status: ['pending', 'dispatched'] }, ended, transaction)
  return changed === 1 ? dispatches.get(id, transaction) : null
}

/** Tasks of a workflow that still wait are skipped, and their prompts dropped. */
export async function skipPending(
  service: ServiceParts,
  transaction: Knex,
  whose: { workflow_id: string } | { agent_id: string },
  reason: string,
): Promise<DispatchRecord[]> {
  const where = { ...whose, status: 'pending' as const }
  const pending = await service.tables.dispatches.list({ where, order }, transaction)
  const ids = pending.map(({ id }) => id)
  await dropPromptsOf(service, transaction, ids, reason)
  return closeAll(service, transaction, pending, { status: 'skipped', error: reason })
}

const order = [{ column: 'seq', order: 'asc' }] as const

async function closeAll(
  service: ServiceParts,
  transaction: Knex,
  dispatches: DispatchRecord[],
  verdict: Verdict,
): Promise<DispatchRecord[]> {
  const closed: DispatchRecord[] = []
  for (const { id } of dispatches) {
    const dispatch = await closeDispatch(service, transaction, id, verdict)
    if (dispatch) closed.push(dispatch)
  }
  return closed
}

/** The name of the workflow that gave this task; null when it is deleted. */
export async function workflowOfDispatch({ tables }: ServiceParts, id: string): Promise<string | null> {
  const dispatch = await tables.dispatches.find(id)
  return (dispatch && (await tables.workflows.find(dispatch.workflow_id)))?.name ?? null
}

export function announceDispatch(service: ServiceParts, dispatch: DispatchRecord): void {
  service.streams.publish(dispatch.agent_id, 'dispatch', `dispatch ${dispatch.id} ${dispatch.status}`, { dispatch })
}
