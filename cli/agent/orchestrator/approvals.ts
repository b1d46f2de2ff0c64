import { Option, type Command } from 'commander'
import {
  APPROVAL_STATUSES,
  type AlikeResult,
  type Approval,
  type SimilarDecision,
} from '../../../schemas/tools/approval.ts'
import {
  approve,
  decideAlike,
  deny,
  getApproval,
  listSimilarApprovals,
  withdraw,
} from '../../../schemas/operations/orchestrator/approvals.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { connect } from '../../http-client.ts'
import { agentNames, findAgent } from '../../lookup.ts'
import { withDaemon, withExamples, type DaemonOptions } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { approvalDetail, approvalText, inputText } from '../../output/approvals.ts'
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

const reason = () => new Option('--reason <text>', 'Reason, kept and sent on denial; - reads standard input')
const scope = () =>
  new Option('--scope <scope>', 'Scope; session approves this tool until the context is cleared').choices([
    'once',
    'session',
  ])

const decision = (name: 'approve' | 'deny', operation: typeof approve | typeof deny, summary: string): CommandEntry =>
  verb(name, group, operation, {
    summary,
    subject: anApproval,
    options: { reason: reason(), scope: scope() },
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
  done: async (approval, { options }) => approvalDetail(approval, nameOf(approval, await agentNames(options))),
})

const similar = verb('similar-approvals', group, listSimilarApprovals, {
  subject: anApproval,
  examples: ['agent orchestrator similar-approvals 1f3c9a2b'],
  done: (decisions) => similarTable(decisions),
})

function similarTable(decisions: SimilarDecision[]): string {
  return renderTable(
    decisions,
    [
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
      { title: 'AGENT', value: ({ agent_id, agent_name }) => agent_name ?? agent_id },
      { title: 'STATUS', value: ({ status, edited }) => (edited ? `${status} with another input` : status) },
      { title: 'SCOPE', value: ({ scope }) => scope },
      { title: 'BY', value: ({ decided_by }) => decided_by },
      { title: 'AGO', value: ({ decided_at }) => age(decided_at), kind: 'time' },
      { title: 'REASON', value: ({ reason }) => reason, kind: 'text' },
    ],
    'No earlier decisions.',
  )
}

const together = verb('decide', group, decideAlike, {
  args: [
    { member: 'verdict', shown: '<verdict>', help: 'Verdict: approve or deny', choices: ['approve', 'deny'] },
    { member: 'ids', shown: '<approvals...>', help: 'Ids or id prefixes of requests for the same tool and input' },
  ],
  options: { reason: reason() },
  without: ['updated_input'],
  request: async (members, { options }) => {
    const found = (members.ids as string[]).map((word) => anApproval.find(word, options))
    return { ...members, ids: (await Promise.all(found)).map(({ id }) => id) }
  },
  examples: ['agent orchestrator decide approve 1f3c9a2b 7d20e4c1'],
  done: ({ results }) => resultTable(results),
  exit: ({ results }) => (results.every(({ problem }) => problem === null) ? 0 : 1),
})

function resultTable(results: AlikeResult[]): string {
  return renderTable(
    results,
    [
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
      { title: 'AGENT', value: ({ approval }) => approval && (approval.agent_name ?? approval.agent_id) },
      { title: 'STATUS', value: ({ approval }) => approval?.status ?? 'not decided' },
      { title: 'PROBLEM', value: ({ problem }) => problem && problem.detail, kind: 'text' },
    ],
    'No approvals.',
  )
}

const withdrawal = verb('withdraw', group, withdraw, {
  subject: anApproval,
  examples: ['agent orchestrator withdraw 1f3c9a2b'],
  done: async (approval, { options }) => approvalText(approval, nameOf(approval, await agentNames(options))),
})

export const approvalVerbs: readonly CommandEntry[] = [
  {
    name: 'list-approvals',
    summary: 'List pending and decided tool requests',
    load: async () => ({ define: defineList }),
  },
  get,
  similar,
  decision('approve', approve, 'Approve a pending tool request'),
  decision('deny', deny, 'Deny a pending tool request'),
  together,
  withdrawal,
]
