// `agent orchestrator usage`: tokens and cost of an agent, in this session and in all.
import type { Command } from 'commander'
import type { AgentUsage, Usage } from '../../../schemas/usage.ts'
import { formatDuration } from '../../duration.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { renderTable } from '../../table.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  withExamples(
    withUrl(withOutput(command.argument('<agent>', 'id, or name where unique'))),
    'agent orchestrator usage planner',
  ).action(showUsage)
}

async function showUsage(word: string, options: UrlOption & OutputOption): Promise<void> {
  const client = connect('orchestrator', options)
  const usage = await client.get<AgentUsage>(`/agents/${(await findAgent(client, word)).id}/usage`)
  show(usage, options, () => table(usage))
}

const ROWS: [string, (usage: Usage) => string | number][] = [
  ['input tokens', (usage) => usage.input_tokens],
  ['output tokens', (usage) => usage.output_tokens],
  ['cache read tokens', (usage) => usage.cache_read_input_tokens],
  ['cache creation tokens', (usage) => usage.cache_creation_input_tokens],
  ['cost', (usage) => `$${usage.total_cost_usd.toFixed(4)}`],
  ['turns', (usage) => usage.num_turns],
  ['results', (usage) => usage.result_count],
  ['time', (usage) => formatDuration(usage.duration_ms)],
]

function table({ current_session, cumulative, session_count }: AgentUsage): string {
  return renderTable(
    ROWS,
    [
      { title: '', value: ([title]) => title },
      { title: `SESSION ${session_count}`, value: ([, value]) => value(current_session) },
      { title: 'ALL', value: ([, value]) => value(cumulative) },
    ],
    'No usage.',
  )
}
