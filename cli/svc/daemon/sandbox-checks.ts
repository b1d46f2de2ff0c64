// Checks of `svc doctor`: whether sandboxes run here, and which agents run without one.
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { typed } from '../../command-line.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import type { SandboxProbe } from '../../../platform/sandbox/probe.ts'
import { runtimeFile } from '../../address.ts'
import { prefixOf } from '../../agents-user.ts'
import { connect } from '../../http-client.ts'
import { visible } from '../../output/print.ts'
import { config } from '../../settings.ts'
import { bad, ok, type Finding } from './finding.ts'

const PATIENCE_MS = 3000
/** Of the system calls that the filter knows. */
const FILTERED = ['x64', 'arm64']
const TRIED = [0, 8] as const
/** Number of CAP_SETFCAP. */
const SETFCAP = 31n

/** With a daemon, for all users of its agents; they must be known to this machine. */
export async function checkSandboxes(hasDaemon: boolean): Promise<Finding[]> {
  const agents = hasDaemon ? await agentsOf() : []
  const others = [...new Set(agents.flatMap(({ config: { user } }) => user ?? []))].toSorted()
  const users = [null, ...others.filter((user) => user !== userInfo().username)]
  const probes = await Promise.all(users.map(checkUser))
  const root = statusOfRoot()
  return [
    ...probes,
    checkFilter(),
    ...(root === null ? [] : [checkCapability(root), ...checkUsers(agents)]),
    ...checkAgents(agents),
  ]
}

const agentsOf = (): Promise<AgentRecord[]> =>
  connect(orchestratorOperations, { timeoutMs: PATIENCE_MS })
    .listAgents()
    .catch(() => [])

async function checkUser(user: string | null): Promise<Finding> {
  const check = user === null ? 'sandbox' : `sandbox of user ${user}`
  const { probeSandbox } = await import('../../../platform/sandbox/probe.ts')
  return probeFinding(check, await probeSandbox({ prefix: user === null ? [] : prefixOf(user), env: config().env }))
}

export function probeFinding(check: string, found: SandboxProbe): Finding {
  if (!found.ok) return bad('warn', check, `${found.message} (${found.code})`, found.hint)
  const detail = `bubblewrap ${found.version}`
  const [major = 0, minor = 0] = found.version.split('.').map(Number)
  if (major > TRIED[0] || minor >= TRIED[1]) return ok(check, detail)
  return bad('warn', check, `${detail} is older than ${TRIED.join('.')} and not tested`, 'upgrade bubblewrap')
}

function checkFilter(): Finding {
  const check = 'system calls in sandboxes'
  if (FILTERED.includes(process.arch)) return ok(check, `filtered on ${process.arch}`)
  return bad('warn', check, `not filtered on ${process.arch}`, `use a machine with ${FILTERED.join(' or ')}`)
}

/** What the kernel reports of the daemon, whose rights may be less than those of this command; null if it is not root. */
function statusOfRoot(): string | null {
  const pid = runtimeFile()?.pid
  const status = pid === undefined ? null : statusOf(pid)
  return status !== null && /^Uid:\s+0\b/m.test(status) ? status : null
}

function checkCapability(status: string): Finding {
  const check = 'CAP_SETFCAP of the daemon'
  const set = BigInt(`0x${/^CapBnd:\s+([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`)
  if ((set >> SETFCAP) & 1n) return ok(check, 'in its bounding set')
  const fix = 'add CAP_SETFCAP to CapabilityBoundingSet of its unit, or run it as an ordinary user'
  return bad('warn', check, 'not in its bounding set, so that root can start no sandbox', fix)
}

/** Of a daemon that runs as root. */
export function checkUsers(agents: readonly AgentRecord[]): Finding[] {
  const roots = agents.filter(({ status, config: { user } }) => status === 'running' && user === null)
  if (roots.length === 0) return []
  const names = roots.map(({ name }) => visible(name)).join(', ')
  const fix = 'write user: in their manifests, or run the daemon as an ordinary user'
  return [bad('warn', 'OS user of agents', `the daemon runs as root, and so do ${names}`, fix)]
}

function statusOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return null
  }
}

export function checkAgents(agents: readonly AgentRecord[]): Finding[] {
  return agents.flatMap(({ name, status, sandbox }): Finding[] => {
    if (sandbox === null || sandbox.state === 'on' || (status !== 'running' && sandbox.state !== 'failed')) return []
    const check = `sandbox of ${visible(name)}`
    const reason = visible(sandbox.reason ?? 'reason unknown')
    if (sandbox.code === 'sandbox-off') return [ok(check, `off: ${reason}`)]
    const restart = typed`agent orchestrator restart-agent ${name}`
    const detail = sandbox.state === 'failed' ? `not started: ${reason}` : `none: ${reason}`
    return [bad('warn', check, detail, `repair the cause, then run "${restart}"`)]
  })
}
