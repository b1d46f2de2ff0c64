// Checks whether sandboxes run on this machine, for each OS user of an agent.
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { bad, ok, type About, type Check } from '../../schemas/operations/gitops/doctor.ts'
import type { Config } from '../core/config.ts'
import { userPrefix } from '../core/user-prefix.ts'
import { probeSandbox, type SandboxProbe } from '../sandbox/probe.ts'
import { bounded } from './bounded.ts'

/** Of the system calls that the filter knows. */
const FILTERED = ['x64', 'arm64']
const TRIED = [0, 8] as const
/** Number of CAP_SETFCAP. */
const SETFCAP = 31n

interface Asked {
  config: Pick<Config, 'env'>
  /** OS users of agents besides that of the daemon. */
  users: Iterable<string>
  /** Process of the daemon; undefined without one. */
  pid: number | undefined
}

/** Does not throw. */
export async function sandboxChecks({ config, users, pid }: Asked): Promise<Check[]> {
  const others = [...new Set(users)].filter((user) => user !== userInfo().username).toSorted()
  const probes = await Promise.all([null, ...others].map((user) => userCheck(user, config)))
  const root = statusOfRoot(pid)
  return [...probes, filterCheck(), ...(root === null ? [] : [capabilityCheck(root)])]
}

/** Whether the daemon runs as root; false without a daemon. */
export const isRoot = (pid: number | undefined): boolean => statusOfRoot(pid) !== null

function userCheck(user: string | null, { env }: Pick<Config, 'env'>): Promise<Check> {
  const about: About = {
    id: user === null ? 'sandbox' : `sandbox-user/${user}`,
    title: user === null ? 'sandbox' : `sandbox of user ${user}`,
    expected: `a program starts in bubblewrap ${TRIED.join('.')} or newer`,
  }
  return bounded(about, async () =>
    probeCheck(about, await probeSandbox({ prefix: user === null ? [] : userPrefix(user), env })),
  )
}

export function probeCheck(about: About, found: SandboxProbe): Check {
  if (!found.ok) return bad(about, 'warning', `${found.message} (${found.code})`, found.hint)
  const seen = `bubblewrap ${found.version}`
  const [major = 0, minor = 0] = found.version.split('.').map(Number)
  if (major > TRIED[0] || minor >= TRIED[1]) return ok(about, seen)
  return bad(about, 'warning', `${seen} is older than ${TRIED.join('.')} and not tested`, 'upgrade bubblewrap')
}

function filterCheck(): Check {
  const machines = FILTERED.join(' or ')
  const about = { id: 'system-calls', title: 'system calls in sandboxes', expected: `filtered, on ${machines}` }
  if (FILTERED.includes(process.arch)) return ok(about, `filtered on ${process.arch}`)
  return bad(about, 'warning', `not filtered on ${process.arch}`, `use a machine with ${machines}`)
}

/** What the kernel reports of the daemon, whose rights may be less than those of this process; null if it is not root. */
function statusOfRoot(pid: number | undefined): string | null {
  const status = pid === undefined ? null : statusOf(pid)
  return status !== null && /^Uid:\s+0\b/m.test(status) ? status : null
}

function capabilityCheck(status: string): Check {
  const about = { id: 'capability', title: 'CAP_SETFCAP of the daemon', expected: 'in its bounding set' }
  const set = BigInt(`0x${/^CapBnd:\s+([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`)
  if ((set >> SETFCAP) & 1n) return ok(about, 'in its bounding set')
  const next = 'add CAP_SETFCAP to CapabilityBoundingSet of its unit, or run it as an ordinary user'
  return bad(about, 'warning', 'not in its bounding set, so that root can start no sandbox', next)
}

function statusOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return null
  }
}
