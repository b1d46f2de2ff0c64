// What `approve` and `deny` have in common.
import { type Command, Option } from 'commander'
import type { Approval } from '../../../schemas/approval.ts'
import { connect } from '../../http-client.ts'
import { approvalId } from '../../lookup.ts'
import { withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show } from '../record.ts'

interface DecisionOptions extends UrlOption, OutputOption {
  reason?: string
  scope?: string
}

export function withDecision(command: Command): Command {
  command
    .argument('<approval>', 'id, or its first characters')
    .option('--reason <text>', 'kept on record; a denied agent is told')
  command.addOption(
    new Option('--scope <scope>', 'session: do not ask again for this tool until the context clears').choices([
      'once',
      'session',
    ]),
  )
  return withUrl(withOutput(command))
}

export function decide(verb: 'approve' | 'deny') {
  return async (word: string, options: DecisionOptions): Promise<void> => {
    const client = connect('orchestrator', options)
    const id = await approvalId(client, word)
    const decision = {
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      ...(options.scope === undefined ? {} : { scope: options.scope }),
    }
    const approval = await client.post<Approval>(
      `/approvals/${id}/${verb}`,
      Object.keys(decision).length > 0 ? decision : undefined,
    )
    show(approval, options, `${approval.tool_name} is ${approval.status} (${approval.id})`)
  }
}
