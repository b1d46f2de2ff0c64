import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bwrapArguments } from '../../platform/sandbox/arguments.ts'
import { hostFacts } from '../../platform/sandbox/facts.ts'
import { SandboxFault } from '../../platform/sandbox/fault.ts'
import { gitEnvironment, gitPaths } from '../../platform/sandbox/git.ts'
import { planMounts } from '../../platform/sandbox/mounts.ts'
import { seccompFilter } from '../../platform/sandbox/seccomp.ts'
import type { Launch } from '../../schemas/agent/launch.ts'
import type { LaunchSandbox } from '../../schemas/sandbox/sandbox.ts'
import { agentEnvironment, LaunchFault } from '../launch-file.ts'
import { findSystemProgram } from '../program-lookup.ts'
import type { Timers } from '../timers.ts'
import { inheritedInside, variablesInside } from './environment.ts'
import { forwardTo, loopbackPorts, type LoopbackPort } from './listeners.ts'
import { AllowListProxy } from './proxy.ts'
import { Refusals } from './refusals.ts'
import { programState, type PrivateFolder } from './state.ts'

interface Start {
  /** Absolute path of the program. */
  program: string
  directory: string
  isInteractive: boolean
}

/** Without covers of /proc, root could name a program that the kernel runs outside. */
const NESTED_AS_ROOT = 'nested: true needs another user than root, for whom user namespaces inside do not work'

export function sandboxFailed(reason: string, hint: string): LaunchFault {
  return new LaunchFault(`sandbox-failed: ${reason}`, 71, hint)
}

/** The sandbox of one agent, for all programs that its process starts. */
export class Sandbox {
  readonly refusals: Refusals
  readonly ports: readonly LoopbackPort[]
  readonly seccompFilter: Buffer | null = seccompFilter(process.arch)
  /** Variables of the program. */
  readonly environment: NodeJS.ProcessEnv
  /** Absolute path of bwrap. */
  readonly bwrap: string
  readonly #rules: LaunchSandbox
  readonly #folders: readonly PrivateFolder[]
  /** A place for a file that exists only for a moment. */
  readonly statusFile: string
  readonly #emptyFile: string
  readonly #proxy: AllowListProxy

  private constructor(launch: Launch, rules: LaunchSandbox, session: NodeJS.ProcessEnv, timers: Timers) {
    const bwrap = findSystemProgram('bwrap', session['PATH'])
    if (bwrap === null) throw sandboxFailed('bwrap is not installed', 'apt install bubblewrap, or write sandbox: off')
    if (rules.nested && process.getuid?.() === 0) throw sandboxFailed(NESTED_AS_ROOT, 'write user: for the agent')
    this.bwrap = bwrap
    this.refusals = new Refusals(timers)
    this.ports = loopbackPorts(launch)
    this.#proxy = new AllowListProxy({
      hosts: rules.network.hosts,
      onRefusal: (host, port) => this.refusals.note(host, port),
    })
    const own = dirname(rules.tmp)
    this.statusFile = join(own, 'status')
    this.#emptyFile = prepareFolders(rules.tmp, own)
    const proxyPort = this.ports.find((port) => port.isProxy)?.port ?? null
    const inherited = inheritedInside(session, rules)
    const home = launch.env['HOME'] ?? session['HOME'] ?? homedir()
    const state = programState(launch, { ...inherited, ...launch.env }, home, own)
    const variables = { ...variablesInside(home, proxyPort, launch.env), ...state.env }
    const env = agentEnvironment({ ...launch, env: variables }, inherited)
    this.environment = { ...env, ...gitEnvironment(env) }
    this.#folders = state.folders
    const repositories = rules.write.map((root) => gitPaths(root, hostFacts, home))
    this.#rules = {
      ...rules,
      write: [...rules.write, ...state.write, ...repositories.flatMap(({ write }) => write)],
      readonly: [...rules.readonly, ...state.readonly, ...repositories.flatMap(({ readonly }) => readonly)],
    }
  }

  /** Returns null if the launch names no sandbox. Throws a LaunchFault (71) if the sandbox cannot be had. */
  static open(launch: Launch, session: NodeJS.ProcessEnv, timers: Timers): Sandbox | null {
    const { sandbox } = launch
    return sandbox === null ? null : orFault(() => new Sandbox(launch, sandbox, session, timers))
  }

  /** Arguments of bwrap before the command. Reads the file system again. */
  arguments({ program, directory, isInteractive }: Start): string[] {
    const { tmp, network, nested, read } = this.#rules
    const installed = [process.execPath, fileURLToPath(import.meta.url)]
    return orFault(() => {
      const programs = read === 'all' ? installed : [...installed, program]
      const plan = planMounts(this.#rules, hostFacts, { home: homedir(), programs })
      const options = { directory, tmp, emptyFile: this.#emptyFile, network: network.mode, nested, isInteractive }
      return [
        ...bwrapArguments(plan, { ...options, unset: [] }),
        ...this.#folders.flatMap(({ source, target }) => ['--bind', source, target]),
      ]
    })
  }

  /** Takes over a socket that listens inside. */
  serve(port: LoopbackPort, server: Server): void {
    if (port.isProxy) server.on('connection', (socket) => this.#proxy.take(socket))
    else forwardTo(port, server)
  }

  /** For the system prompt. */
  get instruction(): string {
    const { write, network } = this.#rules
    const hosts = network.mode === 'hosts' ? network.hosts.join(', ') || 'none' : network.mode
    return `You run in a sandbox: you can write only below ${[...write, '/tmp'].join(', ')}; network hosts: ${hosts}.`
  }
}

/** Empties the temporary folder. Returns the path of an empty file. */
function prepareFolders(tmp: string, own: string): string {
  mkdirSync(tmp, { recursive: true, mode: 0o700 })
  chmodSync(tmp, 0o700)
  emptyFolder(tmp)
  const emptyFile = join(own, 'empty')
  rmSync(emptyFile, { force: true })
  writeFileSync(emptyFile, '', { mode: 0 })
  return emptyFile
}

export function emptyFolder(folder: string): void {
  const remove = () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
  }
  try {
    remove()
  } catch {
    // Programs make folders that cannot be changed, for example caches of packages.
    spawnSync('chmod', ['-R', 'u+rwX', folder], { stdio: 'ignore' })
    remove()
  }
}

function orFault<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof LaunchFault) throw error
    if (error instanceof SandboxFault) throw sandboxFailed(`${error.code}: ${error.message}`, error.hint)
    throw sandboxFailed((error as Error).message, 'check the folders of the agent, or write sandbox: off')
  }
}
