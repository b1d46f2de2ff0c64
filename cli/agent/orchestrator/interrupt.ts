// `agent orchestrator interrupt`: stops what an agent is doing now.
import type { Command } from 'commander'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  withExamples(
    withUrl(withOutput(command.argument('<agent>', 'id, or name where unique'))),
    'agent orchestrator interrupt planner',
  ).action(interrupt)
}

async function interrupt(word: string, options: UrlOption & OutputOption): Promise<void> {
  const client = connect('orchestrator', options)
  const agent = await findAgent(client, word)
  await client.post(`/agents/${agent.id}/interrupt`)
  show({ agent_id: agent.id, interrupted: true }, options, `${agent.name} was asked to stop`)
}
