// `agent status`: exits with 1 if a service or an agent is down.
import type { Command } from 'commander'
import { typed } from '../command-line.ts'
import type { AgentRecord } from '../../schemas/agent.ts'
import { common } from '../../schemas/operations/health.ts'
import type { Placed } from '../../schemas/operations/operation.ts'
import { orchestratorOperations } from '../../schemas/operations/orchestrator/index.ts'
import { everyService } from '../../schemas/operations/services.ts'
import { addressOf, isAnyPort, runtimeFile } from '../address.ts'
import { age, roughly } from '../output/duration.ts'
import { exitCode } from '../exit-codes.ts'
import { connect } from '../http-client.ts'
import { withDaemon, withExamples, type DaemonOptions, type UrlOption } from '../options.ts'
import { fitted, paint, visible } from '../output/print.ts'
import { show } from '../output/data.ts'
import { approvalsWaiting } from '../lookup.ts'
import { pendingApprovalsBanner } from '../output/approvals.ts'
import { fits, renderTable, type Column } from '../output/table.ts'
import { unsandboxedLine } from '../output/unsandboxed.ts'
import { failureText } from '../failure.ts'

interface ServiceHealth {
  service: string
  address: string
  /** `down` if the service is unreachable. */
  status: string
  version: string | null
  uptime_secs: number | null
  error: string | null
}

const PATIENCE_MS = 5000

export function define(command: Command): void {
  withExamples(withDaemon(command), 'agent status', 'agent status --json').action(showStatus)
}

async function showStatus(options: DaemonOptions): Promise<void> {
  const services =
    options.url === undefined
      ? await Promise.all(knownServices().map((about) => healthOf(about, {})))
      : [await healthOf(orchestratorOperations, options)]
  const orchestrator = services.find((service) => service.service.endsWith('orchestrator') && service.status !== 'down')
  const patient = { ...options, timeoutMs: PATIENCE_MS }
  const agents = orchestrator ? await connect(orchestratorOperations, patient).listAgents() : []
  const waiting = orchestrator ? await approvalsWaiting(patient) : 0
  await show({ services, agents, approvals_waiting: waiting }, options, () =>
    [pendingApprovalsBanner(waiting), glance(services, agents), unsandboxedLine(agents)].filter(Boolean).join('\n\n'),
  )
  if (areDown(services))
    process.stderr.write(
      failureText(new Error('no daemon is reachable')) +
        `hint: start one with "${typed`svc serve --manifests DIR`}" (or npm start)\n`,
    )
  process.exitCode = exitCode(
    services.some((service) => service.status === 'down') || agents.some((agent) => agent.status === 'failed')
      ? 'error'
      : 'ok',
  )
}

const areDown = (services: readonly ServiceHealth[]) => services.every(({ status }) => status === 'down')

/** Services of the running daemon, or the default ones without a runtime file. */
export function knownServices(): readonly Placed[] {
  const running = runtimeFile()?.services
  if (!running) return everyService
  const others = Object.keys(running).filter((name) => !everyService.some(({ service }) => service === name))
  return [
    ...everyService.filter(({ service }) => service in running),
    ...others.map((service) => ({ service, port: 0 })),
  ]
}

export async function healthOf(about: Placed, options: UrlOption): Promise<ServiceHealth> {
  const found = {
    service: `svc-${about.service}`,
    address: addressOf(about, options.url).base,
    version: null,
    uptime_secs: null,
    error: null,
  }
  try {
    const answer = await connect(common(about), { ...options, timeoutMs: PATIENCE_MS }).health()
    return {
      ...found,
      service: answer.service ?? found.service,
      status: answer.status,
      version: answer.version ?? null,
      uptime_secs: answer.uptime_secs ?? null,
      error: answer.reason ?? null,
    }
  } catch (error) {
    return { ...found, status: 'down', error: (error as Error).message }
  }
}

function glance(services: ServiceHealth[], agents: AgentRecord[]): string {
  const table = renderTable(
    services,
    [
      { title: 'SERVICE', value: (service) => service.service },
      {
        title: 'STATUS',
        value: (service) => service.status,
        colour: (service) => (service.status === 'ok' ? 'green' : service.status === 'down' ? 'red' : 'yellow'),
      },
      {
        title: 'UP',
        value: (service) => (service.uptime_secs === null ? null : roughly(service.uptime_secs * 1000)),
        kind: 'time',
      },
      { title: 'ADDRESS', value: ({ address }) => (isAnyPort(address) ? 'any free port' : address) },
    ],
    'No services.',
  )
  if (areDown(services)) return table
  const reasons = new Set(services.flatMap(({ status, error }) => (status === 'degraded' && error ? [error] : [])))
  const lines = [...reasons].map((reason) => `${paint().yellow('degraded:')} ${visible(reason)}\n`)
  return `${table}\n${fitted(lines.join(''))}${agentTable(agents)}`
}

/** Errors are never cut: if they do not fit into the table, they follow below it. */
function agentTable(all: AgentRecord[]): string {
  const agents = all.filter((agent) => agent.status !== 'stopped')
  const withNotes: readonly Column<AgentRecord>[] = [...agentColumns, { title: 'NOTE', value: noteOf, kind: 'text' }]
  if (!agents.some(noteOf)) return renderTable(agents, agentColumns, 'No agents.')
  if (fits(agents, withNotes)) return renderTable(agents, withNotes, 'No agents.')
  const notes = agents.flatMap((agent) => {
    const said = noteOf(agent)
    return said ? [`${paint().yellow(visible(agent.name))}: ${visible(said)}`] : []
  })
  return `${renderTable(agents, agentColumns, 'No agents.')}\n${fitted(notes.join('\n'))}`
}

const noteOf = (agent: AgentRecord): string | undefined => agent.last_error ?? agent.warnings[0]

const agentColumns: readonly Column<AgentRecord>[] = [
  { title: 'AGENT', value: (agent) => agent.name },
  {
    title: 'STATUS',
    value: (agent) => agent.status,
    colour: (agent) => ({ running: 'green', failed: 'red' } as const)[agent.status as 'running' | 'failed'] ?? 'yellow',
  },
  {
    title: 'CONNECTED',
    value: (agent) => (agent.connected ? 'yes' : agent.config.interactive ? 'interactive' : 'no'),
  },
  { title: 'ACTIVITY', value: (agent) => agent.activity },
  { title: 'AGE', value: (agent) => age(agent.created_at), kind: 'time' },
  { title: 'ID', value: (agent) => agent.id, kind: 'id' },
]
