// Rows of the transcript. Turns and approvals are kept by reference: their state is read from their own tables.
import type { Knex } from '../../../platform/database/database.ts'
import { storable } from '../../../platform/store/columns.ts'
import { LONGEST_ENTRY_TEXT, type TranscriptEntry } from '../../../schemas/agent/transcript.ts'
import type { Draft } from './drafts.ts'

export const ENTRIES = 'orchestrator_entries'

export interface EntryRow {
  id: string
  agent_id: string
  turn_id: string | null
  type: TranscriptEntry['type']
  at: string
  /** Unique per agent: identifies what is repeated after a reconnect. */
  origin: string
  /** Characters that the row takes, about. */
  size: number
  /** Characters of the entry in a page, about. */
  shown_size: number
  /** JSON of the fields. */
  entry: string
  /** Whole text, if longer than that of the entry. */
  content: string | null
}

/** Characters of the other columns. */
const ROW_SIZE = 200
/** SQLite limits the values of a statement. */
const INSERTED_AT_ONCE = 50

type Named = Pick<EntryRow, 'id' | 'agent_id' | 'turn_id' | 'at' | 'origin'>

export function rowOf(named: Named, draft: Draft): EntryRow {
  const { type, text, elsewhere = 0 } = draft
  const entry = entryOf(draft)
  const content = text.length > LONGEST_ENTRY_TEXT ? storable(text) : null
  const size = ROW_SIZE + entry.length
  const shown_size = size + Math.min(elsewhere, LONGEST_ENTRY_TEXT)
  return { ...named, type, size: size + (content?.length ?? 0), shown_size, entry, content }
}

function entryOf({ type, fields, text }: Draft): string {
  if (type === 'approval') return JSON.stringify(fields)
  const truncated = text.length > LONGEST_ENTRY_TEXT
  const head = JSON.stringify({ ...fields, length: text.length, truncated }).slice(0, -1)
  if (type !== 'tool_call') return `${head},"text":${JSON.stringify(cut(text))}}`
  // The input is JSON already.
  return `${head},"input":${truncated ? JSON.stringify(cut(text)) : text}}`
}

/** Never ends within a surrogate pair. */
export const cut = (text: string): string => text.slice(0, LONGEST_ENTRY_TEXT).replace(/[\ud800-\udbff]$/, '')

/** Ignores entries whose `origin` is known. */
export async function insertEntries(transaction: Knex, rows: readonly EntryRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE) {
    const some = rows.slice(at, at + INSERTED_AT_ONCE)
    await transaction(ENTRIES).insert(some).onConflict(['agent_id', 'origin']).ignore()
  }
}

/** Deletes the oldest entries of an agent above `most` characters. */
export async function pruneEntries(transaction: Knex, agentId: string, most: number): Promise<void> {
  const sized = transaction(ENTRIES)
    .where({ agent_id: agentId })
    .select('id', transaction.raw('sum(size) over (order by id desc) as total'))
    .as('sized')
  const last: Pick<EntryRow, 'id'> | undefined = await transaction
    .from(sized)
    .where('total', '>', most)
    .orderBy('id', 'desc')
    .first('id')
  if (last) await transaction(ENTRIES).where({ agent_id: agentId }).where('id', '<=', last.id).delete()
}

export async function lastEntryId(db: Knex): Promise<string | null> {
  const last: { id?: string | null } | undefined = await db(ENTRIES).max({ id: 'id' }).first()
  return last?.id ?? null
}

/** Call in the transaction that deletes the agent. */
export async function deleteEntries(transaction: Knex, agentId: string): Promise<void> {
  await transaction(ENTRIES).where({ agent_id: agentId }).delete()
}
