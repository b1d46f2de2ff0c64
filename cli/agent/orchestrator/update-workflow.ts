// `agent orchestrator update-workflow`: changes a workflow, at once.
import type { Command } from 'commander'
import { POLICY_MODES, type WorkflowToolPolicy } from '../../../schemas/tool-policy.ts'
import type { WorkflowPatch, WorkflowRecord } from '../../../schemas/workflow.ts'
import { misuse } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { findAgent, findWorkflow } from '../../lookup.ts'
import { wholeNumber, withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show, warningLines, workflowLine } from '../record.ts'
import { templateText } from './template-text.ts'
import { policyOf, withPolicy, type PolicyOptions } from './tool-policy-options.ts'
import { triggerOf, withTrigger, type TriggerOptions } from './trigger-options.ts'

interface UpdateOptions extends UrlOption, OutputOption, PolicyOptions, TriggerOptions {
  name?: string
  agent?: string
  template?: string
  templateFile?: string
  pollInterval?: number
  enable?: boolean
  disable?: boolean
}

export function define(command: Command): void {
  command
    .argument('<workflow>', 'id or name')
    .option('--name <name>', 'a new name')
    .option('--agent <agent>', 'another agent: id, or name where unique')
    .option('--template <text>', 'a new prompt template')
    .option('--template-file <file>', 'file with the new prompt template; - reads standard input')
    .option('--poll-interval <seconds>', 'seconds between polls', wholeNumber)
    .option('--enable', 'take tasks')
    .option('--disable', 'take no more tasks')
  withExamples(
    withUrl(withOutput(withPolicy(withTrigger(command), [...POLICY_MODES, 'auto']))),
    'agent orchestrator update-workflow triage --disable',
  ).action(updateWorkflow)
}

async function updateWorkflow(word: string, options: UpdateOptions): Promise<void> {
  if (options.enable && options.disable) throw misuse('--enable and --disable exclude each other', 'give one of them')
  const client = connect('orchestrator', options)
  const patch: WorkflowPatch = {
    name: options.name,
    agent_id: options.agent === undefined ? undefined : (await findAgent(client, options.agent)).id,
    prompt_template: await templateText(options.template, options.templateFile),
    poll_interval_secs: options.pollInterval,
    enabled: options.enable ? true : options.disable ? false : undefined,
    trigger_config: triggerOf(options),
    tool_policy: policyOf<WorkflowToolPolicy['mode']>(options),
  }
  if (Object.values(patch).every((value) => value === undefined))
    throw misuse('nothing to change', 'say what, for example --disable or --template TEXT')
  const workflow = await client.patch<WorkflowRecord>(`/workflows/${(await findWorkflow(client, word)).id}`, patch)
  show(workflow, options, workflowLine(workflow) + warningLines(workflow.warnings))
}
