import { Option } from 'commander'
import { typed } from '../../command-line.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import * as operations from '../../../schemas/operations/orchestrator/workflows.ts'
import { POLICY_MODES } from '../../../schemas/tools/policy.ts'
import type { DispatchRecord, WorkflowRecord } from '../../../schemas/workflow.ts'
import { addressOf } from '../../address.ts'
import { misuse } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { agentNames, findAgent } from '../../lookup.ts'
import { pairs, wholeNumber } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { lines, warningLines, webhookUrl, workflowLine } from '../../output/records.ts'
import { visible } from '../../output/print.ts'
import { renderTable, type Column } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { verb, type Typed } from '../../verb.ts'
import { waitForAnswer, withAnswer } from './answer.ts'
import { aWorkflow } from './subjects.ts'
import { templateText } from './template-text.ts'
import { policyOf, withPolicy } from './tool-policy-options.ts'
import { triggerOf, withTrigger } from './trigger-options.ts'

type Members = Record<string, any>

/** Fields that are set by dedicated options. */
const DEDICATED_OPTIONS = ['prompt_template', 'enabled', 'tool_policy', 'source', 'trigger_config', 'source_config']
const WORKFLOW_POLICIES = [...POLICY_MODES, 'auto']

async function createRequest(members: Members, { options }: Typed): Promise<Members> {
  const template = await templateText(options.template, options.templateFile)
  if (template === undefined)
    throw misuse('the prompt template is missing', 'pass --template TEXT or --template-file FILE')
  return {
    ...members,
    agent_id: (await findAgent(members.agent_id, options)).id,
    trigger_config: triggerOf({ trigger: 'manual', ...options }),
    prompt_template: template,
    enabled: options.disabled ? false : undefined,
    tool_policy: policyOf(options),
  }
}

async function updateRequest(members: Members, { options }: Typed): Promise<Members> {
  if (options.enable && options.disable)
    throw misuse('--enable and --disable are mutually exclusive', 'use one of the two')
  const patch = {
    ...members,
    agent_id: members.agent_id === undefined ? undefined : (await findAgent(members.agent_id, options)).id,
    prompt_template: await templateText(options.template, options.templateFile),
    enabled: options.enable ? true : options.disable ? false : undefined,
    trigger_config: triggerOf(options),
    tool_policy: policyOf(options),
  }
  if (Object.values(patch).every((value) => value === undefined))
    throw misuse('nothing to change', 'pass what to change, such as --disable or --template TEXT')
  return patch
}

const webhookOf = (workflow: WorkflowRecord, { options }: Typed) =>
  webhookUrl(workflow, addressOf(group, options.url).base)

function savedLine(workflow: WorkflowRecord, about: Typed): string {
  const url = webhookOf(workflow, about)
  return workflowLine(workflow) + (url ? `\nwebhook: ${url}` : '') + warningLines(workflow.warnings)
}

const columnsOf = (names: ReadonlyMap<string, string>): Column<WorkflowRecord>[] => [
  { title: 'NAME', value: (workflow) => workflow.name },
  { title: 'AGENT', value: (workflow) => names.get(workflow.agent_id) ?? workflow.agent_id },
  { title: 'TRIGGER', value: (workflow) => workflow.trigger_config.type },
  {
    title: 'ENABLED',
    value: (workflow) => (workflow.enabled ? 'yes' : 'no'),
    colour: (workflow) => (workflow.enabled ? undefined : 'yellow'),
  },
  { title: 'POLICY', value: (workflow) => workflow.tool_policy.mode, kind: 'extra' },
  { title: 'ID', value: (workflow) => workflow.id, kind: 'id' },
]

const DISPATCH_COLUMNS: Column<DispatchRecord>[] = [
  { title: 'DISPATCH', value: (dispatch) => dispatch.id.slice(0, 8) },
  {
    title: 'STATUS',
    value: (dispatch) => dispatch.status,
    colour: ({ status }) => (status === 'failed' ? 'red' : status === 'completed' ? 'green' : undefined),
  },
  { title: 'TASK', value: (dispatch) => dispatch.source_id, kind: 'id' },
  { title: 'ATTEMPT', value: (dispatch) => dispatch.attempt, kind: 'extra' },
  { title: 'AGO', value: (dispatch) => age(dispatch.created_at), kind: 'time' },
  { title: 'RESULT', value: (dispatch) => dispatch.error ?? dispatch.result, kind: 'text' },
]

const creating = verb('create-workflow', group, operations.createWorkflow, {
  summary: 'Create a workflow: a trigger, a template and an agent',
  options: {
    name: new Option('--name <name>', 'Unique name'),
    agent_id: new Option('--agent <agent>', 'Agent that does the work: id, or name if unique'),
    poll_interval_secs: new Option('--poll-interval <seconds>', 'Seconds between polls (default: 60)').argParser(
      wholeNumber,
    ),
  },
  without: DEDICATED_OPTIONS,
  more: (command) =>
    withPolicy(
      withTrigger(
        command
          .option('--template <text>', 'Template with {{placeholders}}; - reads standard input')
          .option('--template-file <file>', 'File with the prompt template; - reads standard input')
          .option('--disabled', 'Create the workflow disabled'),
      ),
      WORKFLOW_POLICIES,
    ),
  request: createRequest,
  examples: [
    'agent orchestrator create-workflow --name triage --agent planner --trigger manual --template "Look at {{title}}: {{body}}"',
  ],
  done: savedLine,
})

const updating = verb('update-workflow', group, operations.updateWorkflow, {
  summary: 'Update a workflow, effective immediately',
  subject: aWorkflow,
  options: {
    name: new Option('--name <name>', 'New name'),
    agent_id: new Option('--agent <agent>', 'New agent: id, or name if unique'),
    poll_interval_secs: new Option('--poll-interval <seconds>', 'Seconds between polls').argParser(wholeNumber),
  },
  without: DEDICATED_OPTIONS,
  more: (command) =>
    withPolicy(
      withTrigger(
        command
          .option('--template <text>', 'New prompt template; - reads standard input')
          .option('--template-file <file>', 'File with the new prompt template; - reads standard input')
          .option('--enable', 'Enable the workflow')
          .option('--disable', 'Disable the workflow'),
      ),
      WORKFLOW_POLICIES,
    ),
  request: updateRequest,
  examples: ['agent orchestrator update-workflow triage --disable'],
  done: savedLine,
})

export const workflowVerbs: readonly CommandEntry[] = [
  creating,
  verb('list-workflows', group, operations.listWorkflows, {
    summary: 'List workflows, newest first',
    examples: ['agent orchestrator list-workflows'],
    done: async (workflows, { options }) =>
      renderTable(workflows, columnsOf(await agentNames(options)), 'No workflows.'),
  }),
  verb('get-workflow', group, operations.getWorkflow, {
    summary: 'Show a workflow',
    subject: aWorkflow,
    examples: ['agent orchestrator get-workflow triage'],
    done: (workflow, about) => lines({ ...workflow, webhook_url: webhookOf(workflow, about) }),
  }),
  updating,
  verb('delete-workflow', group, operations.deleteWorkflow, {
    summary: 'Delete a workflow',
    subject: aWorkflow,
    examples: ['agent orchestrator delete-workflow triage'],
    done: (_reply, { subject: { id, name } }) => `workflow ${visible(name)} deleted (${id})`,
    json: (_reply, { subject: { id } }) => ({ id, deleted: true }),
  }),
  verb('preview-prompt', group, operations.previewPrompt, {
    summary: 'Show a template rendered with the task of a dispatch',
    subject: aWorkflow,
    without: ['template'],
    options: { dispatch_id: new Option('--dispatch <id>', 'Dispatch with the task (default: the latest one)') },
    more: (command) =>
      command.addOption(new Option('--template-file <file>', 'File with another template; - reads standard input')),
    request: async (members, { options }) => ({
      ...members,
      template: await templateText(undefined, options.templateFile),
    }),
    examples: [
      'agent orchestrator preview-prompt triage',
      'agent orchestrator preview-prompt triage --template-file prompt.md',
    ],
    done: ({ prompt }) => visible(prompt),
  }),
  verb('trigger-workflow', group, operations.triggerWorkflow, {
    summary: 'Run a workflow now with a given task',
    subject: aWorkflow,
    options: {
      title: new Option('--title <text>', 'Title of the task'),
      body: new Option('--body <text>', 'Body of the task; - reads standard input'),
      metadata: new Option('--metadata <key=value>', 'Variable for the template (repeatable)').argParser(
        pairs('--metadata', 'area=auth', 'key'),
      ),
    },
    more: withAnswer,
    examples: [
      'agent orchestrator trigger-workflow triage --title "Login fails" --metadata area=auth',
      'agent orchestrator trigger-workflow triage --title "Login fails" --wait',
    ],
    wait: async (dispatch, { subject, options }) =>
      options.wait
        ? waitForAnswer({
            agent: { id: dispatch.agent_id, name: (await agentNames(options)).get(dispatch.agent_id) ?? 'the agent' },
            what: `dispatch ${dispatch.id.slice(0, 8)} of workflow ${subject.name}`,
            later: typed`agent orchestrator workflow-history ${subject.name}`,
            options,
            look: () => connect(group, options).getDispatch({ params: { id: subject.id, dispatch_id: dispatch.id } }),
          })
        : null,
    done: (dispatch, { subject: { name } }) =>
      `dispatch ${dispatch.id.slice(0, 8)} is ${dispatch.status}; follow it with: ${typed`agent orchestrator workflow-history ${name}`}`,
  }),
  verb('workflow-history', group, operations.listDispatches, {
    summary: 'List the dispatches of a workflow, newest first',
    aliases: ['dispatch-history'],
    subject: aWorkflow,
    examples: ['agent orchestrator workflow-history triage'],
    done: (dispatches) => renderTable(dispatches, DISPATCH_COLUMNS, 'No dispatches yet.'),
  }),
]
