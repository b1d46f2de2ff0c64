// Everything that waits for an agent or was given to it: queued → sent → done or failed.
import type { Knex } from '../../platform/database.ts'
import type { ToolPolicy } from '../../schemas/tool-policy.ts'
import { now, storable, type Core } from './core.ts'

export type PromptKind = 'initial' | 'message' | 'dispatch' | 'clear'

export interface PromptRow {
  /** Also the uuid of the frame. */
  id: string
  agentId: string
  kind: PromptKind
  content: string
  dispatchId: string | null
  /** In force from just before the prompt is sent until its result; null = the agent's own. */
  policy: ToolPolicy | null
}

const TABLE = 'orchestrator_prompts'

export async function addPrompt(
  core: Core,
  transaction: Knex,
  prompt: Omit<PromptRow, 'id'>,
  status: 'queued' | 'sent' = 'queued',
): Promise<PromptRow> {
  const id = core.ids()
  await transaction(TABLE).insert({
    id,
    agent_id: prompt.agentId,
    kind: prompt.kind,
    rank: prompt.kind === 'initial' ? 0 : 1,
    content: storable(prompt.content),
    dispatch_id: prompt.dispatchId,
    policy: prompt.policy && JSON.stringify(prompt.policy),
    status,
    created_at: now(core),
    sent_at: status === 'sent' ? now(core) : null,
  })
  return { id, ...prompt }
}

/** The next one to send; the initial prompt of a start goes before what waited from earlier. */
export async function nextPrompt(db: Knex, agentId: string): Promise<PromptRow | null> {
  const row = await db(TABLE)
    .where({ agent_id: agentId, status: 'queued' })
    .orderBy([{ column: 'rank' }, { column: 'seq' }])
    .first()
  return row ? toPrompt(row) : null
}

/** The one that was sent and has no result yet. */
export async function sentPrompt(db: Knex, agentId: string): Promise<PromptRow | null> {
  const row = await db(TABLE).where({ agent_id: agentId, status: 'sent' }).orderBy('seq', 'desc').first()
  return row ? toPrompt(row) : null
}

export async function countQueued(db: Knex, agentId: string): Promise<number> {
  const row = await db(TABLE).where({ agent_id: agentId, status: 'queued' }).count({ count: '*' }).first()
  return Number(row?.count ?? 0)
}

/** queued → sent; false when it waits no more. */
export async function markSent(core: Core, transaction: Knex, id: string): Promise<boolean> {
  return (
    (await transaction(TABLE)
      .where({ id, status: 'queued' })
      .update({ status: 'sent', sent_at: now(core) })) === 1
  )
}

export async function markPrompt(
  core: Core,
  transaction: Knex,
  id: string,
  status: 'queued' | 'done' | 'failed',
  error: string | null = null,
): Promise<void> {
  const times = status === 'queued' ? { sent_at: null } : { done_at: now(core) }
  await transaction(TABLE)
    .where({ id })
    .update({ status, error, ...times })
}

/** The prompt a new start brings anew replaces one that never left. */
export async function dropQueuedInitial(core: Core, transaction: Knex, agentId: string): Promise<void> {
  await transaction(TABLE)
    .where({ agent_id: agentId, status: 'queued', kind: 'initial' })
    .update({ status: 'failed', error: 'a new start replaced it', done_at: now(core) })
}

/** Prompts of these dispatches will not be sent any more. */
export async function dropPromptsOf(
  core: Core,
  transaction: Knex,
  dispatchIds: string[],
  reason: string,
): Promise<void> {
  await transaction(TABLE)
    .whereIn('dispatch_id', dispatchIds)
    .where({ status: 'queued' })
    .update({ status: 'failed', error: reason, done_at: now(core) })
}

function toPrompt(row: Record<string, any>): PromptRow {
  return {
    id: row.id,
    agentId: row.agent_id,
    kind: row.kind,
    content: row.content,
    dispatchId: row.dispatch_id,
    policy: row.policy ? JSON.parse(row.policy) : null,
  }
}
