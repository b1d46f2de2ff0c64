// `agent orchestrator delete-agent`: terminates an agent.
import type { Command } from 'commander'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { agentLine, show } from '../record.ts'

export function define(command: Command): void {
  command
    .argument('<agent>', 'id, or name where unique')
    .option('--purge', 'remove its record too, and its worktree when that is clean')
  withExamples(withUrl(withOutput(command)), 'agent orchestrator delete-agent helper --purge').action(deleteAgent)
}

async function deleteAgent(word: string, options: UrlOption & OutputOption & { purge?: boolean }): Promise<void> {
  const client = connect('orchestrator', options)
  const { id, name } = await findAgent(client, word)
  const agent = await client.delete<AgentRecord | undefined>(`/agents/${id}${options.purge ? '?purge=true' : ''}`)
  show(agent ?? { id, purged: true }, options, agent ? agentLine(agent) : `agent ${name} is gone (${id})`)
}
