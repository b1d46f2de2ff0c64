// `agent orchestrator list-approvals`: tool requests that wait, or waited, for a person.
import { type Command, Option } from 'commander'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { APPROVAL_STATUSES, type Approval } from '../../../schemas/approval.ts'
import { age } from '../../duration.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { renderTable } from '../../table.ts'
import { show } from '../record.ts'

interface ListOptions extends UrlOption, OutputOption {
  agentId?: string
  status?: string
}

export function define(command: Command): void {
  command
    .option('--agent-id <agent>', 'only of this agent: id, or name where unique')
    .addOption(new Option('--status <status>', 'only in this state').choices(APPROVAL_STATUSES))
  withExamples(withUrl(withOutput(command)), 'agent orchestrator list-approvals --status pending').action(listApprovals)
}

async function listApprovals(options: ListOptions): Promise<void> {
  const client = connect('orchestrator', options)
  const query = options.status ? `?status=${options.status}` : ''
  const path =
    options.agentId === undefined ? '/approvals' : `/agents/${(await findAgent(client, options.agentId)).id}/approvals`
  const approvals = await client.get<Approval[]>(path + query)
  const names = new Map(
    (approvals.length > 0 ? await client.get<AgentRecord[]>('/agents') : []).map((agent) => [agent.id, agent.name]),
  )
  show(approvals, options, () =>
    renderTable(
      approvals,
      [
        { title: 'ID', value: (approval) => approval.id, least: 9 },
        { title: 'AGENT', value: (approval) => names.get(approval.agent_id) ?? approval.agent_id },
        { title: 'TOOL', value: (approval) => approval.tool_name },
        { title: 'INPUT', value: (approval) => JSON.stringify(approval.tool_input) },
        {
          title: 'STATUS',
          value: (approval) => approval.status,
          colour: (approval) => (approval.status === 'pending' ? 'yellow' : undefined),
        },
        { title: 'BY', value: (approval) => approval.decided_by },
        { title: 'AGO', value: (approval) => age(approval.created_at) },
      ],
      'No approval.',
    ),
  )
}
