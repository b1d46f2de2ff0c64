// `agent orchestrator get-agent`: one agent, whole.
import type { Command } from 'commander'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { lines, show } from '../record.ts'

export function define(command: Command): void {
  withExamples(
    withUrl(withOutput(command.argument('<agent>', 'id, or name where unique'))),
    'agent orchestrator get-agent planner',
  ).action(getAgent)
}

async function getAgent(word: string, options: UrlOption & OutputOption): Promise<void> {
  const agent = await findAgent(connect('orchestrator', options), word)
  show(agent, options, () => lines(agent))
}
