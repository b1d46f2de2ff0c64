// The sandbox of an agent's last start, recorded before its process starts.
import { lstatSync } from 'node:fs'
import { realOf } from '../../../platform/core/real-path.ts'
import { isWithin } from '../../../platform/files/within.ts'
import type { LaunchSandbox } from '../../../schemas/sandbox/sandbox.ts'

export interface SandboxFinding {
  code: string
  message: string
}

export interface RefusedHost {
  host: string
  port: number
  count: number
  /** RFC 3339. */
  at: string
}

export interface StartedSandbox {
  /** Null: the process runs without one. */
  launch: LaunchSandbox | null
  /** Why there is none. */
  finding: SandboxFinding | null
  /** Why a later start failed before its process was started. */
  fault: SandboxFinding | null
  /** Its directories, absolute. */
  directories: string[]
  /** Paths of `sandbox.write`, absolute. */
  opened: string[]
  /** Directories that the process may change, with links resolved. */
  writable: string[]
  /** Since when no process of the agent could write elsewhere. RFC 3339; null without a sandbox. */
  writableSince: string | null
  /** Real path → since when no process of the agent could change it. RFC 3339. */
  readonlySince: Record<string, string>
  /** Files of git that were missing at the start and must not appear. */
  absent: string[]
  /** For people. */
  warnings?: string[]
  /** Those that have appeared. */
  tampered: string[]
  /** The last ten. */
  refused: RefusedHost[]
}

type Protection = Pick<StartedSandbox, 'writable' | 'writableSince' | 'readonlySince'>

/** A restart with the same protection continues it: what changed between the two could not be the agent's work. */
export function protectionOf(launch: LaunchSandbox | null, before: StartedSandbox | null, at: string): Protection {
  if (launch === null) return { writable: [], writableSince: null, readonlySince: {} }
  const writable = [...launch.write, launch.tmp].map(realOf)
  const known = before?.writableSince ?? null
  const isSame = known !== null && writable.join('\0') === before!.writable.join('\0')
  const since = (path: string) => {
    const above = Object.entries(before?.readonlySince ?? {}).find(([each]) => isWithin(path, each))
    const wasOutside = known !== null && !before!.writable.some((each) => isWithin(path, each))
    return above?.[1] ?? (wasOutside ? known : at)
  }
  const readonly = launch.readonly.map(realOf)
  return {
    writable,
    writableSince: isSame ? known : at,
    readonlySince: Object.fromEntries(readonly.map((path) => [path, since(path)])),
  }
}

/** True if the sandbox kept the agent from writing the file when it changed. `changedAt`: milliseconds since 1970. */
export function couldNotWrite(started: StartedSandbox | null, path: string, changedAt: number): boolean {
  if (!started?.launch) return false
  const wasSince = (at: string | null) => at !== null && Date.parse(at) <= changedAt
  const isOutside = !started.writable.some((each) => isWithin(path, each))
  if (isOutside) return wasSince(started.writableSince)
  return Object.entries(started.readonlySince).some(([each, at]) => isWithin(path, each) && wasSince(at))
}

export const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // Only the agent's user may see it.
    return true
  }
}

/** With the files of git that have appeared since the start; null if there are no new ones. */
export function withTampered(started: StartedSandbox): StartedSandbox | null {
  const tampered = started.absent.filter(isThere)
  return tampered.some((path) => !started.tampered.includes(path)) ? { ...started, tampered } : null
}

const MOST_REFUSED = 10

/** Newest first, one entry per host and port. */
export function withRefused(started: StartedSandbox, refused: RefusedHost): StartedSandbox {
  const isSame = ({ host, port }: RefusedHost) => host === refused.host && port === refused.port
  const count = refused.count + (started.refused.find(isSame)?.count ?? 0)
  const others = started.refused.filter((each) => !isSame(each))
  return { ...started, refused: [{ ...refused, count }, ...others].slice(0, MOST_REFUSED) }
}
