// Which paths a program may read and write, as mounts in their order. A later mount covers earlier ones at and below
// its path.
import { dirname, sep } from 'node:path'
import type { LaunchSandbox } from '../../schemas/sandbox/sandbox.ts'
import { isWithin } from '../files/within.ts'
import type { HostFacts } from './facts.ts'
import { PathResolver } from './paths.ts'
import { isReplaced, systemPlan, type SystemPlan } from './system-paths.ts'

export interface Mount {
  /** Without links. */
  path: string
  access: 'write' | 'read' | 'hide'
  isFile: boolean
  /** Folders between a writable folder and what is protected in it: renaming one would undo the protection. */
  pins?: string[]
}

export interface MountPlan extends SystemPlan {
  /** Ordered: a parent is before its children. */
  mounts: Mount[]
  readAll: boolean
}

export interface SystemPlaces {
  home: string
  /** Never writable, and readable also with `read: [..]`: node, the bridge, the program. */
  programs: string[]
}

/** `closed`: folders of the agent may be open inside. `hide`: nothing is. `listening`: sockets of the host. */
type Origin = 'write' | 'socket' | 'read' | 'system' | 'readonly' | 'listening' | 'closed' | 'hide'

const ACCESS: Record<Origin, Mount['access']> = {
  write: 'write',
  socket: 'write',
  read: 'read',
  system: 'read',
  readonly: 'read',
  listening: 'hide',
  closed: 'hide',
  hide: 'hide',
}

/** The later one wins on one path. */
const RANKS = Object.keys(ACCESS)

interface Wanted {
  path: string
  origin: Origin
}

/**
 * Throws a SandboxFault for a path that is missing, too wide or closed, or that the program could replace by a link.
 * Paths that are to be hidden or read-only and do not exist are left out: a mount would create them on the host.
 */
export function planMounts(sandbox: LaunchSandbox, facts: HostFacts, system: SystemPlaces): MountPlan {
  const readAll = sandbox.read === 'all'
  const resolver = new PathResolver(sandbox, facts, system.home)
  const plan = systemPlan(readAll, facts)
  const write = resolver.writable()
  const wanted: Wanted[] = [
    ...from('write', write),
    ...from('socket', resolver.sockets()),
    ...from('read', sandbox.read === 'all' ? [] : resolver.readable(sandbox.read)),
    ...from('system', resolver.present([...plan.readable, ...system.programs])),
    ...from('readonly', resolver.present(sandbox.readonly)),
    ...from('listening', resolver.listening()),
    ...from('closed', resolver.present(sandbox.closed)),
    ...from('hide', resolver.present(sandbox.hide)),
  ]
  const mounts = effective(wanted, write, readAll)
  const pins = pinsOf(mounts)
  return {
    ...plan,
    readAll,
    mounts: mounts.map(({ path, origin }) => ({
      path,
      access: ACCESS[origin],
      isFile: facts.kind(path) !== 'folder',
      ...(pins.has(path) && { pins: byDepth([...pins.get(path)!], (pin) => pin) }),
    })),
  }
}

const from = (origin: Origin, paths: readonly string[]): Wanted[] => paths.map((path) => ({ path, origin }))

const depthOf = (path: string): number => path.split(sep).filter(Boolean).length

const byDepth = <T>(list: readonly T[], pathOf: (each: T) => string): T[] =>
  list.toSorted((one, other) => depthOf(pathOf(one)) - depthOf(pathOf(other)) || (pathOf(one) < pathOf(other) ? -1 : 1))

/** The nearest of `mounts`, ordered by depth, that contains `path`. */
const above = (mounts: readonly Wanted[], path: string): Wanted | undefined =>
  mounts.findLast((each) => each.path !== path && isWithin(path, each.path))

/** In their order, without those that change nothing. */
function effective(wanted: readonly Wanted[], write: readonly string[], readAll: boolean): Wanted[] {
  const strongest = new Map<string, Wanted>()
  for (const each of wanted.toSorted((one, other) => RANKS.indexOf(one.origin) - RANKS.indexOf(other.origin)))
    strongest.set(each.path, each)
  const hidden = wanted.filter(({ origin }) => origin === 'hide').map(({ path }) => path)
  const mounts: Wanted[] = []
  for (const each of byDepth([...strongest.values()], ({ path }) => path)) {
    if (hidden.some((path) => path !== each.path && isWithin(each.path, path))) continue
    const parent = above(mounts, each.path)
    const outside = readAll && !isReplaced(each.path) ? 'read' : 'nothing'
    const around = parent === undefined ? outside : ACCESS[parent.origin]
    const holdsWritable = write.some((path) => isWithin(path, each.path))
    if (isEffective(each.origin, around, holdsWritable)) mounts.push(each)
  }
  return mounts
}

/** `around`: access to the folder of the path. */
function isEffective(origin: Origin, around: Mount['access'] | 'nothing', holdsWritable: boolean): boolean {
  switch (origin) {
    case 'write':
    case 'socket':
      return around !== 'write'
    case 'read':
      return around !== 'read'
    case 'system':
      return around === 'write' || around === 'nothing'
    case 'readonly':
      // The common folder of a linked worktree, and a read-only working directory, must be readable, wherever they are.
      return around === 'write' || (around !== 'read' && holdsWritable)
    case 'listening':
      // A program may use the sockets in its own folders. A read-only mount does not prevent a connection.
      return around === 'read'
    case 'closed':
    case 'hide':
      return around === 'write' || around === 'read'
  }
}

/** By the writable folder that they are in. */
function pinsOf(mounts: readonly Wanted[]): Map<string, Set<string>> {
  const pins = new Map<string, Set<string>>()
  for (const { path } of mounts) {
    const root = above(mounts, path)
    if (root === undefined || ACCESS[root.origin] !== 'write') continue
    for (let folder = dirname(path); folder !== root.path; folder = dirname(folder))
      pins.set(root.path, (pins.get(root.path) ?? new Set()).add(folder))
  }
  return pins
}
