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
import { fileAddress, isBareRepository } from '../../../platform/git/bare-repository.ts'
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
/** Repeated signals within this time count as one: the terminal and npm both send Ctrl-C. */
const ECHO_MS = 500

export function define(command: Command): void {
  command
    .argument('[service...]', 'Only these services (default: all)')
    .option(
      '--manifests <dir>',
      'Folder or git address (git+https://host/x.git#ref:path) of the source "default" (default: ./manifests)',
    )
    .option('--config <file>', 'Config file with further sources')
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
  // The first-pass check may still be waiting for a response, for up to a minute.
  process.exit(daemon.failure ? EXIT.error : EXIT.ok)
}

/** Separate function, so that the resource list is freed while the daemon runs. */
async function reportStart(daemon: Daemon, startedAt: number, options: ServeOptions): Promise<void> {
  let isStopped = false
  void daemon.stopped.then(() => (isStopped = true))
  const summary = await summaryOf(daemon, startedAt)
  if (!summary || isStopped) return
  if (formatOf(options) === 'json') printJson(summary)
  else print((await import('./first-pass.ts')).summaryText(summary))
}

/** Lists agents that keep running, and how to stop them. */
async function reportRunningAgents(folder: string): Promise<void> {
  const [program, ...words] = agentsTmux()
  const { stdout } = await promisify(execFile)(program!, [...words, 'list-sessions', '-F', '#{session_name}'], {
    env: tmuxEnvironment(),
  }).catch(() => ({ stdout: '' }))
  const count = stdout.split('\n').filter((name) => name.startsWith('svc-orch-')).length
  if (count === 0) return note('The daemon has stopped; no agent is running.')
  const again = existsSync(join(folder, 'bin', 'svc')) ? 'npm start' : typed`svc serve`
  note(
    `The daemon has stopped; ${count === 1 ? '1 agent keeps running' : `${count} agents keep running`} in tmux and ${count === 1 ? 'reconnects' : 'reconnect'} to the next daemon (${again}).\nStop them too with: ${agentsKillCommand()}\nor, while the daemon is running, with: ${typed`svc down --agents`}`,
  )
}

async function refuseUnknown(names: readonly string[]): Promise<void> {
  const { services } = await import('../../../daemon/index.ts')
  const known = services({ sources: [] }).map((service) => service.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw misuse(
      `unknown service ${unknown.join(', ')}`,
      nearestHint(unknown[0]!, known, `known services: ${known.join(', ')}; without a name, all are served`),
    )
}

async function start(services: string[], options: ServeOptions, stop: AbortSignal): Promise<Daemon> {
  const { startDaemon } = await import('../../../daemon/index.ts')
  const settings = config()
  const manifests = options.manifests ?? (existsSync('manifests') || options.config === undefined ? 'manifests' : null)
  const given = {
    manifests: manifests === null ? null : sourceOf(manifests),
    ...(options.config === undefined ? {} : { configFile: resolve(options.config) }),
  }
  // Child processes would fail if the current folder were deleted.
  process.chdir('/')
  const world = { config: settings, version: VERSION, stop, ownsProcess: true }
  return startDaemon({ ...world, services, ...given }).catch((error: Error) => {
    throw new Failure(error.message, { hint: startHint(error), cause: error })
  })
}

/** Returns a folder or a git address. */
function sourceOf(written: string): string {
  const folder = absolute(written)
  if (!isBareRepository(folder)) return folder
  const address = fileAddress(folder)
  note(`${folder} is a git repository without a checkout: its commits are followed, as ${address}`)
  return address
}

/** Leaves URLs and `~` unresolved. */
function absolute(folder: string): string {
  return /^(~|git[+@]|\w+:\/\/)/.test(folder) ? folder : resolve(folder)
}

/** If the first pass cannot be followed, reports only the services. */
async function summaryOf(daemon: Daemon, startedAt: number): Promise<Summary | void> {
  const { waitForFirstPass, servicesOnly } = await import('./first-pass.ts')
  const { daemonHeaders } = await import('../../../daemon/index.ts')
  return waitForFirstPass(daemon.urls, startedAt, () => daemonHeaders(daemon.config)).catch((error: unknown) => {
    // A stopping daemon refuses requests; that is not an error of the start.
    const told = sleep(CLOSING_MS).then(() => {
      process.stderr.write(failureText(error))
      return servicesOnly(daemon.urls, startedAt)
    })
    return Promise.race([daemon.stopped, told])
  })
}

/** Chooses the hint by status and cause. */
function startHint(error: Error & Partial<Pick<Problem, 'status' | 'code'>>): string {
  const code = (error.cause as NodeJS.ErrnoException | undefined)?.code
  if (error.status === 409 && code === 'EADDRINUSE')
    return `if it is your daemon, stop it with "${typed`svc down`}"; "${typed`svc doctor`}" checks every port`
  if (error.status === 409 && code === undefined) return `stop the running daemon with "${typed`svc down`}"`
  if (error.code === 'program-missing') return `run "${typed`svc doctor`}" to check this machine`
  if (error.status === 503) return 'find the process that has it open, then start again'
  if (error.status === 400) return `fix the reported errors; see "${typed`svc serve --help`}" for the options`
  return `run "${typed`svc doctor`}" to check this machine`
}

/** Process signals without echoes; replaces the listeners that bin/svc installed while loading. */
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
    // Only now: without a listener, a signal would kill the process.
    for (const listener of before) process.off(signal, listener)
  }
  return signals
}
