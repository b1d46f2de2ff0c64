// Composes the sandbox of one start: what the agent may write, and what stays closed to it.
import { dirname, join, posix } from 'node:path'
import type { Config } from '../../../../platform/core/config.ts'
import { ClosedSet, isWithin } from '../../../../platform/files/closed-set.ts'
import type { DesiredPlace } from '../../../../platform/files/desired-files.ts'
import type { LaunchSandbox, SandboxRules } from '../../../../schemas/sandbox.ts'
import { isThere, realOf } from '../../record/started-sandbox.ts'
import { desiredPaths } from './desired-paths.ts'
import { gitProtections } from './git-protections.ts'

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
  absent: string[]
}

export function composeSandbox(rules: SandboxRules, place: SandboxPlace): ComposedSandbox {
  const { config, home, tmp } = place
  const absolute = (path: string) => fromHome(path, home)
  const opened = rules.write.map(absolute)
  const folders = [...new Set([...place.directories, ...opened])]
  const git = folders.map(gitProtections)
  const write = [...new Set([...folders, ...git.flatMap((each) => each.write)])]
  const real = write.map(realOf)
  const inWritable = (path: string) => real.some((each) => isWithin(realOf(path), each))
  const readonly = [
    ...desiredPaths(place.desired, real),
    ...installation(place.bridge).filter(inWritable),
    ...git.flatMap((each) => each.readonly),
  ]
  const launch: LaunchSandbox = {
    write,
    read: rules.read === 'all' ? 'all' : rules.read.map(absolute),
    hide: rules.hide.map(absolute),
    readonly: [...new Set(readonly)],
    sockets: rules.sockets,
    network: rules.network,
    nested: rules.nested,
    tmp,
    closed: closedPaths(config),
  }
  return { launch, opened, absent: git.flatMap((each) => each.absent) }
}

/** `~` is the home directory of the agent's user. */
export const fromHome = (path: string, home: string): string =>
  posix.normalize(path === '~' || path.startsWith('~/') ? home + path.slice(1) : path)

/** The next start would run a changed bridge outside of any sandbox. */
const installation = (bridge: string): string[] => [
  dirname(bridge),
  join(dirname(dirname(bridge)), 'node_modules'),
  process.execPath,
]

/** Sockets of terminals and of the session: who reaches them runs commands outside. */
const OF_THE_SESSION = ['XDG_RUNTIME_DIR', 'TMUX_TMPDIR']

/** The sandbox has processes of its own in /proc. */
function closedPaths(config: Config): string[] {
  const session = OF_THE_SESSION.flatMap((variable) => config.env[variable] || [])
  const closed = new ClosedSet(config).hiddenIn('/').filter((path) => path !== '/proc')
  return [...new Set([...closed, ...session])].filter(isThere)
}

/** Changes there change programs of everyone, or the files of all users. */
const TOO_WIDE = ['/etc', '/usr', '/var']

/** The first directory of an agent, or path of `sandbox.write`, that is too wide for a sandbox; null if none is. */
export function tooWide(config: Config, home: string, directories: readonly string[]): string | null {
  const closed = new ClosedSet(config)
  const isWide = (path: string) =>
    closed.holdsHome(path) || isWithin(home, path) || TOO_WIDE.some((each) => isWithin(each, path))
  return directories.find((each) => isWide(realOf(each))) ?? null
}
