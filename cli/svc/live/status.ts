import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import type { Drift, Resource } from '../../../schemas/resource.ts'
import type { Source } from '../../../schemas/source.ts'
import { exitCode } from '../../exit-codes.ts'
import { connectController, openDrift, type ControllerClient } from '../../controller-client.ts'
import { isData, withDaemon, withExamples, withWatch, type DaemonOptions, type UrlOption } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { fitted, paint, visible } from '../../output/print.ts'
import { show } from '../../output/data.ts'
import { condition, isReady, waitingLine } from '../../manifests/readiness.ts'
import { approvalsWaiting, firingTriggers, refusedCalls, type FiringTrigger } from '../../lookup.ts'
import { triggersTable } from '../../output/triggers.ts'
import { pendingApprovalsBanner } from '../../output/approvals.ts'
import { holdLines, sourceTable } from './source-table.ts'
import { watchLive } from './live-view.ts'
import { nameList } from '../../output/name-lists.ts'
import { appliedPath } from '../../../schemas/sync/applied-source.ts'

/** Time-out of a health check in milliseconds. */
const PATIENCE_MS = 2000

interface StatusOptions extends DaemonOptions {
  exitCode?: boolean
  watch?: boolean
}

export function define(command: Command): void {
  command.option('--exit-code', 'Exit with 1 if a source has an error or a resource is not Ready')
  withExamples(
    withWatch(withDaemon(command)),
    'svc status',
    'svc status --watch',
    'svc status --exit-code -o json',
  ).action(showStatus)
}

async function showStatus(options: StatusOptions): Promise<void> {
  const client = connectController(options)
  if (options.watch) return watchStatus(client, options)
  const status = await statusOf(client, options)
  await show(status, options, () => glance(status))
  const well = status.sources.every((source) => source.error === null) && status.resources.every(isReady)
  process.exitCode = exitCode(options.exitCode && !well ? 'error' : 'ok')
}

function watchStatus(client: ControllerClient, options: StatusOptions): Promise<void> {
  const look = async (isScreen: boolean) => {
    const status = await statusOf(client, options)
    if (isData(options)) return `${JSON.stringify(status)}\n`
    return isScreen ? glance(status) : `${glance(status).trimEnd()}\n\n`
  }
  return watchLive(client, look, isData(options))
}

/** Changes of a source that wait for a manual apply. */
interface Pending {
  source: string
  /** Whether they may be applied now. */
  may_ask: boolean
  changes: { action: string; id: string }[]
  /** Why pending changes are unknown. */
  error: string | null
}

interface Status {
  sources: Source[]
  pending: Pending[]
  resources: Resource[]
  drift: Drift[]
  approvals_waiting: number | null
  triggers: FiringTrigger[] | null
  refused_calls: string[] | null
}

async function statusOf(client: ControllerClient, options: UrlOption): Promise<Status> {
  const isNamed = options.url !== undefined
  const [[sources, pending], resources, drift, waiting, triggers, refused] = await Promise.all([
    client.listSources().then(async (sources) => [sources, await pendingOf(client, sources)] as const),
    client.listResources(),
    openDrift(client),
    isNamed ? null : nullWhenDown(approvalsWaiting({})),
    isNamed ? null : nullWhenDown(firingTriggers({})),
    isNamed ? null : refusedCalls({ timeoutMs: PATIENCE_MS }),
  ])
  return { sources, pending, resources, drift, approvals_waiting: waiting, triggers, refused_calls: refused }
}

/** Pending changes of manual sources and sources outside their sync windows. */
async function pendingOf(client: ControllerClient, sources: readonly Source[]): Promise<Pending[]> {
  const manual = sources.filter(
    ({ name, sync, orphaned, window }) =>
      (sync.mode === 'manual' || window?.open === false) && !orphaned && appliedPath(name) === null,
  )
  const plans = await Promise.all(
    manual.map(async ({ name: source, window }): Promise<Pending> => {
      const about = { source, may_ask: window?.manual ?? true }
      try {
        const { steps } = await client.plan({ body: { source, keep_drift: true } })
        const changes = steps.map(({ action, kind, name }) => ({ action, id: `${kind}/${name}` }))
        return { ...about, changes, error: null }
      } catch (error) {
        return { ...about, changes: [], error: (error as Error).message }
      }
    }),
  )
  return plans.filter(({ changes, error }) => changes.length > 0 || error !== null)
}

/** Null if the orchestrator is unreachable: it may belong to another daemon. */
const nullWhenDown = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null)

const MOST_NAMED = 5

/** `isShown`: the error is already shown above. */
function pendingLine({ source, may_ask, changes, error }: Pending, isShown: boolean): string {
  if (error !== null)
    return `${paint().yellow(`source ${visible(source)}: pending changes are unknown`)}${isShown ? '' : `: ${visible(error)}`}\n  check again with: ${typed`svc reconcile --source ${source} --dry-run`}`
  const moves = changes.map(({ action, id }) => `${action} ${visible(id)}`)
  const what = changes.length === 1 ? '1 pending change' : `${changes.length} pending changes`
  return `${paint().yellow(`source ${visible(source)}: ${what}`)}: ${nameList(moves, MOST_NAMED)}${may_ask ? `\n  apply with: ${typed`svc reconcile --source ${source}`}` : ''}`
}

function glance(status: Status): string {
  const { sources, pending, resources, drift, approvals_waiting: approvals, triggers } = status
  const colours = paint()
  const table = sourceTable(sources)
  const refused = (status.refused_calls ?? []).map((reason) => `${colours.red('refused call:')} ${visible(reason)}`)
  const errors = sources.flatMap((source) =>
    source.error ? [`${colours.red(`source ${source.name}:`)} ${visible(source.error)}`] : [],
  )
  const unready = resources
    .filter((resource) => !isReady(resource))
    .map((resource) => `  ${resource.id}  ${visible(condition(resource, 'Ready')?.message ?? 'not observed yet')}`)
  const noted = resources
    .filter((resource) => isReady(resource) && condition(resource, 'Ready')!.message.includes(', but '))
    .map((resource) => `  ${resource.id}  ${colours.yellow(visible(condition(resource, 'Ready')!.message))}`)
  const ready = `${resources.length - unready.length} of ${resources.length} resources Ready`
  const waits = resources.filter(({ waiting }) => waiting).map((resource) => `  ${waitingLine(resource)}`)
  const waiting = waits.length === 0 ? [] : ['', `${waits.length} pending`, ...waits]
  const suspended = resources.filter((resource) => resource.suspended !== null).map(suspendedLine)
  const contests = resources
    .filter(({ contested }) => contested !== null)
    .map((resource) => `${colours.red(`contested: ${resource.id}`)}  ${contestLine(resource)}`)
  const drifted = drift.length === 0 ? 'no drift' : `${drift.length} drifted (${typed`svc drift`})`
  const person = pendingApprovalsBanner(approvals ?? 0)
  const isUnreadable = (name: string) => sources.some((source) => source.name === name && source.error !== null)
  const told = [
    ...errors,
    ...refused,
    ...holdLines(sources),
    ...pending.map((each) => pendingLine(each, isUnreadable(each.source))),
    '',
    `${ready}, ${drifted}`,
    ...unready,
    ...noted,
    ...waiting,
    ...(suspended.length > 0 ? ['', ...suspended] : []),
    ...(contests.length > 0 ? ['', ...contests] : []),
  ]
  return [
    ...(person ? [person, ''] : []),
    table.trimEnd(),
    fitted(told.join('\n')),
    ...(triggers?.length ? ['', triggersTable(triggers)] : []),
  ].join('\n')
}

const suspendedLine = ({ id, suspended }: Resource): string =>
  `${paint().yellow(`suspended: ${visible(id)}`)}  by ${visible(suspended!.actor)} ${age(suspended!.since)} ago: changes are pending, drift is still reported\n  resume with: ${typed`svc resume ${id}`}`

const contestLine = (resource: Resource): string =>
  `${visible(condition(resource, 'Contested')?.message ?? '')}\n  resume with: ${typed`svc resume ${resource.id}`}`
