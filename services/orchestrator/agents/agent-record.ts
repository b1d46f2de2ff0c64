import { mapSecrets } from '../../../platform/secrets/vault.ts'
import { agentChange, type AgentRecord, type AgentSpec } from '../../../schemas/agent.ts'
import { MASK } from '../../../schemas/secret.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import type { InspectedAgent } from '../face.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { awaitsVerdict, guardFault } from '../session/guard.ts'
import { sessionName, type AgentRow } from '../record/agent-store.ts'
import { sandboxRecord, tamperedReason } from './sandbox/sandbox-record.ts'

/** An agent started by a version without sandboxes counts as configured, so that an upgrade restarts none. */
const processSpec = ({ launched }: AgentRow): AgentSpec | null => launched && { ...UNSANDBOXED_VERSION, ...launched }
const UNSANDBOXED_VERSION = { sandbox: 'auto' } as const

/** Omits fields unknown to the version that started the process. */
export function pendingRestart(row: AgentRow): (keyof AgentSpec)[] {
  const { status, spec } = row
  const launched = processSpec(row)
  if (status !== 'running' || launched === null) return []
  const changed = changedFields(launched, spec).map((path) => path.split('.')[0] as keyof AgentSpec)
  return [...new Set(changed)].filter(
    (member) => member in launched && (member === 'additional_dirs' || agentChange(member) === 'restart'),
  )
}

/** Spec of the process; null if no restart is needed. */
function runningSpec(row: AgentRow): AgentSpec | null {
  const stale = pendingRestart(row).filter((member) => agentChange(member) === 'restart')
  const launched = processSpec(row)
  if (stale.length === 0 || launched === null) return null
  return { ...row.spec, ...Object.fromEntries(stale.map((member) => [member, launched[member]])) }
}

function rowWarnings(row: AgentRow): string[] {
  const stale = pendingRestart(row)
  return [
    ...(stale.length > 0 ? [`a restart is needed to apply ${stale.join(', ')}`] : []),
    ...row.lost_messages.map(
      ({ sent_at, reason }) =>
        `the message sent at ${sent_at} got no result (${reason}): send it again if it is still needed`,
    ),
  ]
}

/** Redacted; the controller fills in `managed_by`. */
export function toRecord(row: AgentRow, session: AgentSession | undefined): AgentRecord {
  const { name: _, ...config } = mapSecrets(row.spec, () => MASK) as AgentSpec
  const unguarded = unguardedReason(row, session)
  const degraded = unguarded ?? tamperedReason(row)
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    config: config as unknown as AgentRecord['config'],
    mux_session: sessionName(row.id),
    activity: session?.activity ?? 'idle',
    connected: session?.connected ?? false,
    restarts: row.restarts,
    last_error: degraded ?? row.last_error,
    sandbox: sandboxRecord(row),
    warnings: [...row.warnings, ...(degraded ? [degraded] : []), ...replacedWarning(session), ...rowWarnings(row)],
    managed_by: null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

function replacedWarning(session: AgentSession | undefined): string[] {
  const at = session?.connection.replacedAt ?? null
  if (at === null) return []
  return [
    `at ${new Date(at).toISOString()} a second connection with its secret replaced an open one: if you did not ` +
      'start it, restart the agent, which issues a new secret',
  ]
}

export function inspect(row: AgentRow, session: AgentSession | undefined): InspectedAgent {
  return {
    record: toRecord(row, session),
    spec: row.spec,
    running: runningSpec(row),
    awaitsProof: session?.connected ? awaitsVerdict(session.capabilities, row.spec, row.spec.tool_policy) : false,
    unguarded: unguardedReason(row, session) ?? tamperedReason(row),
    version: row.version,
  }
}

function unguardedReason(row: AgentRow, session: AgentSession | undefined): string | null {
  return row.status === 'running' && session ? guardFault(session.capabilities, row.spec) : null
}
