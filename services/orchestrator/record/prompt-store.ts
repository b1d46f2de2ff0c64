// Prompt states: queued → sent → done or failed.
import type { Knex } from '../../../platform/database/database.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import type { Message } from '../../../schemas/agent/message.ts'
import { now, type Creating, type Querying, type Reading, type RecordWorld, type Writing } from './world.ts'
import { OLDEST_FIRST, type Prompt, type PromptRow, type RoomPromptRow } from './tables.ts'

const MOST_LOST = 10

type NewPrompt = Pick<Prompt, 'agent_id' | 'kind' | 'content'> &
  Partial<Pick<PromptRow, 'dispatch_id' | 'policy' | 'by_agent' | 'owner'>>

export async function addPrompt(service: Creating, transaction: Knex, prompt: NewPrompt): Promise<Prompt> {
  return (await addPrompts(service, transaction, [prompt]))[0]!
}

export async function addPrompts(
  service: Creating,
  transaction: Knex,
  prompts: readonly NewPrompt[],
  status: 'queued' | 'sent' = 'queued',
): Promise<Prompt[]> {
  const at = now(service)
  const sent_at = status === 'sent' ? at : null
  const rows = prompts.map((prompt) => {
    const rank = prompt.kind === 'initial' ? 0 : 1
    return { id: service.ids(), ...prompt, rank, status, created_at: at, sent_at }
  })
  return service.tables.prompts.insertAll(rows, transaction)
}

/** The initial prompt of a start precedes older prompts. */
export function nextPrompt({ tables }: Reading, agentId: string): Promise<Prompt | null> {
  const order = [{ column: 'rank', order: 'asc' }, ...OLDEST_FIRST] as const
  return tables.prompts.find({ agent_id: agentId, status: 'queued' }, undefined, { order })
}

export function sentPrompt({ tables }: Reading, agentId: string): Promise<Prompt | null> {
  return tables.prompts.find({ agent_id: agentId, status: 'sent' }, undefined, { order: ['seq'] })
}

export function countQueued({ tables }: Reading, agentId: string): Promise<number> {
  return tables.prompts.count({ agent_id: agentId, status: 'queued' })
}

export function countOwned({ tables }: Reading, owner: string, on: Knex): Promise<number> {
  return tables.prompts.count({ owner, status: 'queued' }, on)
}

/** Returns false if the prompt has left the queue or changed. */
export async function markSent(service: Writing, transaction: Knex, read: Prompt): Promise<boolean> {
  const { prompts } = service.tables
  const present = await prompts.find(read.id, transaction)
  if (present?.status !== 'queued' || changedFields(asRead(present), asRead(read)).length > 0) return false
  await prompts.update(read.id, { status: 'sent', sent_at: now(service) }, transaction)
  return true
}

const asRead = ({ agent_id, content, policy }: Prompt) => ({ agent_id, content, policy })

/** For a prompt that the agent did not receive. */
export async function requeuePrompt({ tables }: Reading, transaction: Knex, id: string, error: string): Promise<void> {
  await tables.prompts.update(id, { status: 'queued', error, result: null, sent_at: null }, transaction)
}

export async function endPrompts(
  service: Writing,
  transaction: Knex,
  ends: ReadonlyMap<string, Pick<PromptRow, 'status' | 'error' | 'result'>>,
): Promise<void> {
  const done_at = now(service)
  const patches = [...ends].map(([id, end]) => [id, { ...end, done_at }] as const)
  await service.tables.prompts.changeEach(new Map(patches), {}, transaction)
}

/** A new start queues its own initial prompt. */
export async function dropQueuedInitial(service: Writing, transaction: Knex, agentId: string): Promise<void> {
  const replaced = { status: 'failed', error: 'replaced by the prompt of a new start', done_at: now(service) } as const
  const which = { agent_id: agentId, status: 'queued', kind: 'initial' } as const
  await service.tables.prompts.update(which, replaced, transaction)
}

export async function dropPromptsOf(
  service: Writing,
  transaction: Knex,
  dispatchIds: string[],
  reason: string,
): Promise<void> {
  const dropped = { status: 'failed', error: reason, done_at: now(service) } as const
  await service.tables.prompts.update({ dispatch_id: dispatchIds, status: 'queued' }, dropped, transaction)
}

export async function failSent(
  service: RecordWorld,
  transaction: Knex.Transaction,
  agentId: string,
  error: string,
): Promise<void> {
  const sent = await service.tables.prompts.list(
    { where: { agent_id: agentId, status: 'sent' }, order: OLDEST_FIRST },
    transaction,
  )
  for (const prompt of sent) await failPrompt(service, transaction, prompt, error)
}

/**
 * Fails a sent prompt. It is not resent, because the agent may have acted on it. A message has no dispatch, so its loss
 * is recorded on the agent.
 */
export async function failPrompt(
  service: RecordWorld,
  transaction: Knex.Transaction,
  { id, agent_id, kind }: Pick<Prompt, 'id' | 'agent_id' | 'kind'>,
  reason: string,
): Promise<void> {
  await endPrompts(service, transaction, new Map([[id, { status: 'failed', error: reason, result: null }]]))
  await answerRooms(service, transaction, new Map([[id, { error: reason }]]))
  const agent = kind === 'message' ? await service.agents.find(agent_id, transaction) : null
  if (!agent) return
  const sent = await service.tables.prompts.find(id, transaction)
  const lost = { sent_at: sent?.sent_at ?? now(service), reason }
  const lost_messages = [...agent.lost_messages, lost].slice(-MOST_LOST)
  await service.agents.update(transaction, agent_id, { lost_messages })
  service.log.warn({ agent_id, prompt_id: id, ...lost }, 'message got no result')
}

export function agentsWithSent({ db, tables }: Querying): Promise<string[]> {
  return db(tables.prompts.name).where({ status: 'sent' }).distinct('agent_id').pluck('agent_id')
}

type Outcome = { text: string | null } | { error: string }

export async function answerRooms(
  { tables }: Reading,
  transaction: Knex,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<void> {
  const where = { prompt_id: [...outcomes.keys()], status: 'waiting' } as const
  const rows = await tables.roomPrompts.list({ where, order: ['id'], hold: true }, transaction)
  const answers = rows.map(({ id, prompt_id }) => [id, answerOf(outcomes.get(prompt_id!)!)] as const)
  await tables.roomPrompts.changeEach(new Map(answers), {}, transaction)
}

function answerOf(outcome: Outcome): Partial<RoomPromptRow> {
  if ('error' in outcome) return { status: 'due', kind: 'notice', content: `could not answer: ${outcome.error}` }
  const content = outcome.text?.trim() ? outcome.text : null
  return { status: content === null ? 'done' : 'due', content }
}

/** Status of a prompt as a message: lost if no answer will arrive. */
export function messageStatus({ status, result }: Pick<PromptRow, 'status' | 'result'>): Message['status'] {
  // A failure reported by the agent has a result, even if empty.
  return status === 'failed' && result === null ? 'lost' : status
}
