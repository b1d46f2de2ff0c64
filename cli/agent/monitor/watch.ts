import { setTimeout as sleep } from 'node:timers/promises'
import { Option, type Command } from 'commander'
import { monitorOperations } from '../../../schemas/operations/monitor.ts'
import { connect } from '../../http-client.ts'
import { withExamples, withJsonLines, withUrl, type UrlOption } from '../../options.ts'
import { parseDuration } from '../../output/duration.ts'
import { watchOnScreen } from '../../output/screen.ts'
import { agentTable, metricsText, statusText } from './figures.ts'

interface WatchOptions extends UrlOption {
  interval: number
  json?: boolean
}

const LEAST_MS = 500
export function define(command: Command): void {
  command.addOption(
    new Option('--interval <time>', 'Time between updates').argParser(parseDuration).default(2000, '2s'),
  )
  withExamples(
    withUrl(withJsonLines(command)),
    'agent monitor watch',
    'agent monitor watch --json --interval 10s',
  ).action(watch)
}

async function watch(options: WatchOptions): Promise<void> {
  const client = connect(monitorOperations, options)
  const look = async (isScreen: boolean) => {
    const { metrics, alerts } = await client.collect()
    if (options.json) return `${JSON.stringify({ metrics, alerts })}\n`
    const [status, agents] = await Promise.all([client.getStatus(), client.listAgentLoads()])
    const text = [statusText(status), '', metricsText(metrics), '', agentTable(agents)].join('\n')
    return isScreen ? text : `${text.trimEnd()}\n\n`
  }
  const next = (signal: AbortSignal) => sleep(Math.max(options.interval, LEAST_MS), undefined, { signal })
  await watchOnScreen(look, next, { lines: options.json ?? false })
}
