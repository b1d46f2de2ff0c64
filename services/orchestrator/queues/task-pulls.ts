// Pulls that arrive during a write share the next transaction.
import { inBatches } from '../../../platform/async/batches.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { DispatchWorld } from '../dispatch/world.ts'
import type { DispatchRecorder } from '../events/dispatch-recorder.ts'
import type { Firings } from '../record/firings.ts'
import type { DispatchRow, WorkflowRow } from '../record/tables.ts'
import { recordTasks } from '../dispatch/task-records.ts'
import { checkFree } from '../dispatch/agent-availability.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'
import type { Reading, RecordWorld } from '../record/world.ts'
import type { Sessions } from '../session/sessions.ts'

const AT_ONCE = 32

interface Pull<From> {
  workflowId: string
  from: From
}

/** The task becomes the dispatch `dispatchId`. */
export interface Wanted<From> {
  from: From
  dispatchId: string
}

/** Returns a task or null per element. Runs in the transaction that records the dispatches. */
export type Find<From> = (transaction: Knex, wanted: readonly Wanted<From>[]) => Promise<(TriggeredTask | null)[]>

export interface PullParts extends DispatchWorld {
  dispatches: DispatchRecorder
  firings: Firings
  sessions: Sessions
}

export class TaskPulls<From> {
  readonly #record: RecordWorld
  readonly #parts: PullParts
  readonly #find: Find<From>
  readonly #takeOne = inBatches(AT_ONCE, (pulls: readonly Pull<From>[]) => this.#take(pulls))

  constructor(record: RecordWorld, parts: PullParts, find: Find<From>) {
    this.#record = record
    this.#parts = parts
    this.#find = find
  }

  /** `nothing`: no task, or a deleted or disabled workflow. */
  async pull(workflowId: string, from: From): Promise<'busy' | 'nothing' | 'taken'> {
    const { dispatches, prompts, sessions } = this.#parts
    const workflow = await this.#record.tables.workflows.find(workflowId)
    if (!workflow?.enabled) return 'nothing'
    const session = sessions.find(workflow.agent_id)
    if (!session?.connected) return 'busy'
    return session.frames.call(async () => {
      if (!(await this.#isFree(workflow))) return 'busy'
      const dispatch = await this.#takeOne({ workflowId, from })
      if (!dispatch) return 'nothing'
      dispatches.announce([dispatch])
      prompts.wake(workflow.agent_id)
      return 'taken'
    })
  }

  async #take(pulls: readonly Pull<From>[]): Promise<(DispatchRow | null)[]> {
    const { dispatches, firings } = this.#parts
    const record = this.#record
    const { taken, committed } = await write(record.db, async (transaction) => {
      const workflows = await holdEnabled(record, transaction, pulls)
      const wanted = pulls
        .filter(({ workflowId }) => workflows.has(workflowId))
        .map((pull) => ({ ...pull, dispatchId: record.ids() }))
      const tasks = wanted.length > 0 ? await this.#find(transaction, wanted) : []
      const given = wanted.flatMap(({ workflowId, dispatchId }, nth) => {
        const task = tasks[nth]
        return task ? [{ workflow: workflows.get(workflowId)!, task, id: dispatchId }] : []
      })
      if (given.length === 0) return { taken: [], committed: () => undefined }
      const recorded = await recordTasks(record, dispatches, transaction, given, 'pending')
      const taken = recorded.map(({ dispatch }) => dispatch)
      return { taken, committed: await firings.recordFiring(transaction, taken) }
    })
    committed()
    return pulls.map(({ workflowId }) => taken.find(({ workflow_id }) => workflow_id === workflowId) ?? null)
  }

  async #isFree(workflow: WorkflowRow): Promise<boolean> {
    if (this.#parts.draining.active) return false
    try {
      await checkFree(this.#record, this.#parts.sessions, workflow)
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }
}

/** Locks in a fixed order, to prevent deadlocks. */
async function holdEnabled<From>(
  { tables }: Reading,
  transaction: Knex,
  pulls: readonly Pull<From>[],
): Promise<Map<string, WorkflowRow>> {
  const where = { id: pulls.map(({ workflowId }) => workflowId), enabled: true }
  const rows = await tables.workflows.list({ where, order: ['id'], hold: true }, transaction)
  return new Map(rows.map((row) => [row.id, row]))
}
