import { isAgent, type Actor } from '../../../platform/core/actor.ts'
import { eachOf, inPieces } from '../../../platform/async/time-slices.ts'
import { isUniqueViolation, write, type Knex } from '../../../platform/database/database.ts'
import { conflict, notFound, Problem } from '../../../platform/core/problem.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import type { CursorAsked } from '../../../platform/store/keyset.ts'
import type { Listed, Part } from '../../../platform/store/page.ts'
import { refuseMoved, type Seen } from '../../../platform/store/write-preconditions.ts'
import { versionedList } from '../../../platform/store/versioned-list.ts'
import type { Slice } from '../../../schemas/operations/page.ts'
import type { Secret } from '../../../schemas/secret.ts'
import {
  workflowKind,
  type DispatchRecord,
  type TriggerInput,
  type WorkflowInput,
  type WorkflowPatch,
  type WorkflowRecord,
} from '../../../schemas/workflow.ts'
import { isOpenWebhook, OPEN_WEBHOOK } from '../../../schemas/trigger.ts'
import { checkTemplate, type PromptPreview, type PromptPreviewInput } from '../../../schemas/workflow/template.ts'
import type { FiringFilter, FiringRecord, WorkflowSchedule } from '../../../schemas/workflow/firing.ts'
import type { InspectedWorkflow, UnfiredRecord, WorkflowMembers, Workflows } from '../face.ts'
import type { WorkflowsWorld } from './world.ts'
import { now, type Reading, type RecordWorld } from '../record/world.ts'
import type { DispatchRow, WorkflowRow } from '../record/tables.ts'
import { checkAgent, definition, mergePatch, readInput, type Definition } from './workflow-input.ts'
import { promptOf } from '../dispatch/task-records.ts'
import { giveTask } from './manual-dispatch.ts'
import { scheduleOf } from './schedule.ts'
import { forgetProgress } from './trigger-progress.ts'
import { readTrigger } from './trigger-input.ts'
import { updatePendingTasks } from './pending-tasks.ts'

export class WorkflowsFace implements Workflows {
  readonly #record: RecordWorld
  readonly #world: WorkflowsWorld
  readonly #all: () => Promise<readonly InspectedWorkflow[]>

  constructor(record: RecordWorld, world: WorkflowsWorld) {
    this.#record = record
    this.#world = world
    const { workflows } = record.tables
    this.#all = versionedList(record.db, {
      table: workflows.name,
      key: 'id',
      order: [{ column: 'seq', order: 'desc' }],
      toRecord: (row) => inspect(record, workflows.fromColumns(row)),
    })
  }

  async create(
    input: WorkflowInput & { trigger_secret?: Secret },
    by: Actor,
    id = this.#record.ids(),
  ): Promise<WorkflowRecord> {
    const present = await this.#record.tables.workflows.find(id)
    if (present) return this.#shown(present)
    const wanted = readInput(input)
    await checkAgent(this.#record.agents, wanted.agent_id)
    await write(this.#record.db, async (transaction) => {
      const at = now(this.#record)
      await this.#record.tables.workflows.insert({ id, ...wanted, created_at: at, updated_at: at }, transaction)
      await this.#record.audit.record(transaction, 'workflows', id, [''], by)
    }).catch(nameTaken(wanted.name))
    this.#announce({ id, name: wanted.name })
    return this.get(id)
  }

  async get(id: string): Promise<WorkflowRecord> {
    return this.#shown(await this.#record.tables.workflows.get(id))
  }

  async list(): Promise<WorkflowRecord[]> {
    const shown: WorkflowRecord[] = []
    const { firings } = this.#world
    await inPieces(eachOf(await this.#all(), ({ record }) => void shown.push(firings.shown(record))))
    return shown
  }

  async slice(cursor: CursorAsked): Promise<Slice<WorkflowRecord>> {
    return this.#record.tables.workflows.listed({}, cursor, (row) => this.#shown(row))
  }

  async inspect(id: string): Promise<InspectedWorkflow> {
    return inspect(this.#record, await this.#record.tables.workflows.get(id))
  }

  async inspectAll(): Promise<InspectedWorkflow[]> {
    return [...(await this.#all())]
  }

  async patch(id: string, patch: WorkflowPatch, by: Actor, seen?: Seen<WorkflowMembers>): Promise<WorkflowRecord> {
    if (patch.agent_id !== undefined) {
      const { agent_id } = await this.#record.tables.workflows.get(id)
      if (patch.agent_id !== agent_id) await checkAgent(this.#record.agents, patch.agent_id)
    }
    const { before, after, skipped } = await write(this.#record.db, async (transaction) => {
      const present = await this.#record.tables.workflows.get(id, transaction)
      refuseMoved<WorkflowMembers>(`workflow ${present.name}`, present, seen)
      const wanted = { ...mergePatch(present, patch), finished: isFinished(present, patch) }
      return { before: present, ...(await this.#change(transaction, present, wanted, by)) }
    }).catch(nameTaken(patch.name ?? id))
    this.#world.dispatches.announce(skipped)
    if (after !== before) this.#announce(after)
    // Pending tasks may have moved to this agent.
    if (after.agent_id !== before.agent_id) this.#world.prompts.wake(after.agent_id)
    return this.#shown(after)
  }

  async delete(id: string, by: Actor): Promise<void> {
    const { workflow, skipped } = await write(this.#record.db, async (transaction) => {
      // Locked first, as by accepted tasks, to prevent deadlocks.
      const workflow = await this.#record.tables.workflows.get(id, transaction)
      const owner = { workflow_id: id }
      const skipped = await this.#world.dispatches.skip(transaction, owner, 'the workflow was deleted')
      await forgetProgress(this.#record, transaction, id)
      await this.#world.firings.forget(transaction, id)
      await this.#record.tables.workflows.delete(id, transaction)
      await this.#record.audit.record(transaction, 'workflows', id, [''], by)
      return { workflow, skipped }
    })
    this.#world.dispatches.announce(skipped)
    this.#announce(workflow)
  }

  async history<P extends Part = {}>(id: string, part?: P): Promise<Listed<DispatchRecord, P>> {
    await this.#record.tables.workflows.get(id)
    const { dispatches } = this.#record.tables
    return dispatches.listed({ where: { workflow_id: id } }, part ?? ({} as P))
  }

  async dispatch(id: string, dispatchId: string): Promise<DispatchRecord> {
    const { dispatches } = this.#record.tables
    await this.#record.tables.workflows.get(id)
    const found = await dispatches.find({ id: dispatchId, workflow_id: id })
    if (!found) throw notFound('dispatch', dispatchId)
    return dispatches.record(found)
  }

  async firings<P extends Part>(id: string, filter: FiringFilter, part: P): Promise<Listed<FiringRecord, P>> {
    await this.#record.tables.workflows.get(id)
    return this.#world.firingLog.list(id, filter, part)
  }

  async schedule(id: string): Promise<WorkflowSchedule> {
    const { enabled, trigger_config } = await this.#record.tables.workflows.get(id)
    const due = this.#world.firings.nextOf(id)
    return scheduleOf(trigger_config, enabled ? { now: this.#record.clock.now(), due } : null)
  }

  async preview(id: string, { template, dispatch_id }: PromptPreviewInput): Promise<PromptPreview> {
    const { workflows, dispatches } = this.#record.tables
    const { name, prompt_template } = await workflows.get(id)
    const which = { workflow_id: id, ...(dispatch_id === undefined ? {} : { id: dispatch_id }) }
    const found = await dispatches.find(which, this.#record.db, { order: ['seq'] })
    if (!found && dispatch_id !== undefined) throw notFound('dispatch', `${dispatch_id} of workflow ${name}`)
    if (!found) throw conflict(`workflow ${name} has no dispatch yet: POST /workflows/${id}/trigger makes one`)
    if (!found.task) throw conflict(`the task of dispatch ${found.id} was not stored: choose a later dispatch`)
    return { dispatch_id: found.id, prompt: promptOf({ prompt_template: template ?? prompt_template }, found.task) }
  }

  trigger(id: string, input: TriggerInput, by: Actor): Promise<DispatchRecord> {
    const task = {
      ...input,
      title: input.title ?? 'Manual trigger',
      sourceId: `manual:${this.#record.ids()}`,
      byAgent: isAgent(by),
    }
    return giveTask(this.#record, this.#world, id, task, by).catch((error: unknown) => {
      if (error instanceof Problem && error.status !== 404)
        this.#world.firingLog.add(id, {
          outcome: 'refused',
          trigger_type: 'manual',
          code: error.code,
          reason: error.message,
        })
      throw error
    })
  }

  /** Disabling skips pending tasks. Returns `present` as `after` if nothing changed. */
  async #change(
    transaction: Knex,
    present: WorkflowRow,
    { finished, ...wanted }: Definition & Pick<WorkflowRow, 'finished'>,
    by: Actor,
  ): Promise<{ after: WorkflowRow; skipped: DispatchRow[] }> {
    const { id } = present
    const fields = changedFields(definition(present), wanted, workflowKind.keyed)
    if (fields.length === 0 && finished === present.finished) return { after: present, skipped: [] }
    const written = { ...wanted, finished, updated_at: now(this.#record) }
    const after = (await this.#record.tables.workflows.change(id, written, transaction))!
    await this.#record.audit.record(transaction, 'workflows', id, fields, by)
    // A cursor is meaningless to another trigger type.
    if (wanted.trigger_config.type !== present.trigger_config.type) await forgetProgress(this.#record, transaction, id)
    await updatePendingTasks(this.#record, transaction, present, wanted)
    // Ends recorded while it was disabled do not count.
    if (wanted.enabled !== present.enabled) await this.#record.tables.chainEnds.delete({ workflow_id: id }, transaction)
    if (wanted.enabled || !present.enabled) return { after, skipped: [] }
    const reason = 'the workflow was disabled'
    return { after, skipped: await this.#world.dispatches.skip(transaction, { workflow_id: id }, reason) }
  }

  #shown(workflow: WorkflowRow): WorkflowRecord {
    return this.#world.firings.shown(toRecord(this.#record, workflow))
  }

  #announce({ id, name }: { id: string; name: string }): void {
    this.#world.feed.publish({ kind: 'workflows', id, name })
  }
}

function isFinished({ finished, trigger_config }: WorkflowRow, patch: WorkflowPatch): boolean {
  const trigger = patch.trigger_config ?? patch.source ?? patch.source_config
  const sameTrigger =
    trigger === undefined || changedFields(trigger_config, readTrigger(trigger, trigger_config)).length === 0
  return finished && sameTrigger && patch.enabled === undefined
}

function inspect(record: Reading, row: WorkflowRow): InspectedWorkflow {
  const { trigger_config, finished, version } = row
  return { record: toRecord(record, row), secret: trigger_config.secret ?? null, finished, version }
}

function nameTaken(name: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error)
      ? conflict(`a workflow named "${name}" exists already: choose another name, or change that one`, 'name-taken')
      : error
  }
}

/** Redacted; `Firings` adds the trigger's state. */
function toRecord({ tables }: Reading, workflow: WorkflowRow): UnfiredRecord {
  const { trigger_config } = workflow
  const { warnings: unknown } = checkTemplate(workflow.prompt_template, trigger_config.type)
  const warnings = unknown.map((warning) => warning.message)
  if (isOpenWebhook(trigger_config)) warnings.push(`trigger_config ${OPEN_WEBHOOK}`)
  return Object.assign(tables.workflows.record(workflow), { warnings })
}
