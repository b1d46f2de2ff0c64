// Writes the transcript: entries are gathered, and in the database before what depends on them is answered.
import type { Background } from '../../../platform/async/background.ts'
import { inBatches } from '../../../platform/async/batches.ts'
import { inPieces } from '../../../platform/async/time-slices.ts'
import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { RecentMap } from '../../../platform/core/recent.ts'
import { write } from '../../../platform/database/database.ts'
import type { World } from '../../../platform/service/world.ts'
import { retention } from '../../../platform/store/retention.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import type { StreamHub } from '../events/streams.ts'
import { deleteOlder } from '../record/old-rows.ts'
import type { Prompt } from '../record/tables.ts'
import { now, type RecordWorld } from '../record/world.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { Frame } from '../session/frame.ts'
import type { Refused } from '../session/frame-reader.ts'
import type { Sessions } from '../session/sessions.ts'
import type { settings } from '../settings.ts'
import { draftsOf, frameKind, note, type Draft, type FrameKind } from './drafts.ts'
import { EntryIds } from './entry-ids.ts'
import { ENTRIES, insertEntries, lastEntryId, pruneEntries, rowOf, type EntryRow } from './rows.ts'
import { TurnMemory } from './turn-memory.ts'

/** Maximum delay before an entry is written. */
const GATHER_MS = 250
/** Characters gathered of an agent before its next frame waits for the write. */
const MOST_GATHERED = 1024 * 1024
const AT_ONCE = 32
/** Characters of a transaction, unless a single agent has more. */
const MOST_WRITTEN = 2 * 1024 * 1024
const MOST_AGENTS = 1000
/** Part of the limit that an agent may write until its oldest entries are deleted. */
const PRUNED_AFTER = 1 / 16
const MIB = 1024 * 1024

/** The agent may act on the answer to these frames. */
const ANSWERED: ReadonlySet<unknown> = new Set(['control_request', 'result'])

/** Reports of the daemon that belong to the transcript. */
const REPORTS: Record<string, 'error' | 'notice'> = {
  message_lost: 'error',
  connection_replaced: 'error',
  sandbox_refused: 'error',
  sandbox_tampered: 'error',
  context_cleared: 'notice',
  worktree_kept: 'notice',
  work_preserved: 'notice',
}

interface Gathered {
  rows: EntryRow[]
  size: number
  turn: TurnMemory
}

interface Parts {
  sessions: Sessions
  streams: StreamHub
  settings: Pick<World<typeof settings>['settings'], 'transcriptDays' | 'transcriptMb'>
}

/** Entries of one agent. */
interface Batch {
  agentId: string
  rows: readonly EntryRow[]
  size: number
}

export class TranscriptRecorder {
  readonly #record: RecordWorld
  readonly #parts: Parts
  readonly #ids: EntryIds
  readonly #gathered = new Map<string, Gathered>()
  /** A frame is taken again while the database refuses writes. */
  readonly #taken = new WeakSet<Frame>()
  /** Characters written since the last deletion, by agent. */
  readonly #written = new RecentMap<number>(MOST_AGENTS)
  readonly #withoutEntry = new Map<FrameKind, number>()
  readonly #write = inBatches(AT_ONCE, (batches: readonly Batch[]) => this.#insert(batches))
  #timer: Timer | null = null
  #trimming: Background | null = null
  #lost = 0

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
    this.#ids = new EntryIds(record.clock)
    parts.streams.reports.subscribe((report) => this.#takeReport(report))
  }

  /** Frames that made no entry, by type. */
  get withoutEntry(): Record<string, number> {
    return Object.fromEntries(this.#withoutEntry)
  }

  /** Entries that the database could not store. */
  get lost(): number {
    return this.#lost
  }

  /** Call before agents can connect. Completes what a crash may have cut off: open turns and approvals. */
  async start(): Promise<void> {
    const { clock, db, log, tables } = this.#record
    const rows = { table: ENTRIES, key: 'id', at: 'at' }
    const trim = (before: string, signal: AbortSignal) => deleteOlder(db, rows, before, signal)
    this.#trimming = retention({ clock, log, name: 'transcript trim', days: this.#parts.settings.transcriptDays, trim })
    const last = await lastEntryId(db)
    if (last !== null) this.#ids.continueAfter(last)
    for (const prompt of await tables.prompts.list({ where: { status: 'sent' } })) this.begin(prompt)
    for (const approval of await tables.approvals.list({ where: { status: 'pending' } }))
      this.#takeApproval(approval, approval.turn_id)
  }

  /** Call after the frame queues are drained. Entries that the database refuses now are lost. */
  async stop(): Promise<void> {
    this.#timer?.cancel()
    await this.#trimming?.stop()
    await Promise.all([...this.#gathered.keys()].map((id) => this.#flush(id).catch(() => undefined)))
    const entries = [...this.#gathered.values()].reduce((sum, { rows }) => sum + rows.length, 0)
    if (entries === 0) return
    this.#lost += entries
    this.#record.log.warn({ entries }, 'transcript entries lost: the database refused them until the stop')
  }

  /** A turn begins: call when its prompt is sent. */
  begin({ id, agent_id, kind, dispatch_id, content }: Prompt): void {
    const fields = { kind, dispatch_id }
    this.#add(agent_id, { type: 'turn', fields, text: '', elsewhere: content.length, origin: `turn:${id}` }, id)
  }

  /**
   * Call from the agent's frame queue, before the frame is handled. If the frame will be answered, resolves once all
   * entries of the agent so far are in the database. Throws 503 while that refuses writes; call again with the same
   * frame.
   */
  async take(session: AgentSession, frame: Frame): Promise<void> {
    if (!this.#taken.has(frame)) {
      this.#taken.add(frame)
      await this.#note(session, frame)
    }
    const { agentId } = session
    const { size = 0 } = this.#gathered.get(agentId) ?? {}
    if (size > MOST_GATHERED || (size > 0 && ANSWERED.has(frame.type))) return this.#flush(agentId)
  }

  /** Keeps the first refusal of each reason in a turn; the others are counted elsewhere. */
  takeRefused(session: AgentSession, { reason, message }: Refused): void {
    const turnId = session.prompt?.id ?? null
    if (!this.#of(session.agentId).turn.of(turnId).isNewRefusal(reason)) return
    this.#add(session.agentId, note('error', 'frame_refused', message), turnId)
  }

  /** Writes the gathered entries of an agent. A database that refuses that may still be read. */
  async settle(agentId: string): Promise<void> {
    const flush = () => this.#flush(agentId)
    const written = this.#parts.sessions.find(agentId)?.frames.call(flush) ?? flush()
    await written.catch((error: unknown) => {
      if (!isRefusal(error)) throw error
    })
  }

  /** Call after the agent is deleted. */
  forget(agentId: string): void {
    this.#gathered.delete(agentId)
    this.#written.delete(agentId)
  }

  async #note(session: AgentSession, frame: Frame): Promise<void> {
    const { agentId, prompt } = session
    const turnId = prompt?.id ?? null
    const read = await inPieces(draftsOf(frame, turnId))
    const drafts = this.#of(agentId).turn.of(turnId).news(frame, read)
    if (drafts.length === 0) return this.#count(frameKind(frame))
    for (const draft of drafts) this.#add(agentId, draft, isUnrequested(frame) ? null : turnId)
  }

  #count(kind: FrameKind): void {
    this.#withoutEntry.set(kind, (this.#withoutEntry.get(kind) ?? 0) + 1)
  }

  #takeReport({ agent_id: agentId, type, content, approval }: StreamFrame): void {
    const turnId = this.#parts.sessions.find(agentId)?.prompt?.id ?? null
    if (type === 'pending_approval' && approval) return this.#takeApproval(approval, approval.turn_id ?? turnId)
    const kind = Object.hasOwn(REPORTS, type) ? REPORTS[type] : undefined
    if (kind) this.#add(agentId, note(kind, type, content), turnId)
  }

  #takeApproval(
    { id, agent_id, request_id, tool_name }: NonNullable<StreamFrame['approval']>,
    turnId: string | null,
  ): void {
    const call_id = this.#of(agent_id).turn.callOf(request_id)
    const fields = { approval_id: id, call_id, tool_name }
    this.#add(agent_id, { type: 'approval', fields, text: '', origin: `approval:${id}` }, turnId)
  }

  #of(agentId: string): Gathered {
    let gathered = this.#gathered.get(agentId)
    if (!gathered) this.#gathered.set(agentId, (gathered = { rows: [], size: 0, turn: new TurnMemory() }))
    return gathered
  }

  #add(agentId: string, draft: Draft, turnId: string | null): void {
    const gathered = this.#of(agentId)
    const id = this.#ids.next()
    const named = { id, agent_id: agentId, turn_id: turnId, at: now(this.#record), origin: draft.origin ?? id }
    const row = rowOf(named, draft)
    gathered.rows.push(row)
    gathered.size += row.size
    this.#timer ??= this.#record.clock.after(GATHER_MS, () => this.#flushAll())
  }

  #flushAll(): void {
    this.#timer = null
    for (const [id, { rows }] of this.#gathered) {
      if (rows.length === 0) continue
      const frames = this.#parts.sessions.find(id)?.frames
      // In the queue, so that one write at a time runs for an agent; it retries a refused one.
      if (frames) void frames.take(() => this.#flush(id))
      else void this.#flush(id).catch(() => undefined)
    }
  }

  async #flush(agentId: string): Promise<void> {
    const gathered = this.#gathered.get(agentId)
    if (!gathered || gathered.rows.length === 0) return
    const { rows, size } = gathered
    gathered.rows = []
    gathered.size = 0
    try {
      if (!(await this.#write({ agentId, rows, size }))) this.forget(agentId)
    } catch (error) {
      if (isRefusal(error)) {
        gathered.rows = [...rows, ...gathered.rows]
        gathered.size += size
        throw error
      }
      // The agent must go on: the work itself is recorded elsewhere.
      this.#lost += rows.length
      unexpected(this.#record.log, 'frame', error, { agent_id: agentId, entries: rows.length })
    }
  }

  /** Returns for each agent whether it still exists; entries of others are dropped. */
  async #insert(batches: readonly Batch[]): Promise<boolean[]> {
    const exist: boolean[] = []
    for (const some of boundedBySize(batches)) exist.push(...(await this.#insertTogether(some)))
    return exist
  }

  async #insertTogether(batches: readonly Batch[]): Promise<boolean[]> {
    const most = this.#parts.settings.transcriptMb * MIB
    const sizes = new Map(batches.map((batch) => [batch.agentId, this.#writtenWith(batch, most)]))
    const present = await write(this.#record.db, async (transaction) => {
      const agents = await this.#record.agents.lock([...sizes.keys()], transaction)
      const known = batches.filter(({ agentId }) => agents.has(agentId))
      await insertEntries(
        transaction,
        known.flatMap(({ rows }) => rows),
      )
      for (const [agentId, size] of sizes)
        if (size >= most * PRUNED_AFTER) await pruneEntries(transaction, agentId, most)
      return agents
    })
    for (const [agentId, size] of sizes) this.#written.set(agentId, size >= most * PRUNED_AFTER ? 0 : size)
    return batches.map(({ agentId }) => present.has(agentId))
  }

  /** An agent that is not known yet may have too many. */
  #writtenWith({ agentId, size }: Batch, most: number): number {
    return (this.#written.get(agentId) ?? most) + size
  }
}

function* boundedBySize(batches: readonly Batch[]): Generator<readonly Batch[]> {
  let [from, total] = [0, 0]
  for (const [at, { size }] of batches.entries()) {
    if (at > from && total + size > MOST_WRITTEN) {
      yield batches.slice(from, at)
      ;[from, total] = [at, 0]
    }
    total += size
  }
  yield batches.slice(from)
}

const isUnrequested = ({ type, origin }: Frame): boolean => type === 'result' && Boolean(origin)

const isRefusal = (error: unknown): boolean => error instanceof Problem && error.status === 503
