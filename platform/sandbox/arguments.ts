// The argument list of bubblewrap. It starts no shell and needs no quoting.
import { isWithin } from '../files/within.ts'
import type { Mount, MountPlan } from './mounts.ts'

export interface BwrapOptions {
  /** Working directory inside. */
  directory: string
  /** Folder on disk that is /tmp and /var/tmp inside. */
  tmp: string
  /** An empty file of mode 0, in place of hidden files. */
  emptyFile: string
  network: 'all' | 'none' | 'hosts'
  /** Programs inside may make user namespaces. */
  nested: boolean
  /** The program keeps its terminal, with job control. */
  isInteractive: boolean
  /** Variables that the program does not get. */
  unset: string[]
}

/** Also for root: it would keep its capabilities, and remove the mounts. */
const NAMESPACES =
  '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent'.split(
    ' ',
  )

/** Files of the kernel that root may write without a capability: core_pattern would run a program outside. */
const COVERED = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr', 'pressure', 'driver', 'tty']
const COVERS = COVERED.map((name) => `/proc/${name}`).flatMap((path) => ['--ro-bind-try', path, path])

const HIDDEN = '0000'
/** Its content can be reached by name, and cannot be listed. */
const HIDDEN_BUT_PASSABLE = '0111'

/** Arguments before the command of the program. */
export function bwrapArguments(plan: MountPlan, options: BwrapOptions): string[] {
  const hidden = plan.mounts.filter(({ access, isFile }) => access === 'hide' && !isFile)
  return [
    ...NAMESPACES,
    ...(options.nested ? [] : ['--disable-userns']),
    ...(options.network === 'all' ? [] : ['--unshare-net']),
    ...(options.isInteractive ? [] : ['--new-session']),
    ...(plan.readAll ? ['--ro-bind', '/', '/'] : []),
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    // The kernel refuses a nested /proc where this one is covered.
    ...(options.nested ? [] : COVERS),
    '--tmpfs',
    '/run',
    ...plan.run.flatMap((path) => ['--ro-bind-try', path, path]),
    ...plan.temporary.flatMap((path) => ['--bind', options.tmp, path]),
    ...plan.mounts.flatMap((mount) => mountArguments(mount, plan, options.emptyFile)),
    ...plan.links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...[...hidden.map(({ path }) => path), '/run', ...(plan.readAll ? [] : ['/'])].flatMap((path) => [
      '--remount-ro',
      path,
    ]),
    ...options.unset.flatMap((name) => ['--unsetenv', name]),
    '--chdir',
    options.directory,
  ]
}

function mountArguments({ path, access, isFile, pins = [] }: Mount, plan: MountPlan, emptyFile: string): string[] {
  if (access === 'read') return ['--ro-bind', path, path]
  if (access === 'hide') {
    if (isFile) return ['--ro-bind', emptyFile, path]
    const isPassable = plan.mounts.some((each) => each.access !== 'hide' && isWithin(each.path, path))
    return ['--perms', isPassable ? HIDDEN_BUT_PASSABLE : HIDDEN, '--tmpfs', path]
  }
  const bind = ['--bind', path, path]
  // The folder is bound again over the pins: renames between mounts fail, and with it all are in one mount.
  return pins.length === 0 ? bind : [...bind, ...pins.flatMap((pin) => ['--bind', pin, pin]), ...bind]
}
