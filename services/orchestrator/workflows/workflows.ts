// The face of workflows: a trigger, a prompt template and one agent.
import type { Actor } from '../../../platform/core/actor.ts'
import { eachOf, inPieces } from '../../../platform/async/time-slices.ts'
import { isUniqueViolation, write, type Knex } from '../../../platform/database/database.ts'
import { conflict, notFound } from '../../../platform/core/problem.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import { refuseMoved, type Seen } from '../../../platform/store/write-preconditions.ts'
import { versionedList } from '../../../platform/store/versioned-list.ts'
import type { Secret } from '../../../schemas/secret.ts'
import {
  workflowKind,
  type DispatchRecord,
  type TriggerInput,
  type WorkflowInput,
  type WorkflowPatch,
  type WorkflowRecord,
} from '../../../schemas/workflow.ts'
import type { InspectedWorkflow, WorkflowMembers, Workflows } from '../face.ts'
import type { WorkflowsWorld } from './world.ts'
import { now } from '../record/world.ts'
import type { DispatchRow, WorkflowRow } from '../record/tables.ts'
import { wake } from '../dispatch/prompt-sender.ts'
import { announceDispatch } from '../events/dispatch-announcements.ts'
import { skipPending } from '../record/dispatch-store.ts'
import { checkAgent, definition, mergePatch, readInput } from './workflow-input.ts'
import { toRecord, type Definition } from './workflow-record.ts'
import { giveTask } from './manual-dispatch.ts'
import { forgetPlace } from './trigger-progress.ts'
import { readTrigger } from './trigger-input.ts'
import { adaptWaiting } from './pending-tasks.ts'

export class WorkflowsFace implements Workflows {
  readonly #service: WorkflowsWorld
  readonly #all: () => Promise<readonly InspectedWorkflow[]>

  constructor(service: WorkflowsWorld) {
    this.#service = service
    const { workflows } = service.tables
    this.#all = versionedList(service.db, {
      table: workflows.name,
      key: 'id',
      order: [{ column: 'seq', order: 'desc' }],
      toRecord: (row) => inspected(service, workflows.fromColumns(row)),
    })
  }

  async create(
    input: WorkflowInput & { trigger_secret?: Secret },
    by: Actor,
    id = this.#service.ids(),
  ): Promise<WorkflowRecord> {
    const present = await this.#service.tables.workflows.find(id)
    if (present) return this.#shown(present)
    const wanted = readInput(input)
    await checkAgent(this.#service, wanted.agent_id)
    await write(this.#service.db, async (transaction) => {
      const at = now(this.#service)
      await this.#service.tables.workflows.insert({ id, ...wanted, created_at: at, updated_at: at }, transaction)
      await this.#service.audit.record(transaction, 'workflows', id, [''], by)
    }).catch(nameTaken(wanted.name))
    this.#announce({ id, name: wanted.name })
    return this.get(id)
  }

  async get(id: string): Promise<WorkflowRecord> {
    return this.#shown(await this.#service.tables.workflows.get(id))
  }

  async list(): Promise<WorkflowRecord[]> {
    const shown: WorkflowRecord[] = []
    const { firings } = this.#service
    await inPieces(eachOf(await this.#all(), ({ record }) => void shown.push(firings.shown(record))))
    return shown
  }

  async inspect(id: string): Promise<InspectedWorkflow> {
    return inspected(this.#service, await this.#service.tables.workflows.get(id))
  }

  async inspectAll(): Promise<InspectedWorkflow[]> {
    return [...(await this.#all())]
  }

  async patch(id: string, patch: WorkflowPatch, by: Actor, seen?: Seen<WorkflowMembers>): Promise<WorkflowRecord> {
    if (patch.agent_id !== undefined) {
      const { agent_id } = await this.#service.tables.workflows.get(id)
      if (patch.agent_id !== agent_id) await checkAgent(this.#service, patch.agent_id)
    }
    const { before, after, skipped } = await write(this.#service.db, async (transaction) => {
      const present = await this.#service.tables.workflows.get(id, transaction)
      refuseMoved<WorkflowMembers>(`workflow ${present.name}`, present, seen)
      const wanted = { ...mergePatch(present, patch), finished: isFinished(present, patch) }
      return { before: present, ...(await this.#change(transaction, present, wanted, by)) }
    }).catch(nameTaken(patch.name ?? id))
    for (const dispatch of skipped) announceDispatch(this.#service, dispatch)
    if (after !== before) this.#announce(after)
    // What waits may go to another agent now.
    const session = after.agent_id === before.agent_id ? undefined : this.#service.sessions.find(after.agent_id)
    if (session) wake(this.#service, session)
    return this.#shown(after)
  }

  async delete(id: string, by: Actor): Promise<void> {
    const workflow = await this.#service.tables.workflows.get(id)
    const skipped = await write(this.#service.db, async (transaction) => {
      const dispatches = await skipPending(this.#service, transaction, { workflow_id: id }, 'the workflow was deleted')
      await forgetPlace(this.#service, transaction, id)
      await this.#service.firings.forget(this.#service, transaction, id)
      await this.#service.tables.workflows.delete(id, transaction)
      await this.#service.audit.record(transaction, 'workflows', id, [''], by)
      return dispatches
    })
    for (const dispatch of skipped) announceDispatch(this.#service, dispatch)
    this.#announce(workflow)
  }

  async history(id: string, limits: PageLimits | null = null): Promise<Page<DispatchRecord>> {
    await this.#service.tables.workflows.get(id)
    const { dispatches } = this.#service.tables
    const { items, total } = await dispatches.page({ where: { workflow_id: id }, ...limits })
    return { items: items.map((dispatch) => dispatches.record(dispatch)), total }
  }

  async dispatch(id: string, dispatchId: string): Promise<DispatchRecord> {
    const { dispatches } = this.#service.tables
    await this.#service.tables.workflows.get(id)
    const found = await dispatches.find({ id: dispatchId, workflow_id: id })
    if (!found) throw notFound('dispatch', dispatchId)
    return dispatches.record(found)
  }

  trigger(id: string, input: TriggerInput, by: Actor): Promise<DispatchRecord> {
    const task = { ...input, title: input.title ?? 'Manual trigger', sourceId: `manual:${this.#service.ids()}` }
    return giveTask(this.#service, id, task, by)
  }

  /**
   * Writes what differs, and who changed it; the tasks of a workflow that is disabled are skipped. `after` is `present`
   * itself where nothing differs.
   */
  async #change(
    transaction: Knex,
    present: WorkflowRow,
    { finished, ...wanted }: Definition & Pick<WorkflowRow, 'finished'>,
    by: Actor,
  ): Promise<{ after: WorkflowRow; skipped: DispatchRow[] }> {
    const { id } = present
    const fields = changedFields(definition(present), wanted, workflowKind.keyed)
    if (fields.length === 0 && finished === present.finished) return { after: present, skipped: [] }
    const written = { ...wanted, finished, updated_at: now(this.#service) }
    const after = (await this.#service.tables.workflows.change(id, written, transaction))!
    await this.#service.audit.record(transaction, 'workflows', id, fields, by)
    // A place in what one type of trigger reads means nothing to another.
    if (wanted.trigger_config.type !== present.trigger_config.type) await forgetPlace(this.#service, transaction, id)
    await adaptWaiting(this.#service, transaction, present, wanted)
    // What ended while it was disabled, or just before its trigger heard of that, is nothing to it.
    if (wanted.enabled !== present.enabled)
      await this.#service.tables.chainEnds.delete({ workflow_id: id }, transaction)
    if (wanted.enabled || !present.enabled) return { after, skipped: [] }
    const reason = 'the workflow was disabled'
    return { after, skipped: await skipPending(this.#service, transaction, { workflow_id: id }, reason) }
  }

  #shown(workflow: WorkflowRow): WorkflowRecord {
    return this.#service.firings.shown(toRecord(this.#service, workflow))
  }

  #announce({ id, name }: { id: string; name: string }): void {
    this.#service.feed.publish({ kind: 'workflows', id, name })
  }
}

/** No more where it may fire again, or where somebody disables it. */
function isFinished({ finished, trigger_config }: WorkflowRow, patch: WorkflowPatch): boolean {
  const trigger = patch.trigger_config ?? patch.source ?? patch.source_config
  const sameTrigger =
    trigger === undefined || changedFields(trigger_config, readTrigger(trigger, trigger_config)).length === 0
  return finished && sameTrigger && patch.enabled === undefined
}

function inspected(service: WorkflowsWorld, row: WorkflowRow): InspectedWorkflow {
  const { trigger_config, finished, version } = row
  return { record: toRecord(service, row), secret: trigger_config.secret ?? null, finished, version }
}

function nameTaken(name: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error)
      ? conflict(`a workflow named "${name}" exists already: choose another name, or change that one`, 'name-taken')
      : error
  }
}
