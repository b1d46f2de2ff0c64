import type { Knex } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/core/problem.ts'
import { itemCursor, rowSlice, type CursorAsked } from '../../../platform/store/keyset.ts'
import type { TranscriptEntry, TranscriptPage } from '../../../schemas/agent/transcript.ts'
import type { Slice } from '../../../schemas/operations/page.ts'
import type { Transcripts } from '../face.ts'
import { messageStatus } from '../record/prompt-store.ts'
import type { ApprovalRow, PromptRow } from '../record/tables.ts'
import type { RecordWorld } from '../record/world.ts'
import type { TranscriptRecorder } from './recorder.ts'
import { cut, ENTRIES, type EntryRow } from './rows.ts'

/** Characters of the entries of a page, unless a single one is longer. */
const MOST_CHARACTERS = 4 * 1024 * 1024

const OLDEST_FIRST = { list: 'transcript', parts: 1, keyOf: ({ id }: Pick<EntryRow, 'id'>) => [id] }

type Stored = Pick<EntryRow, 'id' | 'type' | 'turn_id' | 'at' | 'entry'>
const STORED = ['id', 'type', 'turn_id', 'at', 'entry']
type Sized = Pick<EntryRow, 'id' | 'shown_size'>
type Fields = Record<string, unknown>

type Turn = Pick<PromptRow, 'id' | 'content' | 'status' | 'result' | 'error' | 'done_at'>
type Decision = Pick<ApprovalRow, 'id' | 'status' | 'decided_at' | 'decided_by' | 'reason' | 'delivered_at'>
const DECISION = ['id', 'status', 'decided_at', 'decided_by', 'reason', 'delivered_at']

export class TranscriptPages implements Transcripts {
  readonly #record: RecordWorld
  readonly #recorder: Pick<TranscriptRecorder, 'settle'>

  constructor(record: RecordWorld, recorder: Pick<TranscriptRecorder, 'settle'>) {
    this.#record = record
    this.#recorder = recorder
  }

  async page(agentId: string, asked: CursorAsked): Promise<TranscriptPage> {
    await this.#record.agents.get(agentId)
    await this.#recorder.settle(agentId)
    const slice = await this.#slice(agentId, await this.#withinSize(agentId, asked))
    const items = await this.#shown(slice.items)
    const oldest: Pick<EntryRow, 'at'> | undefined = await this.#of(agentId).orderBy('id').first('at')
    const last = slice.items.at(-1)
    const here = asked.side === 'after' && asked.cursor !== '' ? asked.cursor : null
    const next = slice.next ?? (last ? itemCursor(OLDEST_FIRST, last) : here)
    return { items, next, previous: slice.previous, kept_since: oldest?.at ?? null }
  }

  async entries(agentId: string, ids: readonly string[]): Promise<TranscriptEntry[]> {
    return this.#shown(await this.#of(agentId).whereIn('id', ids).select(STORED))
  }

  async content(agentId: string, entryId: string): Promise<string> {
    await this.#record.agents.get(agentId)
    await this.#recorder.settle(agentId)
    const row: EntryRow | undefined = await this.#of(agentId).where({ id: entryId }).first()
    if (!row) throw notFound('transcript entry', entryId)
    if (row.type === 'turn') return (await this.#record.tables.prompts.find(row.turn_id!))?.content ?? ''
    if (row.content !== null) return row.content
    const { text = '', input } = JSON.parse(row.entry) as { text?: string; input?: unknown }
    return row.type === 'tool_call' ? JSON.stringify(input) : text
  }

  #of(agentId: string): Knex.QueryBuilder {
    return this.#record.db(ENTRIES).where({ agent_id: agentId })
  }

  #slice(agentId: string, asked: CursorAsked): Promise<Slice<Stored>> {
    const query = this.#of(agentId).select(STORED)
    return rowSlice<Stored>(query, ['id'], { order: OLDEST_FIRST, asked, decode: (row) => row as Stored })
  }

  /** Lowers the limit so that the entries next to the cursor fit into a page. */
  async #withinSize(agentId: string, asked: CursorAsked): Promise<CursorAsked> {
    const query = this.#of(agentId).select('id', 'shown_size')
    const { items } = await rowSlice<Sized>(query, ['id'], {
      order: OLDEST_FIRST,
      asked,
      decode: (row) => row as Sized,
    })
    let [count, size] = [0, 0]
    for (const { shown_size } of asked.side === 'after' ? items : items.toReversed()) {
      size += shown_size
      if (size > MOST_CHARACTERS) break
      count++
    }
    return { ...asked, limit: Math.max(count, 1) }
  }

  async #shown(rows: readonly Stored[]): Promise<TranscriptEntry[]> {
    const entries = rows.map((row) => ({ ...row, fields: JSON.parse(row.entry) as Fields }))
    const turnIds = entries.flatMap(({ type, turn_id }) => (type === 'turn' ? [turn_id!] : []))
    const turns = await this.#byId<Turn>('prompts', turnIds, this.#turnColumns())
    const approvalIds = entries.flatMap(({ fields }) => approvalOf(fields) ?? [])
    const decisions = await this.#byId<Decision>('approvals', approvalIds, DECISION)
    const stateOf = ({ type, turn_id, fields }: Pick<Stored, 'type' | 'turn_id'> & { fields: Fields }): Fields => {
      if (type === 'turn') return turnState(turns.get(turn_id!))
      return type === 'approval' ? decisionState(decisions.get(approvalOf(fields)!)) : {}
    }
    return entries.map((entry) => {
      const { id, turn_id, at, type, fields } = entry
      return { id, turn_id, at, type, ...fields, ...stateOf(entry) } as unknown as TranscriptEntry
    })
  }

  /** Of a result, which may be long, only whether it is there. */
  #turnColumns(): (string | Knex.Raw)[] {
    const result = this.#record.db.raw("case when result is null then null else '' end as result")
    return ['id', 'content', 'status', 'error', 'done_at', result]
  }

  async #byId<Row extends { id: string }>(
    table: 'prompts' | 'approvals',
    ids: readonly string[],
    columns: readonly (string | Knex.Raw)[],
  ): Promise<Map<string, Row>> {
    if (ids.length === 0) return new Map()
    const { name } = this.#record.tables[table]
    const rows = (await this.#record.db(name).whereIn('id', ids).select(columns)) as Row[]
    return new Map(rows.map((row) => [row.id, row]))
  }
}

const approvalOf = ({ approval_id: id }: Fields): string | null => (typeof id === 'string' ? id : null)

function turnState(turn: Turn | undefined): Fields {
  if (!turn) return { status: null, error: null, done_at: null, text: '', length: 0, truncated: false }
  const { content, error, done_at } = turn
  const text = cut(content)
  return { status: messageStatus(turn), error, done_at, text, length: content.length, truncated: text !== content }
}

function decisionState(decision: Decision | undefined): Fields {
  const { status = null, decided_at = null, decided_by = null, reason = null, delivered_at = null } = decision ?? {}
  return { status, decided_at, decided_by, reason, delivered_at }
}
