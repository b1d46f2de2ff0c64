// `svc serve`: the daemon, or some of its services. Ends its start with what was created, where it listens, what to
// try next.
import { execFile } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import type { Daemon } from '../../../daemon/index.ts'
import type { Problem } from '../../../platform/core/problem.ts'
import { agentsTmux, agentsKillCommand, tmuxEnvironment } from '../../agents-tmux.ts'
import { EXIT } from '../../exit-codes.ts'
import { Failure, failureText, misuse } from '../../failure.ts'
import { formatOf, withExamples, withOutput, type OutputOption } from '../../options.ts'
import { note, print, printJson } from '../../output/print.ts'
import { config } from '../../settings.ts'
import { VERSION } from '../../version.ts'
import type { Summary } from './first-pass.ts'

interface ServeOptions extends OutputOption {
  manifests?: string
  config?: string
}

const CLOSING_MS = 2000
/** The same signal within this time is one: a terminal sends it to the whole group, and npm passes it on again. */
const ECHO_MS = 500

export function define(command: Command): void {
  command
    .argument('[service...]', 'only these services; default: all of them')
    .option(
      '--manifests <dir>',
      'folder or git address (git+https://host/x.git#ref:path) of the source "default" (default: ./manifests)',
    )
    .option('--config <file>', 'file that names further sources')
  withExamples(
    withOutput(command),
    'svc serve --manifests ./manifests',
    'svc serve --manifests git+https://example.org/team.git#main:manifests',
    'svc serve orchestrator',
  ).action(serve)
}

async function serve(names: string[], options: ServeOptions): Promise<void> {
  const [startedAt, folder] = [Date.now(), process.cwd()]
  const { stopSignal } = await import('../../../daemon/process.ts')
  const stop = stopSignal({ signals: withoutEchoes(), exit: (code) => process.exit(code) })
  await refuseUnknown(names)
  const daemon = await start(names, options, stop)
  void reportStart(daemon, startedAt, options)
  await daemon.stopped
  if (formatOf(options) === 'human') await reportRunningAgents(folder)
  if (daemon.failure) process.stderr.write(failureText(new Failure(daemon.failure.message)))
  // A first pass that the stop overtook may still wait for its answer, for up to a minute.
  process.exit(daemon.failure ? EXIT.error : EXIT.ok)
}

/**
 * What the start came to, unless the daemon is stopped before. On its own: the list of all resources that it tells of
 * would live as long as who waits for it.
 */
async function reportStart(daemon: Daemon, startedAt: number, options: ServeOptions): Promise<void> {
  let isStopped = false
  void daemon.stopped.then(() => (isStopped = true))
  const summary = await summaryOf(daemon, startedAt)
  if (!summary || isStopped) return
  if (formatOf(options) === 'json') printJson(summary)
  else print((await import('./first-pass.ts')).summaryText(summary))
}

/** Agents outlive their daemon: who ends it is told which do, and how they are ended. */
async function reportRunningAgents(folder: string): Promise<void> {
  const [program, ...words] = agentsTmux()
  const { stdout } = await promisify(execFile)(program!, [...words, 'list-sessions', '-F', '#{session_name}'], {
    env: tmuxEnvironment(),
  }).catch(() => ({ stdout: '' }))
  const count = stdout.split('\n').filter((name) => name.startsWith('svc-orch-')).length
  if (count === 0) return note('The daemon has stopped; no agent goes on.')
  const again = existsSync(join(folder, 'bin', 'svc')) ? 'npm start' : typed`svc serve`
  note(
    `The daemon has stopped; ${count === 1 ? '1 agent goes on' : `${count} agents go on`} in tmux and ${count === 1 ? 'meets' : 'meet'} the next one (${again}).\nEnd them too with: ${agentsKillCommand()}\nor, while the daemon runs, with: ${typed`svc down --agents`}`,
  )
}

async function refuseUnknown(names: readonly string[]): Promise<void> {
  const { services } = await import('../../../daemon/index.ts')
  const known = services({ sources: [] }).map((service) => service.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw misuse(
      `there is no service ${unknown.join(', ')}`,
      nearestHint(unknown[0]!, known, `there are ${known.join(', ')}; without a name all are served`),
    )
}

async function start(services: string[], options: ServeOptions, stop: AbortSignal): Promise<Daemon> {
  const { startDaemon } = await import('../../../daemon/index.ts')
  const settings = config()
  const manifests = options.manifests ?? (existsSync('manifests') || options.config === undefined ? 'manifests' : null)
  const given = {
    manifests: manifests === null ? null : absolute(manifests),
    ...(options.config === undefined ? {} : { configFile: resolve(options.config) }),
  }
  // Programs that it starts would fail in a folder that somebody removed meanwhile.
  process.chdir('/')
  const world = { config: settings, version: VERSION, stop, ownsProcess: true }
  return startDaemon({ ...world, services, ...given }).catch((error: Error) => {
    throw new Failure(error.message, { hint: startHint(error), cause: error })
  })
}

/** Addresses and `~` are left to who reads them. */
function absolute(folder: string): string {
  return /^(~|git[+@]|\w+:\/\/)/.test(folder) ? folder : resolve(folder)
}

/** A daemon whose first pass cannot be followed runs all the same: then only what listens is told. */
async function summaryOf(daemon: Daemon, startedAt: number): Promise<Summary | void> {
  const { waitForFirstPass, servicesOnly } = await import('./first-pass.ts')
  return waitForFirstPass(daemon.urls, startedAt).catch((error: unknown) => {
    // While the daemon stops, it answers no more: that is no error of the start.
    const told = sleep(CLOSING_MS).then(() => {
      process.stderr.write(failureText(error))
      return servicesOnly(daemon.urls, startedAt)
    })
    return Promise.race([daemon.stopped, told])
  })
}

/** By what stands in the way: a daemon of this data folder or a port that is taken, what was given, or the machine. */
function startHint(error: Error & Partial<Pick<Problem, 'status' | 'code'>>): string {
  const code = (error.cause as NodeJS.ErrnoException | undefined)?.code
  if (error.status === 409 && code === 'EADDRINUSE')
    return `where it is a daemon of yours, "${typed`svc down`}" ends it; "${typed`svc doctor`}" looks at every port`
  if (error.status === 409 && code === undefined) return `stop the one that runs with "${typed`svc down`}"`
  if (error.code === 'program-missing') return `"${typed`svc doctor`}" names all that this machine lacks`
  if (error.status === 503) return 'see which process has it open, then start again'
  if (error.status === 400) return `put right what it names; "${typed`svc serve --help`}" shows what there is`
  return `see "${typed`svc doctor`}" for what this machine lacks`
}

/**
 * Signals of this process, each echo left out; in the place of what listened while the program was loaded
 * (bin/svc).
 */
function withoutEchoes(): EventEmitter {
  const signals = new EventEmitter()
  let last = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const before = process.listeners(signal)
    process.on(signal, () => {
      const now = performance.now()
      if (now - last > ECHO_MS || last === 0) signals.emit(signal)
      last = now
    })
    // Not before: without any listener the signal would end the process.
    for (const listener of before) process.off(signal, listener)
  }
  return signals
}
