// `agent orchestrator create-workflow`: pairs an agent with a trigger and a prompt template.
import type { Command } from 'commander'
import { POLICY_MODES, type WorkflowToolPolicy } from '../../../schemas/tool-policy.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { misuse } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { wholeNumber, withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show, warningLines, workflowLine } from '../record.ts'
import { templateText } from './template-text.ts'
import { policyOf, withPolicy, type PolicyOptions } from './tool-policy-options.ts'
import { triggerOf, withTrigger, type TriggerOptions } from './trigger-options.ts'

interface CreateOptions extends UrlOption, OutputOption, PolicyOptions, TriggerOptions {
  name: string
  agent: string
  template?: string
  templateFile?: string
  pollInterval?: number
  disabled?: boolean
}

export function define(command: Command): void {
  command
    .requiredOption('--name <name>', 'its name, unique')
    .requiredOption('--agent <agent>', 'the agent that does the work: id, or name where unique')
    .option('--template <text>', 'prompt template with {{placeholders}}')
    .option('--template-file <file>', 'file with the prompt template; - reads standard input')
    .option('--poll-interval <seconds>', 'seconds between polls (default: 60)', wholeNumber)
    .option('--disabled', 'create it disabled')
  const example =
    'agent orchestrator create-workflow --name triage --agent planner --trigger manual --template "Look at {{title}}: {{body}}"'
  withExamples(withUrl(withOutput(withPolicy(withTrigger(command), [...POLICY_MODES, 'auto']))), example).action(
    createWorkflow,
  )
}

async function createWorkflow(options: CreateOptions): Promise<void> {
  const template = await templateText(options.template, options.templateFile)
  if (template === undefined)
    throw misuse('the prompt template is missing', 'add --template TEXT or --template-file FILE')
  const client = connect('orchestrator', options)
  const workflow = await client.post<WorkflowRecord>('/workflows', {
    name: options.name,
    agent_id: (await findAgent(client, options.agent)).id,
    trigger_config: triggerOf({ trigger: 'manual', ...options }),
    prompt_template: template,
    poll_interval_secs: options.pollInterval,
    enabled: options.disabled ? false : undefined,
    tool_policy: policyOf<WorkflowToolPolicy['mode']>(options),
  })
  show(workflow, options, workflowLine(workflow) + warningLines(workflow.warnings))
}
