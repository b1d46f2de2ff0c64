// `agent orchestrator list-agents`: agents, newest first.
import { type Command, Option } from 'commander'
import { AGENT_STATUSES, type AgentRecord } from '../../../schemas/agent.ts'
import { age } from '../../duration.ts'
import { connect } from '../../http-client.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { renderTable } from '../../table.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  command.addOption(new Option('--status <status>', 'only agents in this state').choices(AGENT_STATUSES))
  withExamples(withUrl(withOutput(command)), 'agent orchestrator list-agents --status running').action(listAgents)
}

async function listAgents(options: UrlOption & OutputOption & { status?: string }): Promise<void> {
  const agents = await connect('orchestrator', options).get<AgentRecord[]>(
    `/agents${options.status ? `?status=${options.status}` : ''}`,
  )
  show(agents, options, () =>
    renderTable(
      agents,
      [
        { title: 'NAME', value: (agent) => agent.name },
        {
          title: 'STATUS',
          value: (agent) =>
            agent.status === 'running' && !agent.config.interactive && !agent.connected
              ? 'running, not connected'
              : agent.status,
          colour: (agent) => (agent.status === 'running' ? 'green' : agent.status === 'failed' ? 'red' : undefined),
        },
        { title: 'ACTIVITY', value: (agent) => agent.activity },
        { title: 'RUNTIME', value: (agent) => agent.config.runtime },
        { title: 'POLICY', value: (agent) => agent.config.tool_policy.mode },
        {
          title: 'MANAGED BY',
          value: (agent) => (agent.managed_by ? `${agent.managed_by.file}:${agent.managed_by.line}` : null),
        },
        { title: 'AGE', value: (agent) => age(agent.created_at) },
        { title: 'ID', value: (agent) => agent.id, least: 9 },
      ],
      'No agent.',
    ),
  )
}
