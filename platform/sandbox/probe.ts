// Finds out whether a user can start programs in a sandbox on this host.
import { access, constants, readFile } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { execa } from 'execa'
import type { Clock } from '../core/clock.ts'
import { bwrapArguments } from './arguments.ts'
import { hostFacts } from './facts.ts'
import { planMounts } from './mounts.ts'
import { bwrapCure } from './probe-cures.ts'

export type SandboxProbe =
  | { ok: true; bwrap: string; version: string }
  | {
      ok: false
      code: 'sandbox-unavailable' | 'sandbox-refused' | 'sandbox-unsupported'
      message: string
      /** The next step. */
      hint: string
    }

export interface ProbeOptions {
  /** Runs a command as the OS user of the agent; empty for the daemon's own. */
  prefix: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** Default: of this process. */
  platform?: string
}

const PLATFORMS: Record<string, string> = { darwin: 'macOS', win32: 'Windows' }
const TIMEOUT_MS = 10_000

/** Starts `true` in a sandbox of the defaults. */
export async function probeSandbox(options: ProbeOptions): Promise<SandboxProbe> {
  const { prefix, env, platform = process.platform } = options
  if (platform !== 'linux') {
    const message = `no sandbox on ${PLATFORMS[platform] ?? platform}: it needs Linux`
    return { ok: false, code: 'sandbox-unsupported', message, hint: 'write sandbox: off, or run the agent on Linux' }
  }
  const bwrap = await findBwrap(env.PATH)
  if (bwrap === null) {
    const message = 'no sandbox: the program bwrap is not on the PATH of the daemon'
    return { ok: false, code: 'sandbox-unavailable', message, hint: INSTALL }
  }
  const run = (args: readonly string[]) => runWith(env, [...prefix, bwrap, ...args])
  const version = await run(['--version'])
  const started = version.failed ? version : await run([...defaultArguments(), 'true'])
  if (!started.failed) return { ok: true, bwrap, version: version.stdout.replace(/^bubblewrap /, '') }
  const words = lastLine(started.stderr) ?? `ended with exit code ${started.exitCode ?? 'unknown'}, without a message`
  const cause = { isRoot: prefix.length === 0 && process.getuid?.() === 0, hasAppArmor: await restrictsByAppArmor() }
  return {
    ok: false,
    code: 'sandbox-refused',
    message: `no sandbox: this host refuses it: ${words}`,
    hint: bwrapCure(words, cause),
  }
}

const INSTALL = 'install bubblewrap: apt install bubblewrap (or dnf install, pacman -S, apk add); or write sandbox: off'

async function runWith(env: ProbeOptions['env'], [program, ...args]: string[]) {
  return execa(program!, args, { cwd: '/', env, extendEnv: false, reject: false, stdin: 'ignore', timeout: TIMEOUT_MS })
}

/** A socket that ends between plan and start would fail the probe. */
const WITHOUT_SOCKETS = { ...hostFacts, listeningSockets: () => [] }

/** Of a sandbox without files of its own. */
function defaultArguments(): string[] {
  const tmp = '/tmp'
  const network = { mode: 'all' as const, hosts: [] }
  const none = { write: [], hide: [], readonly: [], sockets: [], closed: [] }
  const plan = planMounts({ ...none, read: 'all', network, nested: false, tmp }, WITHOUT_SOCKETS, {
    home: '/',
    programs: [],
  })
  const options = { directory: '/', tmp, emptyFile: '', network: network.mode, nested: false }
  return bwrapArguments(plan, { ...options, isInteractive: false, unset: [] })
}

async function findBwrap(path: string | undefined): Promise<string | null> {
  for (const folder of (path ?? '').split(delimiter).filter(isAbsolute)) {
    const program = join(folder, 'bwrap')
    const isProgram = await access(program, constants.X_OK).then(
      () => hostFacts.kind(program) === 'file',
      () => false,
    )
    if (isProgram) return program
  }
  return null
}

async function restrictsByAppArmor(): Promise<boolean> {
  const path = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
  return (await readFile(path, 'utf8').catch(() => '')).trim() === '1'
}

/** With the words of bubblewrap, where it has any. */
function lastLine(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.findLast((line) => line.startsWith('bwrap: ')) ?? lines.at(-1)
}

const KEPT_MS = 10 * 60_000
/** Short, because a person repairs the host and tries again. */
const FAILURE_KEPT_MS = 10_000

/** Keeps the result of each user: ten minutes, or ten seconds for a failure. */
export class SandboxProbes {
  readonly #clock: Clock
  readonly #probe: typeof probeSandbox
  readonly #results = new Map<string, { until: number; result: Promise<SandboxProbe> }>()

  constructor(clock: Clock, probe = probeSandbox) {
    this.#clock = clock
    this.#probe = probe
  }

  /** Calls at the same time share one probe. */
  get(options: ProbeOptions): Promise<SandboxProbe> {
    const user = JSON.stringify(options.prefix)
    const known = this.#results.get(user)
    if (known !== undefined && known.until > this.#clock.monotonic()) return known.result
    const entry = { until: Infinity, result: this.#probe(options) }
    this.#results.set(user, entry)
    entry.result.then(
      ({ ok }) => (entry.until = this.#clock.monotonic() + (ok ? KEPT_MS : FAILURE_KEPT_MS)),
      () => this.#results.delete(user),
    )
    return entry.result
  }
}
