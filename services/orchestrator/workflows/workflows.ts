// The face of workflows: a trigger, a prompt template and one agent.
import type { Actor } from '../../../platform/actor.ts'
import { isUniqueViolation, write, type Knex } from '../../../platform/database.ts'
import { conflict } from '../../../platform/problem.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import { versionedList } from '../../../platform/store/versioned-list.ts'
import type { Secret } from '../../../schemas/secret.ts'
import type {
  DispatchRecord,
  TriggerInput,
  WorkflowInput,
  WorkflowPatch,
  WorkflowRecord,
} from '../../../schemas/workflow.ts'
import type { Workflows } from '../face.ts'
import { now, type ServiceParts } from '../parts.ts'
import type { WorkflowRow } from '../tables.ts'
import { announceDispatch, skipPending } from './dispatches.ts'
import { checkAgent, definition, mergePatch, readInput } from './input.ts'
import { toRecord, type Definition } from './record.ts'
import { giveTask } from './task.ts'

export class WorkflowsFace implements Workflows {
  readonly #service: ServiceParts
  readonly #all: () => Promise<readonly WorkflowRecord[]>

  constructor(service: ServiceParts) {
    this.#service = service
    const { workflows } = service.tables
    this.#all = versionedList(service.db, {
      table: workflows.name,
      key: 'id',
      order: [{ column: 'seq', order: 'desc' }],
      toRecord: (row) => toRecord(service, workflows.fromColumns(row)),
    })
  }

  async create(
    input: WorkflowInput & { trigger_secret?: Secret },
    by: Actor,
    id = this.#service.ids(),
  ): Promise<WorkflowRecord> {
    const present = await this.#service.tables.workflows.find(id)
    if (present) return toRecord(this.#service, present)
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
    return toRecord(this.#service, await this.#service.tables.workflows.get(id))
  }

  async list(): Promise<WorkflowRecord[]> {
    return [...(await this.#all())]
  }

  async secret(id: string): Promise<Secret | null> {
    return (await this.#service.tables.workflows.get(id)).trigger_config.secret ?? null
  }

  async patch(id: string, patch: WorkflowPatch, by: Actor): Promise<WorkflowRecord> {
    const before = await this.#service.tables.workflows.get(id)
    if (patch.agent_id !== undefined && patch.agent_id !== before.agent_id)
      await checkAgent(this.#service, patch.agent_id)
    const { changed, skipped } = await write(this.#service.db, async (transaction) => {
      const present = await this.#service.tables.workflows.get(id, transaction)
      return this.#change(transaction, present, mergePatch(present, patch), by)
    }).catch(nameTaken(patch.name ?? before.name))
    for (const dispatch of skipped) announceDispatch(this.#service, dispatch)
    const after = await this.#service.tables.workflows.get(id)
    if (changed) this.#announce(after)
    return toRecord(this.#service, after)
  }

  async delete(id: string, by: Actor): Promise<void> {
    const workflow = await this.#service.tables.workflows.get(id)
    const skipped = await write(this.#service.db, async (transaction) => {
      const dispatches = await skipPending(this.#service, transaction, { workflow_id: id }, 'the workflow was deleted')
      await this.#service.tables.cursors.delete(id, transaction)
      await this.#service.tables.workflows.delete(id, transaction)
      await this.#service.audit.record(transaction, 'workflows', id, [''], by)
      return dispatches
    })
    for (const dispatch of skipped) announceDispatch(this.#service, dispatch)
    this.#announce(workflow)
  }

  async history(id: string, limits: PageLimits | null = null): Promise<Page<DispatchRecord>> {
    await this.#service.tables.workflows.get(id)
    return this.#service.tables.dispatches.page({ where: { workflow_id: id }, ...limits })
  }

  trigger(id: string, input: TriggerInput, by: Actor): Promise<DispatchRecord> {
    const task = { ...input, title: input.title ?? 'Manual trigger', sourceId: `manual:${this.#service.ids()}` }
    return giveTask(this.#service, id, task, by)
  }

  /** Writes what differs, and who changed it; the tasks of a workflow that is disabled are skipped. */
  async #change(
    transaction: Knex,
    present: WorkflowRow,
    wanted: Definition,
    by: Actor,
  ): Promise<{ changed: boolean; skipped: DispatchRecord[] }> {
    const { id } = present
    const fields = changedFields(definition(present), wanted)
    if (fields.length === 0) return { changed: false, skipped: [] }
    await this.#service.tables.workflows.update(id, { ...wanted, updated_at: now(this.#service) }, transaction)
    await this.#service.audit.record(transaction, 'workflows', id, fields, by)
    // A place in what one type of trigger reads means nothing to another.
    if (wanted.trigger_config.type !== present.trigger_config.type)
      await this.#service.tables.cursors.delete(id, transaction)
    if (wanted.enabled || !present.enabled) return { changed: true, skipped: [] }
    const reason = 'the workflow was disabled'
    return { changed: true, skipped: await skipPending(this.#service, transaction, { workflow_id: id }, reason) }
  }

  #announce({ id, name }: { id: string; name: string }): void {
    this.#service.feed.publish({ kind: 'workflows', id, name })
  }
}

function nameTaken(name: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error)
      ? conflict(`a workflow named "${name}" exists already: choose another name, or change that one`, 'name-taken')
      : error
  }
}
