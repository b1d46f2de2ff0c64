// The agents' table: rows in, rows out, and the record of the API made of a row.
import { mapSecrets } from '../../platform/vault.ts'
import type { Knex } from '../../platform/database.ts'
import { notFound } from '../../platform/problem.ts'
import { agentChange, type AgentRecord, type AgentSpec } from '../../schemas/agent.ts'
import { MASK } from '../../schemas/secret.ts'
import { changedFields } from './audit.ts'
import { now, type Core } from './core.ts'
import { guardFault } from './guard.ts'
import { isBusy, isConnected, type Seat } from './seats.ts'

export type AgentStatus = AgentRecord['status']

export interface AgentRow {
  id: string
  name: string
  status: AgentStatus
  spec: AgentSpec
  /** What the present or last process was started with. */
  launched: AgentSpec | null
  tokenHash: string | null
  launchFile: string | null
  worktree: string | null
  launches: number
  restarts: number
  lastError: string | null
  warnings: string[]
  promptDue: boolean
  /** The agent program's own conversation, to go on with after a restart. */
  programSession: string | null
  programVersion: string | null
  sessionNumber: number
  costSeen: number
  apiMsSeen: number
  /** uuids of the latest frames that were counted: a repeat is not counted again, even by the next daemon. */
  seenFrames: string[]
  createdAt: string
  updatedAt: string
}

export const AGENTS = 'orchestrator_agents'

export const sessionName = (id: string): string => `${SESSION_PREFIX}${id}`
export const SESSION_PREFIX = 'svc-orch-'

export function toRow(core: Core, row: Record<string, any>): AgentRow {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    spec: core.vault.parse(row.config),
    launched: row.launched_config ? core.vault.parse(row.launched_config) : null,
    tokenHash: row.token_hash,
    launchFile: row.launch_file,
    worktree: row.worktree,
    launches: row.launches,
    restarts: row.restarts,
    lastError: row.last_error,
    warnings: JSON.parse(row.warnings),
    promptDue: Boolean(row.prompt_due),
    programSession: row.program_session,
    programVersion: row.program_version,
    sessionNumber: row.session_number,
    costSeen: row.cost_seen,
    apiMsSeen: row.api_ms_seen,
    seenFrames: JSON.parse(row.seen_frames),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Inside a transaction the row is held until its end, so that what is changed is what was read. */
export async function findAgent(core: Core, id: string, on: Knex = core.db): Promise<AgentRow | null> {
  const query = on(AGENTS).where({ id }).first()
  const row = await (on.isTransaction ? query.forUpdate() : query)
  return row ? toRow(core, row) : null
}

/** Throws 404. */
export async function getAgent(core: Core, id: string, on: Knex = core.db): Promise<AgentRow> {
  const row = await findAgent(core, id, on)
  if (!row) throw notFound('agent', id)
  return row
}

export async function listAgents(core: Core, filter: { status?: string; name?: string } = {}): Promise<AgentRow[]> {
  const wanted = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  const rows = await core.db(AGENTS).where(wanted).orderBy('seq', 'desc')
  return rows.map((row: Record<string, any>) => toRow(core, row))
}

export async function insertAgent(
  core: Core,
  transaction: Knex,
  agent: { id: string; spec: AgentSpec; tokenHash: string },
): Promise<void> {
  const at = now(core)
  await transaction(AGENTS).insert({
    id: agent.id,
    name: agent.spec.name,
    status: 'pending',
    config: core.vault.stringify(agent.spec),
    token_hash: agent.tokenHash,
    launches: 1,
    prompt_due: promptIsDue(agent.spec),
    created_at: at,
    updated_at: at,
  })
}

export function promptIsDue(spec: AgentSpec): boolean {
  return spec.prompt !== null && spec.prompt.trim() !== '' && !spec.interactive
}

export async function updateAgent(
  core: Core,
  transaction: Knex,
  id: string,
  columns: Record<string, unknown>,
): Promise<void> {
  await transaction(AGENTS)
    .where({ id })
    .update({ ...columns, updated_at: now(core) })
}

/** Members in which the process differs from the config because only a start takes them up. */
export function pendingRestart(row: AgentRow): string[] {
  if (row.status !== 'running' || row.launched === null) return []
  const changed = changedFields(row.launched, row.spec).map((path) => path.split('.')[0]!)
  return [...new Set(changed)].filter((member) => member === 'additional_dirs' || agentChange(member) === 'restart')
}

/** The record of the API; secrets masked, `managed_by` left to whoever knows the manifests. */
export function toRecord(row: AgentRow, seat: Seat | undefined): AgentRecord {
  const { name, ...config } = mapSecrets(row.spec, () => MASK) as AgentSpec
  const stale = pendingRestart(row)
  const unguarded = row.status === 'running' && seat ? guardFault(seat, row.spec) : null
  return {
    id: row.id,
    name,
    status: row.status,
    config: config as unknown as AgentRecord['config'],
    mux_session: sessionName(row.id),
    activity: seat && isBusy(seat) ? 'busy' : 'idle',
    connected: isConnected(seat),
    restarts: row.restarts,
    last_error: unguarded ?? row.lastError,
    warnings: [
      ...row.warnings,
      ...(unguarded ? [unguarded] : []),
      ...(stale.length > 0 ? [`a restart is needed to take up ${stale.join(', ')}`] : []),
    ],
    managed_by: null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}
