// Waits for the first pass of a start and prints a summary.
import { setTimeout as sleep } from 'node:timers/promises'
import { typed } from '../../command-line.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { findKind, kinds } from '../../../schemas/kinds.ts'
import type { Resource } from '../../../schemas/resource.ts'
import type { Run } from '../../../schemas/run.ts'
import type { Source } from '../../../schemas/source.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { connect } from '../../http-client.ts'
import { connectController, type ControllerClient } from '../../controller-client.ts'
import { condition, isReady } from '../../manifests/readiness.ts'
import { formatDuration } from '../../output/duration.ts'
import { paint, visible } from '../../output/print.ts'
import { pageAddress } from '../../page/address.ts'
import { config } from '../../settings.ts'
import { VERSION } from '../../version.ts'
import { firstLines, nameList } from '../../output/name-lists.ts'
import { unsandboxedLine } from '../../output/unsandboxed.ts'
import { appliedPath } from '../../../schemas/sync/applied-source.ts'

const FIRST_PASS_MS = 60_000
const LOOK_EVERY_MS = 200
/** Checks runs for failures only every nth poll. */
const RUNS_EVERY = 10
const AT_ONCE = 200
/** Runs to read; older ones are not from this start. */
const LATEST_RUNS = 50
/** Maximum names per kind or problem. */
const MOST_NAMED = 10

export interface Summary {
  version: string
  took_ms: number
  services: Readonly<Record<string, string>>
  /** Address of the web page; null without a controller. */
  page: string | null
  sources: { name: string; location: string; mode: string; error: string | null }[]
  /** Names of created resources by kind. */
  created: Record<string, string[]>
  /** Null without a controller. */
  resources: Resource[] | null
  failed: string[]
  /** Name of an idle agent that can answer at once, or null. */
  idle_agent: string | null
  /** Agents that run without a sandbox; null if none do. */
  unsandboxed: string | null
}

/** Summary without a controller. */
export const servicesOnly = (services: Summary['services'], startedAt: number): Summary => ({
  version: VERSION,
  took_ms: Date.now() - startedAt,
  services,
  page: services.controller === undefined ? null : pageAddress(services.controller, config().publicUrl),
  sources: [],
  created: {},
  resources: null,
  failed: [],
  idle_agent: null,
  unsandboxed: null,
})

/** Waits until every automatic source is applied and Ready. `headersOf`: headers that identify the daemon. */
export async function waitForFirstPass(
  services: Summary['services'],
  startedAt: number,
  headersOf: () => Readonly<Record<string, string>>,
): Promise<Summary> {
  if (services.controller === undefined) return servicesOnly(services, startedAt)
  const headers = headersOf()
  const client = connectController({ url: services.controller, headers })
  const since = new Date(startedAt).toISOString()
  for (let look = 0; !(await isSettled(client, since, look)) && Date.now() - startedAt < FIRST_PASS_MS; look++)
    await sleep(LOOK_EVERY_MS)
  const [sources, resources, page, agents] = await Promise.all([
    client.listSources(),
    allResources(client),
    client.listRuns({ query: { limit: LATEST_RUNS } }),
    services.orchestrator === undefined
      ? []
      : connect(orchestratorOperations, { url: services.orchestrator, headers }).listAgents(),
  ])
  const ours = page.items.filter((run) => run.started_at >= since)
  return {
    ...servicesOnly(services, startedAt),
    sources: sources.map(sourceLine),
    resources,
    ...outcome(ours),
    idle_agent: idleAgent(agents),
    unsandboxed: unsandboxedLine(agents),
  }
}

/** In pages: one large response would block the daemon's event loop. */
async function allResources(client: ControllerClient): Promise<Resource[]> {
  const all: Resource[] = []
  for (;;) {
    const { items, total } = await client.listResources({ query: { limit: AT_ONCE, offset: all.length } })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

/** An idle agent that works without approval. */
function idleAgent(agents: readonly AgentRecord[]): string | null {
  const free = agents.filter(
    ({ activity, connected, config }) =>
      connected && activity === 'idle' && config.tool_policy.mode !== 'require_approval',
  )
  return free.map(({ name }) => name).toSorted()[0] ?? null
}

/** Reads only counts while resources are not Ready, because runs are large. */
async function isSettled(client: ControllerClient, since: string, look: number): Promise<boolean> {
  const [all, ready] = await Promise.all([
    client.listResources({ query: { limit: 1 } }),
    client.listResources({ query: { limit: 1, status: 'Ready' } }),
  ])
  if (all.total === ready.total) return nothingToDo(client, since)
  if (look % RUNS_EVERY !== RUNS_EVERY - 1) return false
  const { items } = await client.listRuns({ query: { limit: LATEST_RUNS } })
  const ours = items.filter((run) => run.started_at >= since)
  return ours.some((run) => run.status === 'failed') && ours.every((run) => run.status !== 'running')
}

async function nothingToDo(client: ControllerClient, since: string): Promise<boolean> {
  const sources = await client.listSources()
  for (const source of sources.filter((each) => appliedPath(each.name) === null && !each.suspended)) {
    if (source.error !== null) continue
    if (source.observed_at === null || source.observed_at < since) return false
    if (source.sync.mode !== 'auto') continue
    const plan = await client.plan({ body: { source: source.name } })
    if (plan.steps.length > 0) return false
  }
  return true
}

const sourceLine = ({ name, location, sync, suspended, error }: Source): Summary['sources'][number] => ({
  name,
  location,
  mode: suspended ? 'suspended' : sync.mode,
  error,
})

function outcome(runs: Run[]): Pick<Summary, 'created' | 'failed'> {
  const steps = runs.flatMap((run) => run.steps)
  const created: Summary['created'] = {}
  for (const step of steps)
    if (step.action === 'create' && step.status === 'done') (created[step.kind] ??= []).push(step.name)
  const failed = steps.filter((step) => step.status === 'failed')
  return { created, failed: failed.map((step) => `${step.kind}/${step.name}: ${step.error}`) }
}

export function summaryText(summary: Summary): string {
  const colours = paint()
  return [
    '',
    colours.bold(`svc ${summary.version} started in ${formatDuration(summary.took_ms)}`),
    ...Object.entries(summary.services).map(([service, url]) => `  ${service.padEnd(15)} ${url}`),
    ...(summary.resources === null ? [] : convergedLines(summary, summary.resources)),
    ...(summary.unsandboxed === null ? [] : [`${colours.yellow('warning')} ${summary.unsandboxed}`]),
    ...(summary.page === null ? [] : ['next, in a browser', `  ${colours.cyan(summary.page)}`]),
    'next, in another terminal',
    ...nextCommands(summary).map((command) => `  ${colours.cyan(command)}`),
    '',
  ].join('\n')
}

function convergedLines(summary: Summary, resources: readonly Resource[]): string[] {
  const colours = paint()
  const made = Object.entries(summary.created).map(([kind, names]) => {
    const title = names.length === 1 ? (findKind(kind, kinds)?.title ?? kind) : kind
    return `  ${`${names.length} ${title}`.padEnd(15)} ${nameList(names.toSorted(), MOST_NAMED)}`
  })
  const unready = resources
    .filter((resource) => !isReady(resource))
    .map((resource) => `${resource.id}: ${visible(condition(resource, 'Ready')?.message ?? 'not observed yet')}`)
  const errors = summary.sources.flatMap((source) =>
    source.error === null
      ? []
      : [`  ${colours.red('error')}           source ${source.name}: ${visible(source.error)}`],
  )
  return [
    ...summary.sources.map((source) => `  ${`source ${source.name}`.padEnd(15)} ${source.location} (${source.mode})`),
    ...(made.length > 0 ? ['created', ...made] : [`nothing to create: ${resources.length} resources are recorded`]),
    ...firstLines(
      unready.map((text) => `  ${colours.yellow('not Ready')}       ${text}`),
      MOST_NAMED,
    ),
    ...errors,
    ...firstLines(
      summary.failed.map((text) => `  ${colours.red('failed')}          ${visible(text)}`),
      MOST_NAMED,
    ),
  ]
}

function nextCommands({ services, idle_agent: agent }: Summary): string[] {
  return [
    typed`agent status`,
    ...(services.controller === undefined ? [] : [typed`svc reconcile --dry-run`]),
    ...(services.orchestrator === undefined
      ? []
      : [agent ? typed`agent send ${agent} "hello" --wait` : typed`agent orchestrator list-agents`]),
  ]
}
