// Workflows: a trigger, a prompt template and one agent. In this version only `manual` ones run by themselves.
import { isUniqueViolation, write, type Knex } from '../../platform/database.ts'
import { conflict, invalid, notFound } from '../../platform/problem.ts'
import { mapSecrets } from '../../platform/vault.ts'
import { MASK } from '../../schemas/secret.ts'
import { checkTemplate } from '../../schemas/template.ts'
import { canonicalPolicy, policyFaults, type WorkflowToolPolicy } from '../../schemas/tool-policy.ts'
import type { WorkflowInput, WorkflowPatch, WorkflowRecord } from '../../schemas/workflow.ts'
import { changedFields, record } from './audit.ts'
import { now, type Core } from './core.ts'
import { announceDispatch, dispatchesOf, skipPending } from './dispatches.ts'
import type { Workflows } from './face.ts'
import { findAgent } from './store.ts'
import { readTrigger, type StoredTrigger } from './trigger-input.ts'
import { versionedList } from './versioned-list.ts'

const TABLE = 'orchestrator_workflows'

/** What of a workflow can be changed. */
interface Definition {
  name: string
  agent_id: string
  trigger_config: StoredTrigger
  prompt_template: string
  poll_interval_secs: number
  enabled: boolean
  tool_policy: WorkflowToolPolicy
}

export interface WorkflowRow extends Definition {
  id: string
  created_at: string
  updated_at: string
}

export function createWorkflows(core: Core, trigger: Workflows['trigger']): Workflows {
  const announce = (workflow: { id: string; name: string }) =>
    core.feed.publish({ kind: 'workflows', id: workflow.id, name: workflow.name })
  const list = versionedList(core, {
    table: TABLE,
    key: 'id',
    order: [{ column: 'seq', order: 'desc' }],
    toRecord: (row) => toRecord(toRow(core, row)),
  })
  const shown = async (id: string) => toRecord(await getWorkflow(core, id))

  return {
    create: async (input, by, id = core.ids()) => {
      const present = await findWorkflow(core, id)
      if (present) return toRecord(present)
      const wanted = readInput(input)
      await checkAgent(core, wanted.agent_id)
      await write(core.db, async (transaction) => {
        await transaction(TABLE).insert({
          id,
          ...toColumns(core, wanted),
          created_at: now(core),
          updated_at: now(core),
        })
        await record(core, transaction, 'workflows', id, [''], by)
      }).catch(nameTaken(wanted.name))
      announce({ id, name: wanted.name })
      return shown(id)
    },
    get: shown,
    list: async () => [...(await list())],
    secret: async (id) => (await getWorkflow(core, id)).trigger_config.secret ?? null,
    patch: async (id, patch, by) => {
      const before = await getWorkflow(core, id)
      if (patch.agent_id !== undefined && patch.agent_id !== before.agent_id) await checkAgent(core, patch.agent_id)
      const { changed, skipped } = await write(core.db, async (transaction) => {
        const present = await getWorkflow(core, id, transaction)
        const wanted = mergePatch(present, patch)
        const fields = changedFields(definition(present), wanted)
        if (fields.length > 0) {
          await transaction(TABLE)
            .where({ id })
            .update({ ...toColumns(core, wanted), version: transaction.raw('version + 1'), updated_at: now(core) })
          await record(core, transaction, 'workflows', id, fields, by)
        }
        const disabled = present.enabled && !wanted.enabled
        return {
          changed: fields.length > 0,
          skipped: disabled
            ? await skipPending(core, transaction, { workflow_id: id }, 'the workflow was disabled')
            : [],
        }
      }).catch(nameTaken(patch.name ?? before.name))
      for (const dispatch of skipped) announceDispatch(core, dispatch)
      const after = await getWorkflow(core, id)
      if (changed) announce(after)
      return toRecord(after)
    },
    delete: async (id, by) => {
      const workflow = await getWorkflow(core, id)
      const skipped = await write(core.db, async (transaction) => {
        const dispatches = await skipPending(core, transaction, { workflow_id: id }, 'the workflow was deleted')
        await transaction(TABLE).where({ id }).delete()
        await record(core, transaction, 'workflows', id, [''], by)
        return dispatches
      })
      for (const dispatch of skipped) announceDispatch(core, dispatch)
      announce(workflow)
    },
    history: async (id) => {
      await getWorkflow(core, id)
      return dispatchesOf(core.db, id)
    },
    trigger,
  }
}

/** Throws 404. */
export async function getWorkflow(core: Core, id: string, on: Knex = core.db): Promise<WorkflowRow> {
  const workflow = await findWorkflow(core, id, on)
  if (!workflow) throw notFound('workflow', id)
  return workflow
}

async function findWorkflow(core: Core, id: string, on: Knex = core.db): Promise<WorkflowRow | null> {
  const query = on(TABLE).where({ id }).first()
  const row = await (on.isTransaction ? query.forUpdate() : query)
  return row ? toRow(core, row) : null
}

function readInput(input: WorkflowInput & { trigger_secret?: StoredTrigger['secret'] }): Definition {
  const given = input.trigger_config ?? input.source_config
  if (!given)
    throw invalid('trigger_config is missing: say what yields tasks, such as {"type": "manual"}', [
      { path: 'trigger_config', message: 'is missing' },
    ])
  if (input.trigger_config && input.source_config)
    throw invalid('trigger_config and source_config are the same member: keep one', [
      { path: 'source_config', message: 'is given twice' },
    ])
  return checked({
    name: input.name,
    agent_id: input.agent_id,
    trigger_config: readTrigger(given, null, input.trigger_secret),
    prompt_template: input.prompt_template,
    poll_interval_secs: input.poll_interval_secs ?? 60,
    enabled: input.enabled ?? true,
    tool_policy: readPolicy(input.tool_policy),
  })
}

/** A trigger may come as `source`, `trigger_config` or `source_config`. */
function mergePatch(present: WorkflowRow, patch: WorkflowPatch): Definition {
  const { source, trigger_config, source_config, tool_policy, ...rest } = patch
  const triggers = [source, trigger_config, source_config].filter((trigger) => trigger !== undefined)
  if (triggers.length > 1)
    throw invalid('source, trigger_config and source_config are the same member: keep one', [
      { path: 'trigger_config', message: 'is given twice' },
    ])
  return checked({
    ...definition(present),
    ...rest,
    ...(triggers[0] ? { trigger_config: readTrigger(triggers[0], present.trigger_config) } : {}),
    ...(tool_policy ? { tool_policy: readPolicy(tool_policy) } : {}),
  })
}

function readPolicy(policy: WorkflowToolPolicy | undefined): WorkflowToolPolicy {
  const faults = policy ? policyFaults(policy, ['tool_policy']) : []
  if (faults.length === 0) return canonicalPolicy<WorkflowToolPolicy['mode']>(policy, 'auto')
  throw invalid(
    faults.map((fault) => `${fault.message}: ${fault.hint}`).join('; '),
    faults.map((fault) => ({ path: fault.path.join('.'), message: fault.message })),
  )
}

/** Throws 400 for a template that cannot be rendered. */
function checked(wanted: Definition): Definition {
  const { errors } = checkTemplate(wanted.prompt_template, wanted.trigger_config.type)
  if (errors.length === 0) return wanted
  throw invalid(
    errors.map((error) => `prompt_template: ${error.message}`).join('; '),
    errors.map((error) => ({ path: 'prompt_template', message: error.message })),
  )
}

async function checkAgent(core: Core, agentId: string): Promise<void> {
  const agent = await findAgent(core, agentId)
  const reason =
    agent === null ? 'does not exist' : agent.status === 'running' ? null : `is ${agent.status}, not running`
  if (reason) throw invalid(`agent ${agentId} ${reason}: name a running agent`, [{ path: 'agent_id', message: reason }])
}

function nameTaken(name: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error)
      ? conflict(`a workflow named "${name}" exists already: choose another name, or change that one`)
      : error
  }
}

function definition({ id: _id, created_at: _created, updated_at: _updated, ...rest }: WorkflowRow): Definition {
  return rest
}

function toColumns(core: Core, { trigger_config, tool_policy, ...plain }: Definition): Record<string, unknown> {
  return { ...plain, trigger_config: core.vault.stringify(trigger_config), tool_policy: JSON.stringify(tool_policy) }
}

function toRow(core: Core, row: Record<string, any>): WorkflowRow {
  const { id, name, agent_id, prompt_template, poll_interval_secs, created_at, updated_at } = row
  return {
    id,
    name,
    agent_id,
    trigger_config: core.vault.parse(row.trigger_config),
    prompt_template,
    poll_interval_secs,
    enabled: Boolean(row.enabled),
    tool_policy: JSON.parse(row.tool_policy),
    created_at,
    updated_at,
  }
}

function toRecord(workflow: WorkflowRow): WorkflowRecord {
  const { type } = workflow.trigger_config
  const warnings = checkTemplate(workflow.prompt_template, type).warnings.map((warning) => warning.message)
  if (type !== 'manual')
    warnings.push(`trigger type ${type} does not fire by itself in this version: trigger it by hand`)
  const { id, name, agent_id, prompt_template, poll_interval_secs, enabled, tool_policy, created_at, updated_at } =
    workflow
  return {
    id,
    name,
    agent_id,
    trigger_config: mapSecrets(workflow.trigger_config, () => MASK) as WorkflowRecord['trigger_config'],
    prompt_template,
    poll_interval_secs,
    enabled,
    tool_policy,
    warnings,
    created_at,
    updated_at,
  }
}
