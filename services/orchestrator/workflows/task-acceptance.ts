import { ownActor } from '../../../platform/core/actor.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { invalid, unavailable } from '../../../platform/core/problem.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import { now, type RecordWorld } from '../record/world.ts'
import type { DispatchRow, WorkflowRow } from '../record/tables.ts'
import { takeEnd } from '../record/chains.ts'
import { LONGEST_CHAIN } from '../events/dispatch-recorder.ts'
import { dropSeenTasks, forgetSeenTasks } from './trigger-progress.ts'
import { dispatchOf, recordTasks } from '../dispatch/task-records.ts'
import type { Progress } from './triggers/contract.ts'
import { storableTask, type TriggeredTask } from '../record/triggered-task.ts'
import type { WorkflowsWorld } from './world.ts'

const TOO_DEEP =
  `the chain of dispatches has reached ${LONGEST_CHAIN} tasks, probably because workflows trigger each other endlessly: ` +
  'set source_workflow_id on their dispatch_result triggers'

type Parts = Pick<WorkflowsWorld, 'dispatches' | 'feed' | 'firings' | 'prompts'>

interface Taken {
  workflow: WorkflowRow
  dispatches: DispatchRow[]
  committed: (() => void)[]
}

export class TaskAcceptance {
  readonly #record: RecordWorld
  readonly #parts: Parts

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  async accept(
    workflowId: string,
    tasks: readonly TriggeredTask[],
    progress: Progress = {},
  ): Promise<DispatchRecord[]> {
    const { db, tables } = this.#record
    const { workflow, dispatches, committed } = await write(db, (transaction) =>
      this.#take(transaction, workflowId, tasks.map(storableTask), progress),
    )
    for (const done of committed) done()
    this.#parts.dispatches.announce(dispatches)
    const { id, name } = workflow
    if (progress.finished) this.#parts.feed.publish({ kind: 'workflows', id, name })
    if (dispatches.length > 0) this.#parts.prompts.wake(workflow.agent_id)
    return dispatches.map((dispatch) => tables.dispatches.record(dispatch))
  }

  async #take(
    transaction: Knex,
    id: string,
    tasks: readonly TriggeredTask[],
    { cursor, forget = [], most, follows, finished, delivery }: Progress,
  ): Promise<Taken> {
    const { tables } = this.#record
    const workflow = await tables.workflows.get(id, transaction)
    if (!workflow.enabled) throw invalid(`workflow ${workflow.name} is disabled`, undefined, 'workflow-disabled')
    if (most !== undefined) await this.#checkRoom(transaction, workflow, most - tasks.length)
    const taken: Taken = { workflow, dispatches: [], committed: [] }
    if (follows !== undefined && !(await takeEnd(this.#record, transaction, id, follows))) return taken
    await forgetSeenTasks(this.#record, transaction, id, forget)
    const unseen = await dropSeenTasks(this.#record, transaction, id, tasks)
    for (const task of unseen) taken.dispatches.push(await this.#takeOne(transaction, workflow, task))
    const place = { workflow_id: id, cursor: cursor!, updated_at: now(this.#record) }
    if (cursor !== undefined) await tables.cursors.put([place], transaction)
    if (unseen.length > 0)
      taken.committed.push(await this.#parts.firings.recordFiring(transaction, taken.dispatches, delivery))
    if (finished) await this.#finish(transaction, workflow)
    return taken
  }

  async #checkRoom(transaction: Knex, { id, name }: WorkflowRow, room: number): Promise<void> {
    const waiting = await this.#record.tables.dispatches.count({ workflow_id: id, status: 'pending' }, transaction)
    if (waiting > room)
      throw unavailable(
        `workflow ${name} has ${waiting} pending tasks, which is the maximum: send it again later`,
        'channel-full',
      )
  }

  async #takeOne(transaction: Knex, workflow: WorkflowRow, task: TriggeredTask): Promise<DispatchRow> {
    const { dispatches } = this.#parts
    if ((task.depth ?? 0) > LONGEST_CHAIN)
      return dispatches.addSkipped(transaction, dispatchOf(workflow, task), TOO_DEEP)
    return (await recordTasks(this.#record, dispatches, transaction, [{ workflow, task }], 'pending'))[0]!.dispatch
  }

  async #finish(transaction: Knex, { id, trigger_config }: WorkflowRow): Promise<void> {
    const { audit, ids, tables } = this.#record
    const finished = { enabled: false, finished: true, updated_at: now(this.#record) }
    await tables.workflows.update(id, finished, transaction)
    const by = ownActor(`trigger ${trigger_config.type}`, ids())
    await audit.record(transaction, 'workflows', id, ['enabled'], by)
  }
}
