// `svc serve`: the daemon. Ends its start with what was created, where it listens, and what to try next.
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Daemon } from '../../daemon/index.ts'
import { findKind, kinds } from '../../schemas/kinds.ts'
import type { Resource } from '../../schemas/resource.ts'
import type { Run } from '../../schemas/run.ts'
import { formatDuration } from '../duration.ts'
import { Failure } from '../failure.ts'
import { formatOf, withExamples, withOutput, type OutputOption } from '../options.ts'
import { paint, print, printJson, visible } from '../output.ts'
import { condition, isReady } from '../readiness.ts'
import { config } from '../settings.ts'
import { VERSION } from '../version.ts'

interface ServeOptions extends OutputOption {
  manifests?: string
  config?: string
}

/** Longest wait for the first pass before the summary is shown with what is not Ready yet. */
const FIRST_PASS_MS = 60_000
const LOOK_EVERY_MS = 200
const CLOSING_MS = 2000
/** The same signal within this time is one: a terminal sends it to the whole group, and npm passes it on again. */
const ECHO_MS = 500

export function define(command: Command): void {
  command
    .option('--manifests <dir>', 'folder of manifests to converge, as the source "default" (default: ./manifests)')
    .option('--config <file>', 'file that names further sources')
  withExamples(withOutput(command), 'svc serve --manifests ./manifests').action(serve)
}

async function serve(options: ServeOptions): Promise<void> {
  const startedAt = Date.now()
  const manifests = options.manifests ?? (existsSync('manifests') || options.config === undefined ? 'manifests' : null)
  const { growSlowly } = await import('../../daemon/memory.ts')
  growSlowly()
  const { startDaemon, runUntilSignal } = await import('../../daemon/index.ts')
  const daemon = await startDaemon({
    config: config(),
    manifests,
    ...(options.config === undefined ? {} : { configFile: options.config }),
    version: VERSION,
  }).catch((error: Error) => {
    throw new Failure(error.message, { hint: startHint(error), cause: error })
  })
  const ended = runUntilSignal(daemon, { signals: withoutEchoes(), exit: (code) => process.exit(code) })
  const untilEnded = ended.then(() => null)
  // While the daemon stops, its database closes under the first pass: that is no error of the start.
  const pass = firstPass(daemon, startedAt).catch((error: unknown) =>
    Promise.race([untilEnded, sleep(CLOSING_MS).then(() => Promise.reject(error))]),
  )
  const summary = await Promise.race([pass, untilEnded])
  if (summary && formatOf(options) === 'json') printJson(summary)
  else if (summary) print(summaryText(summary))
  await ended
  // A first pass that the stop overtook may still wait for a connection of the closed database, for up to a minute.
  process.exit()
}

function startHint(error: Error & { code?: string }): string {
  if (error.code === 'EADDRINUSE' || /already|in use|taken/i.test(error.message))
    return 'stop the one that runs with "svc down", or set SVC_CONTROLLER_PORT and SVC_ORCHESTRATOR_PORT'
  return 'see "svc doctor" for what this machine lacks'
}

/** Signals of this process, each echo left out. */
function withoutEchoes(): EventEmitter {
  const signals = new EventEmitter()
  let last = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const now = performance.now()
      if (now - last > ECHO_MS || last === 0) signals.emit(signal)
      last = now
    })
  }
  return signals
}

interface Summary {
  version: string
  took_ms: number
  services: Readonly<Record<string, string>>
  sources: { name: string; location: string; mode: string; error: string | null }[]
  /** By kind, the names of what this start created. */
  created: Record<string, string[]>
  resources: Resource[]
  failed: string[]
}

/** Waits until every source that converges by itself has nothing left to do and its resources are Ready. */
async function firstPass(daemon: Daemon, startedAt: number): Promise<Summary> {
  const { controller } = daemon
  const since = new Date(startedAt).toISOString()
  for (;;) {
    const [resources, runs] = await Promise.all([controller.resources({}), controller.runs({ limit: 50 })])
    const ours = runs.items.filter((run) => run.started_at >= since)
    const settled =
      ours.every((run) => run.status !== 'running') &&
      (ours.some((run) => run.status === 'failed') || (resources.every(isReady) && (await nothingToDo(daemon, since))))
    if (settled || Date.now() - startedAt > FIRST_PASS_MS) return summarise(daemon, startedAt, resources, ours)
    await sleep(LOOK_EVERY_MS)
  }
}

async function nothingToDo({ controller }: Daemon, since: string): Promise<boolean> {
  for (const source of controller.sources().filter((each) => !each.name.startsWith('apply:') && !each.suspended)) {
    if (source.error !== null) continue
    if (source.observed_at === null || source.observed_at < since) return false
    if (source.sync.mode !== 'auto') continue
    const plan = await controller.plan(
      { source: source.name },
      { actor: 'daemon', requestId: 'start-up', endpoint: 'start-up' },
    )
    if (plan.steps.length > 0) return false
  }
  return true
}

function summarise(daemon: Daemon, startedAt: number, resources: Resource[], runs: Run[]): Summary {
  const created: Record<string, string[]> = {}
  for (const step of runs.flatMap((run) => run.steps))
    if (step.action === 'create' && step.status === 'done') (created[step.kind] ??= []).push(step.name)
  const failed = runs.flatMap((run) =>
    run.steps.filter((step) => step.status === 'failed').map((step) => `${step.kind}/${step.name}: ${step.error}`),
  )
  const sources = daemon.controller
    .sources()
    .map(({ name, location, sync, suspended, error }) => ({
      name,
      location,
      mode: suspended ? 'suspended' : sync.mode,
      error,
    }))
  return {
    version: VERSION,
    took_ms: Date.now() - startedAt,
    services: daemon.urls,
    sources,
    created,
    resources,
    failed,
  }
}

function summaryText(summary: Summary): string {
  const colours = paint()
  const made = Object.entries(summary.created).map(
    ([kind, names]) =>
      `  ${`${names.length} ${names.length === 1 ? (findKind(kind, kinds)?.title ?? kind) : kind}`.padEnd(13)} ${names.sort().join(', ')}`,
  )
  const unready = summary.resources
    .filter((resource) => !isReady(resource))
    .map(
      (resource) =>
        `  ${colours.yellow('not Ready')}     ${resource.id}: ${visible(condition(resource, 'Ready')?.message ?? 'not observed yet')}`,
    )
  const errors = summary.sources.flatMap((source) =>
    source.error === null ? [] : [`  ${colours.red('error')}         source ${source.name}: ${visible(source.error)}`],
  )
  return [
    '',
    colours.bold(`svc ${summary.version} is up, in ${formatDuration(summary.took_ms)}`),
    ...Object.entries(summary.services).map(([service, url]) => `  ${service.padEnd(13)} ${url}`),
    ...summary.sources.map((source) => `  ${`source ${source.name}`.padEnd(13)} ${source.location} (${source.mode})`),
    ...(made.length > 0
      ? ['created', ...made]
      : [`nothing was to be created: ${summary.resources.length} resources on record`]),
    ...unready,
    ...errors,
    ...summary.failed.map((text) => `  ${colours.red('failed')}        ${visible(text)}`),
    'next, in another terminal',
    ...nextCommands(summary.resources).map((command) => `  ${colours.cyan(command)}`),
    '',
  ].join('\n')
}

function nextCommands(resources: Resource[]): string[] {
  const prefix = existsSync(join('bin', 'svc')) ? './bin/' : ''
  const agent = resources.find((resource) => resource.kind === 'agents')?.name
  return [
    `${prefix}agent status`,
    `${prefix}svc reconcile --dry-run`,
    `${prefix}agent orchestrator ${agent ? `send-message ${agent} "hello"` : 'list-agents'}`,
  ]
}
