// Composes the sandbox of one start: what the agent may write, and what stays closed to it.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../../../platform/core/config.ts'
import { ClosedSet } from '../../../../platform/files/closed-set.ts'
import type { DesiredPlace } from '../../../../platform/files/desired-files.ts'
import { realOf } from '../../../../platform/core/real-path.ts'
import { isWithin } from '../../../../platform/files/within.ts'
import { hostFacts, type FileFacts } from '../../../../platform/sandbox/facts.ts'
import { SandboxFault } from '../../../../platform/sandbox/fault.ts'
import { gitPaths } from '../../../../platform/sandbox/git.ts'
import { planMounts } from '../../../../platform/sandbox/mounts.ts'
import type { LaunchSandbox, SandboxRules } from '../../../../schemas/sandbox/sandbox.ts'
import { isThere } from '../../record/started-sandbox.ts'
import { desiredPaths } from './desired-paths.ts'

export interface SandboxPlace {
  config: Config
  /** Program of the bridge. */
  bridge: string
  home: string
  /** Its working directory or worktree, and further directories. */
  directories: readonly string[]
  /** Read-only files of the desired state; none if the agent may change them. */
  desired: readonly DesiredPlace[]
  tmp: string
}

export interface ComposedSandbox {
  launch: LaunchSandbox
  /** Paths of `sandbox.write`, absolute. */
  opened: string[]
  /** Missing files that would change what git runs outside. */
  absent: string[]
  /** For people; one per remote of git that the program cannot reach. */
  warnings: string[]
}

/** The bridge adds what git and the program need. */
export function composeSandbox(rules: SandboxRules, place: SandboxPlace): ComposedSandbox {
  const { config, home, tmp } = place
  const absolute = (path: string) => (path === '~' || path.startsWith('~/') ? home + path.slice(1) : path)
  const opened = rules.write.map(absolute)
  const write = [...new Set([...place.directories, ...opened])]
  const real = write.map(realOf)
  const isWritable = (path: string) => real.some((each) => isWithin(realOf(path), each))
  const readonly = [...desiredPaths(place.desired, real), ...installation(place.bridge).filter(isWritable)]
  const launch: LaunchSandbox = {
    write,
    read: rules.read === 'all' ? 'all' : rules.read.map(absolute),
    hide: rules.hide.map(absolute),
    readonly,
    sockets: rules.sockets,
    network: rules.network,
    nested: rules.nested,
    tmp,
    closed: closedPaths(config, home),
  }
  return {
    launch,
    opened,
    absent: write.flatMap((folder) => gitPaths(folder, safeFacts, home).watched),
    warnings: rules.network.mode === 'hosts' ? place.directories.flatMap(sshWarnings) : [],
  }
}

const SSH_REMOTE = /\[remote "([^"\n]{1,100})"\][^[]*?\n\s*url\s*=\s*"?(?:ssh:\/\/|[\w.-]+@[\w.-]+:)/g

/** The proxy for allowed hosts speaks HTTP alone. */
function sshWarnings(directory: string): string[] {
  const text = safeFacts.text(join(directory, '.git', 'config')) ?? ''
  return [...text.matchAll(SSH_REMOTE)].map(
    ([, remote]) =>
      `git remote "${remote}" of ${directory} uses ssh, which network.hosts does not allow: use its https address`,
  )
}

/** The next start would run a changed bridge outside of any sandbox. */
const installation = (bridge: string): string[] =>
  [dirname(bridge), join(dirname(dirname(bridge)), 'node_modules'), process.execPath].filter(isThere)

/** Sockets of terminals and of the session: a program that reaches them runs commands outside. */
const OF_THE_SESSION = ['XDG_RUNTIME_DIR', 'TMUX_TMPDIR']

function closedPaths(config: Config, home: string): string[] {
  const session = OF_THE_SESSION.flatMap((variable) => config.env[variable] || [])
  return [...new Set([...new ClosedSet(config).paths(home), ...session])].filter(isThere)
}

/** Why the sandbox cannot be mounted as far as the daemon sees, with the next step; null if nothing is known. */
export function mountFault(launch: LaunchSandbox, config: Config, home: string): SandboxFault | null {
  const closed = new ClosedSet(config)
  const wide = launch.write.find((path) => closed.holdsHome(realOf(path)))
  if (wide !== undefined)
    return new SandboxFault('sandbox-too-wide', `${wide} contains a home directory`, 'choose a project folder')
  try {
    planMounts(launch, hostFacts, { home, programs: [] })
    return null
  } catch (error) {
    if (error instanceof SandboxFault) return error
    throw error
  }
}

/** Bytes. */
const LONGEST_TEXT = 1024 * 1024

/** The daemon must not wait for a pipe that an agent put in place of a file. */
const safeFacts: FileFacts = {
  ...hostFacts,
  text: (path) => {
    let file: number
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    } catch {
      return null
    }
    try {
      const stats = fstatSync(file)
      if (!stats.isFile() || stats.size > LONGEST_TEXT) return null
      const bytes = Buffer.alloc(stats.size)
      return bytes.toString('utf8', 0, readSync(file, bytes))
    } finally {
      closeSync(file)
    }
  },
}
