import { Option } from 'commander'
import type { Collected, MonitorStatus, SystemMetrics } from '../../../schemas/monitor/metrics.ts'
import * as operations from '../../../schemas/operations/monitor.ts'
import { age, parseDuration } from '../../output/duration.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { verb } from '../../verb.ts'
import { agentTable, diskText, metricsText, size, statusText } from './figures.ts'

const group = operations.monitorOperations

export const monitor: readonly CommandEntry[] = [
  verb('metrics', group, operations.getMetrics, {
    examples: ['agent monitor metrics', 'agent monitor metrics --json | jq .cpu.usage_percent'],
    done: (metrics: SystemMetrics) => metricsText(metrics),
  }),
  verb('collect', group, operations.collect, {
    examples: ['agent monitor collect'],
    done: ({ metrics, alerts }: Collected) =>
      [metricsText(metrics), ...alerts.map(({ message }) => message)].join('\n'),
  }),
  verb('history', group, operations.listHistory, {
    without: ['until'],
    options: {
      since: new Option('--since <time>', 'Means of this time, such as 24h').argParser(parseDuration),
      step: new Option('--step <time>', 'Time of each mean (default: 1m)').argParser(parseDuration),
    },
    request: ({ since, step }) => ({
      ...(since === undefined ? {} : { since: new Date(Date.now() - (since as number)).toISOString() }),
      ...(step === undefined ? {} : { step: Math.round((step as number) / 1000) }),
    }),
    examples: ['agent monitor history', 'agent monitor history --since 24h --step 30m'],
    done: (history) =>
      renderTable(
        history,
        [
          { title: 'COLLECTED', value: ({ collected_at }) => `${age(collected_at)} ago` },
          { title: 'CPU', value: ({ cpu }) => `${cpu.usage_percent.toFixed(1)} %` },
          { title: 'MEMORY', value: ({ memory }) => `${memory.usage_percent.toFixed(1)} %` },
          { title: 'USED', value: ({ memory }) => size(memory.used_bytes) },
          { title: 'LOAD', value: ({ load_average }) => load_average.one.toFixed(2) },
        ],
        'No metrics yet.',
      ),
  }),
  verb('status', group, operations.getStatus, {
    summary: 'Show status and alerts; exit 1 if critical',
    examples: ['agent monitor status'],
    done: (status: MonitorStatus) => statusText(status),
    exit: ({ status }) => (status === 'critical' ? 1 : 0),
  }),
  verb('disk', group, operations.getDisk, { examples: ['agent monitor disk'], done: diskText }),
  verb('agents', group, operations.listAgentLoads, { examples: ['agent monitor agents'], done: agentTable }),
  { name: 'watch', summary: 'Show live metrics until Ctrl-C', load: () => import('./watch.ts') },
  healthVerb('monitor', group, 'Check the health of the monitor'),
]
