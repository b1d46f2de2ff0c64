import { Option, type Command } from 'commander'
import {
  USAGE_HOURS,
  type AgentUsage,
  type Usage,
  type UsageHistory,
  type UsagePeriod,
} from '../../../schemas/agent/usage.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { wholeNumber, withDaemon, withExamples, type DaemonOptions } from '../../options.ts'
import { show } from '../../output/data.ts'
import { formatDuration } from '../../output/duration.ts'
import { renderTable, type Column } from '../../output/table.ts'

interface UsageOptions extends DaemonOptions {
  hours?: number
}

/** Not a verb: it makes one of two calls. */
export function define(command: Command): void {
  const { default: usual, most } = USAGE_HOURS
  command
    .argument('[agent]', 'Id, or name if unique; default all agents, per hour')
    .addOption(
      new Option('--hours <count>', `Per hour, so many hours; default ${usual}, at most ${most}`).argParser(
        wholeNumber,
      ),
    )
  withExamples(
    withDaemon(command),
    'agent orchestrator usage',
    'agent orchestrator usage planner',
    'agent orchestrator usage planner --hours 48',
  ).action(usage)
}

async function usage(word: string | undefined, { hours, ...options }: UsageOptions): Promise<void> {
  const client = connect(group, options)
  const id = word === undefined ? undefined : (await findAgent(word, options)).id
  if (id === undefined || hours !== undefined) {
    const history = await client.getUsageHistory({ query: { hours, agent: id } })
    return show(history, options, () => historyTable(history))
  }
  const ofAgent = await client.getUsage({ params: { id } })
  return show(ofAgent, options, () => sessionTable(ofAgent))
}

const USAGE_ROWS: [string, (usage: Usage) => string | number][] = [
  ['input tokens', (usage) => usage.input_tokens],
  ['output tokens', (usage) => usage.output_tokens],
  ['cache read tokens', (usage) => usage.cache_read_input_tokens],
  ['cache creation tokens', (usage) => usage.cache_creation_input_tokens],
  ['cost', (usage) => costText(usage)],
  ['turns', (usage) => usage.num_turns],
  ['results', (usage) => usage.result_count],
  ['time', (usage) => formatDuration(usage.duration_ms)],
]

const costText = ({ total_cost_usd }: Pick<Usage, 'total_cost_usd'>): string => `$${total_cost_usd.toFixed(4)}`

function sessionTable({ current_session, cumulative, session_count }: AgentUsage): string {
  return renderTable(
    USAGE_ROWS,
    [
      { title: '', value: ([title]) => title },
      { title: `SESSION ${session_count}`, value: ([, value]) => value(current_session) },
      { title: 'ALL', value: ([, value]) => value(cumulative) },
    ],
    'No usage.',
  )
}

const HISTORY_COLUMNS: Column<[string, UsagePeriod]>[] = [
  { title: 'HOUR (UTC)', value: ([title]) => title },
  { title: 'INPUT', value: ([, period]) => period.input_tokens },
  { title: 'OUTPUT', value: ([, period]) => period.output_tokens },
  { title: 'CACHE READ', value: ([, period]) => period.cache_read_input_tokens },
  { title: 'CACHE NEW', value: ([, period]) => period.cache_creation_input_tokens },
  { title: 'COST', value: ([, period]) => costText(period) },
  { title: 'TURNS', value: ([, period]) => period.num_turns },
]

/** Hours without usage are left out. */
function historyTable({ hours, total, today }: UsageHistory): string {
  const used = hours.filter(({ result_count }) => result_count > 0)
  const rows: [string, UsagePeriod][] = [
    ...used.map((hour): [string, UsagePeriod] => [hourText(hour), hour]),
    [hours.length === 1 ? 'this hour' : `${hours.length} hours`, total],
    ['today', today],
  ]
  const isEmpty = used.length === 0 && today.result_count === 0
  return renderTable(isEmpty ? [] : rows, HISTORY_COLUMNS, `No usage in ${hours.length} hours.`)
}

/** `2030-01-31 09:00` */
const hourText = ({ start }: UsagePeriod): string => start.slice(0, 16).replace('T', ' ')
