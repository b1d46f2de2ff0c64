// `agent orchestrator list-workflows`: workflows, newest first.
import type { Command } from 'commander'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { connect } from '../../http-client.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { renderTable } from '../../table.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  withExamples(withUrl(withOutput(command)), 'agent orchestrator list-workflows').action(listWorkflows)
}

async function listWorkflows(options: UrlOption & OutputOption): Promise<void> {
  const client = connect('orchestrator', options)
  const [workflows, agents] = await Promise.all([
    client.get<WorkflowRecord[]>('/workflows'),
    client.get<AgentRecord[]>('/agents'),
  ])
  const names = new Map(agents.map((agent) => [agent.id, agent.name]))
  show(workflows, options, () =>
    renderTable(
      workflows,
      [
        { title: 'NAME', value: (workflow) => workflow.name },
        { title: 'AGENT', value: (workflow) => names.get(workflow.agent_id) ?? workflow.agent_id },
        { title: 'TRIGGER', value: (workflow) => workflow.trigger_config.type },
        {
          title: 'ENABLED',
          value: (workflow) => (workflow.enabled ? 'yes' : 'no'),
          colour: (workflow) => (workflow.enabled ? undefined : 'yellow'),
        },
        { title: 'POLICY', value: (workflow) => workflow.tool_policy.mode },
        { title: 'ID', value: (workflow) => workflow.id, least: 9 },
      ],
      'No workflow.',
    ),
  )
}
