import { invalid } from '../../../platform/core/problem.ts'
import { checkTemplate } from '../../../schemas/workflow/template.ts'
import { canonicalPolicy, type WorkflowToolPolicy } from '../../../schemas/tools/policy.ts'
import type { WorkflowInput, WorkflowPatch } from '../../../schemas/workflow.ts'
import type { AgentStore } from '../record/agent-store.ts'
import { checkPolicy } from '../policy/validation.ts'
import type { StoredTrigger, WorkflowRow } from '../record/tables.ts'
import { readTrigger } from './trigger-input.ts'

export type Definition = Omit<WorkflowRow, 'id' | 'finished' | 'version' | 'created_at' | 'updated_at'>

/** Throws 400. */
export function readInput(input: WorkflowInput & { trigger_secret?: StoredTrigger['secret'] }): Definition {
  const given = input.trigger_config ?? input.source_config
  if (!given)
    throw invalid('trigger_config is missing: set a trigger, such as {"type": "manual"}', [
      { path: 'trigger_config', message: 'is missing', code: 'missing-member' },
    ])
  if (input.trigger_config && input.source_config)
    throw invalid('trigger_config and source_config are the same field: keep one', [
      { path: 'source_config', message: 'is given twice', code: 'conflicting-members' },
    ])
  return checkDefinition({
    name: input.name,
    agent_id: input.agent_id,
    trigger_config: readTrigger(given, null, input.trigger_secret),
    prompt_template: input.prompt_template,
    poll_interval_secs: input.poll_interval_secs ?? 60,
    enabled: input.enabled ?? true,
    on_restart: input.on_restart ?? null,
    tool_policy: readPolicy(input.tool_policy),
  })
}

/** The trigger may be named `source`, `trigger_config` or `source_config`. Throws 400. */
export function mergePatch(present: WorkflowRow, patch: WorkflowPatch): Definition {
  const { source, trigger_config, source_config, tool_policy, ...rest } = patch
  const triggers = [source, trigger_config, source_config].filter((trigger) => trigger !== undefined)
  if (triggers.length > 1)
    throw invalid('source, trigger_config and source_config are the same field: keep one', [
      { path: 'trigger_config', message: 'is given twice', code: 'conflicting-members' },
    ])
  return checkDefinition({
    ...definition(present),
    ...rest,
    ...(triggers[0] ? { trigger_config: readTrigger(triggers[0], present.trigger_config) } : {}),
    ...(tool_policy ? { tool_policy: readPolicy(tool_policy) } : {}),
  })
}

function readPolicy(policy: WorkflowToolPolicy | undefined): WorkflowToolPolicy {
  if (policy) checkPolicy(policy)
  return canonicalPolicy<WorkflowToolPolicy['mode']>(policy, 'auto')
}

function checkDefinition(wanted: Definition): Definition {
  const { errors } = checkTemplate(wanted.prompt_template, wanted.trigger_config.type)
  if (errors.length === 0) return wanted
  throw invalid(
    errors.map((error) => `prompt_template: ${error.message}`).join('; '),
    errors.map((error) => ({ path: 'prompt_template', message: error.message, code: 'invalid-value' })),
  )
}

/** Throws 400. */
export async function checkAgent(agents: AgentStore, agentId: string): Promise<void> {
  const agent = await agents.find(agentId)
  const reason =
    agent === null ? 'does not exist' : agent.status === 'running' ? null : `is ${agent.status}, not running`
  if (reason)
    throw invalid(`agent ${agent?.name ?? agentId} ${reason}: name a running agent`, [
      { path: 'agent_id', message: reason, code: 'invalid-value' },
    ])
  if (agent?.spec.interactive)
    throw invalid(
      `agent ${agent.name} is interactive and accepts no prompts: use an agent with interactive: false`,
      [{ path: 'agent_id', message: 'is interactive and accepts no prompts', code: 'agent-interactive' }],
      'agent-interactive',
    )
}

export function definition(row: WorkflowRow): Definition {
  const { id: _id, finished: _finished, version: _version, created_at: _created, updated_at: _updated, ...rest } = row
  return rest
}
