// Fetching tasks for agents that are free now: they are found and taken on in one transaction, and those that are
// fetched while another transaction is written share the next one.
import { inBatches } from '../../../platform/async/batches.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { QueuesWorld } from './world.ts'
import { wake } from '../dispatch/prompt-sender.ts'
import type { DispatchRow, WorkflowRow } from '../record/tables.ts'
import { recordTasks } from '../dispatch/task-records.ts'
import { announceDispatch } from '../events/dispatch-announcements.ts'
import { checkFree } from '../dispatch/agent-availability.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'

/** Agents that are given a task in one transaction. */
const AT_ONCE = 32

/** A workflow that wants a task, as long as it is enabled: `from` says where. */
interface Pull<From> {
  workflowId: string
  from: From
}

/** One that may have a task, which then is that of `dispatchId`. */
export interface Wanted<From> {
  from: From
  dispatchId: string
}

/** A task for each, in their order, or null where there is none. Called in the transaction that takes them on. */
export type Find<From> = (transaction: Knex, wanted: readonly Wanted<From>[]) => Promise<(TriggeredTask | null)[]>

export class Pulls<From> {
  readonly #service: QueuesWorld
  readonly #find: Find<From>
  readonly #takeOne = inBatches(AT_ONCE, (pulls: readonly Pull<From>[]) => this.#take(pulls))

  constructor(service: QueuesWorld, find: Find<From>) {
    this.#service = service
    this.#find = find
  }

  /** `busy` while the agent can take nothing; `nothing` when there is nothing, or the workflow is gone or disabled. */
  async pull(workflowId: string, from: From): Promise<'busy' | 'nothing' | 'taken'> {
    const service = this.#service
    const workflow = await service.tables.workflows.find(workflowId)
    if (!workflow?.enabled) return 'nothing'
    const session = service.sessions.find(workflow.agent_id)
    if (!session?.connected) return 'busy'
    return session.frames.call(async () => {
      if (!(await isFree(service, workflow))) return 'busy'
      const dispatch = await this.#takeOne({ workflowId, from })
      if (!dispatch) return 'nothing'
      announceDispatch(service, dispatch)
      wake(service, session)
      return 'taken'
    })
  }

  async #take(pulls: readonly Pull<From>[]): Promise<(DispatchRow | null)[]> {
    const service = this.#service
    const { taken, committed } = await write(service.db, async (transaction) => {
      const workflows = await enabled(service, transaction, pulls)
      const wanted = pulls
        .filter(({ workflowId }) => workflows.has(workflowId))
        .map((pull) => ({ ...pull, dispatchId: service.ids() }))
      const tasks = wanted.length > 0 ? await this.#find(transaction, wanted) : []
      const given = wanted.flatMap(({ workflowId, dispatchId }, nth) => {
        const task = tasks[nth]
        return task ? [{ workflow: workflows.get(workflowId)!, task, id: dispatchId }] : []
      })
      if (given.length === 0) return { taken: [], committed: () => undefined }
      const recorded = await recordTasks(service, transaction, given, 'pending')
      const fired = given.map(({ workflow }) => workflow.id)
      return {
        taken: recorded.map(({ dispatch }) => dispatch),
        committed: await service.firings.fired(service, transaction, ...fired),
      }
    })
    committed()
    return pulls.map(({ workflowId }) => taken.find(({ workflow_id }) => workflow_id === workflowId) ?? null)
  }
}

/** Those that are, held until the end of the transaction; always in one order, so that none waits for another's. */
async function enabled<From>(
  { tables }: QueuesWorld,
  transaction: Knex,
  pulls: readonly Pull<From>[],
): Promise<Map<string, WorkflowRow>> {
  const where = { id: pulls.map(({ workflowId }) => workflowId), enabled: true }
  const rows = await tables.workflows.list({ where, order: ['id'], hold: true }, transaction)
  return new Map(rows.map((row) => [row.id, row]))
}

async function isFree(service: QueuesWorld, workflow: WorkflowRow): Promise<boolean> {
  if (service.draining.active || service.stopping.aborted) return false
  try {
    await checkFree(service, workflow)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
