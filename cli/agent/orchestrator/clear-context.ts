// `agent orchestrator clear-context`: a new conversation for an agent.
import type { Command } from 'commander'
import type { ContextCleared } from '../../../schemas/usage.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  withExamples(
    withUrl(withOutput(command.argument('<agent>', 'id, or name where unique'))),
    'agent orchestrator clear-context planner',
  ).action(clearContext)
}

async function clearContext(word: string, options: UrlOption & OutputOption): Promise<void> {
  const client = connect('orchestrator', options)
  const agent = await findAgent(client, word)
  const cleared = await client.post<ContextCleared>(`/agents/${agent.id}/clear-context`)
  show(
    cleared,
    options,
    `${agent.name} begins session ${cleared.new_session_number}; the last one took ${cleared.session_usage.input_tokens} tokens in, ${cleared.session_usage.output_tokens} out`,
  )
}
