import { Option, type Command } from 'commander'
import { APPROVAL_STATUSES, type Approval } from '../../../schemas/tools/approval.ts'
import { approve, deny, getApproval } from '../../../schemas/operations/orchestrator/approvals.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { connect } from '../../http-client.ts'
import { agentNames, findAgent } from '../../lookup.ts'
import { withDaemon, withExamples, type DaemonOptions } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { approvalText, inputText } from '../../output/approvals.ts'
import { exact, paint } from '../../output/print.ts'
import { show } from '../../output/data.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { verb } from '../../verb.ts'
import { anApproval } from './subjects.ts'

interface ListOptions extends DaemonOptions {
  agentId?: string
  status?: Approval['status']
}

/** Not a verb: it makes one of two calls. */
function defineList(command: Command): void {
  command
    .option('--agent-id <agent>', 'Only this agent: id, or name if unique')
    .addOption(new Option('--status <status>', 'Only requests with this status').choices(APPROVAL_STATUSES))
  withExamples(withDaemon(command), 'agent orchestrator list-approvals --status pending').action(list)
}

async function list({ agentId, status, ...options }: ListOptions): Promise<void> {
  const client = connect(group, options)
  const query = { status }
  const approvals =
    agentId === undefined
      ? await client.listApprovals({ query })
      : await client.listAgentApprovals({ params: { id: (await findAgent(agentId, options)).id }, query })
  const names = approvals.length > 0 ? await agentNames(options) : new Map<string, string>()
  await show(approvals, options, () => approvalList(approvals, names))
}

/** Shows pending requests in full, because they are decided from this text; decided ones in a table. */
function approvalList(approvals: Approval[], names: ReadonlyMap<string, string>): string {
  const pending = approvals.filter(({ status }) => status === 'pending')
  const decided = approvals.filter(({ status }) => status !== 'pending')
  const waiting = pending.map((approval) => `${approvalText(approval, nameOf(approval, names))}\n`)
  const table = decided.length > 0 || pending.length === 0 ? [approvalTable(decided, names)] : []
  return [...waiting, ...table].join('\n')
}

const nameOf = ({ agent_id }: Approval, names: ReadonlyMap<string, string>) => names.get(agent_id) ?? agent_id

function approvalTable(approvals: Approval[], names: ReadonlyMap<string, string>): string {
  return renderTable(
    approvals,
    [
      { title: 'ID', value: (approval) => approval.id, kind: 'id' },
      { title: 'AGENT', value: (approval) => nameOf(approval, names) },
      { title: 'TOOL', value: (approval) => approval.tool_name },
      { title: 'STATUS', value: (approval) => approval.status },
      { title: 'BY', value: (approval) => approval.decided_by },
      { title: 'AGO', value: (approval) => age(approval.created_at), kind: 'time' },
      { title: 'INPUT', value: (approval) => exact(JSON.stringify(approval.tool_input)), kind: 'text' },
    ],
    'No approvals.',
  )
}

const decision = (name: 'approve' | 'deny', operation: typeof approve | typeof deny, summary: string): CommandEntry =>
  verb(name, group, operation, {
    summary,
    subject: anApproval,
    options: {
      reason: new Option('--reason <text>', 'Reason, kept and sent on denial; - reads standard input'),
      scope: new Option('--scope <scope>', 'Scope; session approves this tool until the context is cleared').choices([
        'once',
        'session',
      ]),
    },
    without: ['updated_input'],
    examples: [`agent orchestrator ${name} 1f3c9a2b --reason "checked by hand"`],
    done: async (approval, { options }) => {
      const agent = nameOf(approval, await agentNames(options))
      const head = `${approval.tool_name} is ${approval.status} for ${agent} (${approval.id.slice(0, 8)})`
      return `${paint().bold(exact(head))}\n${inputText(approval.tool_input)}`
    },
  })

const get = verb('get-approval', group, getApproval, {
  summary: 'Show a tool request with its full input',
  subject: anApproval,
  examples: ['agent orchestrator get-approval 1f3c9a2b'],
  done: async (approval, { options }) => approvalText(approval, nameOf(approval, await agentNames(options))),
})

export const approvalVerbs: readonly CommandEntry[] = [
  {
    name: 'list-approvals',
    summary: 'List pending and decided tool requests',
    load: async () => ({ define: defineList }),
  },
  get,
  decision('approve', approve, 'Approve a pending tool request'),
  decision('deny', deny, 'Deny a pending tool request'),
]
