// `agent orchestrator get-policy`: which tools an agent may use.
import type { Command } from 'commander'
import type { ToolPolicy } from '../../../schemas/tool-policy.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { lines, show } from '../record.ts'

export function define(command: Command): void {
  withExamples(
    withUrl(withOutput(command.argument('<agent>', 'id, or name where unique'))),
    'agent orchestrator get-policy planner',
  ).action(getPolicy)
}

async function getPolicy(word: string, options: UrlOption & OutputOption): Promise<void> {
  const client = connect('orchestrator', options)
  const policy = await client.get<ToolPolicy>(`/agents/${(await findAgent(client, word)).id}/policy`)
  show(policy, options, () => lines(policy))
}
