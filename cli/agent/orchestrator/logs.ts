// `agent orchestrator logs`: the last lines of an agent's terminal.
import type { Command } from 'commander'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { wholeNumber, withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { visible } from '../../output.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  command.argument('<agent>', 'id, or name where unique').option('--lines <count>', 'how many', wholeNumber, 100)
  withExamples(withUrl(withOutput(command)), 'agent orchestrator logs planner --lines 20').action(showLogs)
}

async function showLogs(word: string, options: UrlOption & OutputOption & { lines: number }): Promise<void> {
  const client = connect('orchestrator', options)
  const agent = await findAgent(client, word)
  const logs = await client.get<{ lines: string }>(`/agents/${agent.id}/logs?lines=${options.lines}`)
  show({ agent_id: agent.id, ...logs }, options, () => visible(logs.lines))
}
