// Verbs on approvals: what waits for a person, and the person's answer.
import { Option, type Command } from 'commander'
import { APPROVAL_STATUSES, type Approval } from '../../../schemas/approval.ts'
import { approve, deny } from '../../../schemas/operations/orchestrator/approvals.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { connect } from '../../http-client.ts'
import { agentNames, findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { show } from '../../output/records.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { verb } from '../../verb.ts'
import { anApproval } from './subjects.ts'

interface ListOptions extends UrlOption, OutputOption {
  agentId?: string
  status?: Approval['status']
}

/** No verb: it is one of two calls. */
function defineList(command: Command): void {
  command
    .option('--agent-id <agent>', 'only of this agent: id, or name where unique')
    .addOption(new Option('--status <status>', 'only in this state').choices(APPROVAL_STATUSES))
  withExamples(withUrl(withOutput(command)), 'agent orchestrator list-approvals --status pending').action(list)
}

async function list({ agentId, status, ...options }: ListOptions): Promise<void> {
  const client = connect(group, options)
  const query = { status }
  const approvals =
    agentId === undefined
      ? await client.listApprovals({ query })
      : await client.listAgentApprovals({ params: { id: (await findAgent(agentId, options)).id }, query })
  const names = approvals.length > 0 ? await agentNames(options) : new Map<string, string>()
  show(approvals, options, () => approvalTable(approvals, names))
}

function approvalTable(approvals: Approval[], names: ReadonlyMap<string, string>): string {
  return renderTable(
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
  )
}

const decision = (name: 'approve' | 'deny', operation: typeof approve | typeof deny, summary: string): CommandEntry =>
  verb(name, group, operation, {
    summary,
    subject: anApproval,
    options: {
      reason: new Option('--reason <text>', 'kept on record; a denied agent is told'),
      scope: new Option('--scope <scope>', 'session: do not ask again for this tool until the context clears').choices([
        'once',
        'session',
      ]),
    },
    without: ['updated_input'],
    examples: [`agent orchestrator ${name} 1f3c9a2b --reason "checked by hand"`],
    done: (approval) => `${approval.tool_name} is ${approval.status} (${approval.id})`,
  })

export const approvalVerbs: readonly CommandEntry[] = [
  {
    name: 'list-approvals',
    summary: 'tool requests that wait, or waited, for a person',
    load: async () => ({ define: defineList }),
  },
  decision('approve', approve, 'let a held tool request go on'),
  decision('deny', deny, 'refuse a held tool request'),
]
