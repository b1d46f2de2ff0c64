// What a start came to: waits until the sources have converged, and tells what was created, where it listens, what to
// try.
import { setTimeout as sleep } from 'node:timers/promises'
import { typed } from '../../command-line.ts'
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
import { VERSION } from '../../version.ts'
import { firstLines, nameList } from '../../output/name-lists.ts'

/** Longest wait for the first pass before the summary is shown with what is not Ready yet. */
const FIRST_PASS_MS = 60_000
const LOOK_EVERY_MS = 200
/** Looks after which runs are asked for as well: whether one has failed. */
const RUNS_EVERY = 10
/** Resources asked for at once. */
const AT_ONCE = 200
/** Runs of a start; what is older says nothing about it. */
const LATEST_RUNS = 50
/** Of a kind, or of what is amiss; `svc status` tells of all. */
const MOST_NAMED = 10

export interface Summary {
  version: string
  took_ms: number
  services: Readonly<Record<string, string>>
  sources: { name: string; location: string; mode: string; error: string | null }[]
  /** By kind, the names of what this start created. */
  created: Record<string, string[]>
  /** Null where no controller told. */
  resources: Resource[] | null
  failed: string[]
  /** The name of an agent that answers at once; null where none is idle. */
  idle_agent: string | null
}

/** What runs and where it listens: all there is to tell where no controller is among the services. */
export const servicesOnly = (services: Summary['services'], startedAt: number): Summary => ({
  version: VERSION,
  took_ms: Date.now() - startedAt,
  services,
  sources: [],
  created: {},
  resources: null,
  failed: [],
  idle_agent: null,
})

/**
 * Asks the controller, if it is served, until every source that converges by itself has nothing left to do and is
 * Ready.
 */
export async function waitForFirstPass(services: Summary['services'], startedAt: number): Promise<Summary> {
  if (services.controller === undefined) return servicesOnly(services, startedAt)
  const client = connectController({ url: services.controller })
  const since = new Date(startedAt).toISOString()
  for (let look = 0; !(await isSettled(client, since, look)) && Date.now() - startedAt < FIRST_PASS_MS; look++)
    await sleep(LOOK_EVERY_MS)
  const [sources, resources, page, idle] = await Promise.all([
    client.listSources(),
    allResources(client),
    client.listRuns({ query: { limit: LATEST_RUNS } }),
    idleAgent(services.orchestrator),
  ])
  const ours = page.items.filter((run) => run.started_at >= since)
  return {
    ...servicesOnly(services, startedAt),
    sources: sources.map(sourceLine),
    resources,
    ...outcome(ours),
    idle_agent: idle,
  }
}

/** Page by page: an answer with thousands would keep the daemon from all else for as long as it is written. */
async function allResources(client: ControllerClient): Promise<Resource[]> {
  const all: Resource[] = []
  for (;;) {
    const { items, total } = await client.listResources({ query: { limit: AT_ONCE, offset: all.length } })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

/** One that has nothing in hand and asks nobody before it works. */
async function idleAgent(url: string | undefined): Promise<string | null> {
  if (url === undefined) return null
  const agents = await connect(orchestratorOperations, { url }).listAgents()
  const free = agents.filter(
    ({ activity, connected, config }) =>
      connected && activity === 'idle' && config.tool_policy.mode !== 'require_approval',
  )
  return free.map(({ name }) => name).toSorted()[0] ?? null
}

/** Asks for figures alone as long as they say that something is under way: a large run is no light answer. */
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
  for (const source of sources.filter((each) => !each.name.startsWith('apply:') && !each.suspended)) {
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

/** For people: what was made, what is amiss, and what to try next. */
export function summaryText(summary: Summary): string {
  const colours = paint()
  return [
    '',
    colours.bold(`svc ${summary.version} is up, in ${formatDuration(summary.took_ms)}`),
    ...Object.entries(summary.services).map(([service, url]) => `  ${service.padEnd(15)} ${url}`),
    ...(summary.resources === null ? [] : convergedLines(summary, summary.resources)),
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
    ...(made.length > 0
      ? ['created', ...made]
      : [`nothing was to be created: ${resources.length} resources on record`]),
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
