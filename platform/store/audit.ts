// Audit log: one row per changed field, written in the transaction of the change.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { elementsOf, isSet, keyOfList, type KeyedLists } from '../../schemas/members/keyed-list.ts'
import { elementPath, memberPath, pathOf, stepsOf } from '../../schemas/members/member-path.ts'
import { Secret } from '../../schemas/secret.ts'
import type { Actor } from '../core/actor.ts'
import { timestamp, type Clock } from '../core/clock.ts'
import { write, type Knex } from '../database/database.ts'
import { pageIndex } from './page.ts'

export interface AuditEntry extends Pick<Actor, 'actor' | 'requestId' | 'endpoint'> {
  at: string
}

export interface AuditWorld {
  db: Knex
  clock: Clock
  prefix: string
  /** Audit names of fields that have another name there: `{ workflows: { agent: 'agent_id' } }`. */
  words?: Record<string, Record<string, string>>
  guards?: { check(write: Omit<Written, 'isFree'>): void } | undefined
}

/** Written fields as paths; `''` is the whole resource. */
export interface Written {
  kind: string
  id: string
  members: readonly string[]
  by: Actor
  /** Skips the guards: already allowed, or no change to a manifest's value. */
  isFree?: boolean
}

export class Audit {
  readonly #world: AuditWorld
  readonly #table: string

  constructor(world: AuditWorld) {
    this.#world = world
    this.#table = auditTableOf(world.prefix)
  }

  /** Records a write and sets `by.audited`. Throws the 409 of a guard. */
  async record(transaction: Knex, kind: string, id: string, members: readonly string[], by: Actor): Promise<void> {
    await this.recordAll(transaction, [{ kind, id, members, by }])
  }

  /** Throws the 409 of a guard. Call before an effect that precedes its record. */
  allow(write: Omit<Written, 'isFree'>): void {
    if (write.members.length > 0) this.#world.guards?.check(write)
  }

  async recordAll(transaction: Knex, writes: readonly Written[]): Promise<void> {
    for (const { isFree, ...each } of writes) if (!isFree) this.allow(each)
    const at = timestamp(this.#world.clock)
    const rows = writes.flatMap(({ kind, id, members, by }) =>
      members.map((field) => ({
        kind,
        resource_id: id,
        field,
        actor: by.actor,
        request_id: by.requestId,
        endpoint: by.endpoint,
        at,
      })),
    )
    for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE)
      await transaction(this.#table).insert(rows.slice(from, from + INSERTED_AT_ONCE))
    for (const { members, by } of writes) if (members.length > 0) by.audited = true
  }

  /** Returns the last write of a field, its parents or its children; null if there is none. */
  async latest(kind: string, id: string, member: string): Promise<AuditEntry | null> {
    const row = await this.#newest(kind, id, member === '' ? {} : touching(this.#inOurWords(kind, member)))
    return row && entryOf(row)
  }

  /** Returns the last write of exactly this field. */
  async latestOf(kind: string, id: string, member: string): Promise<AuditEntry | null> {
    const row = await this.#newest(kind, id, { field: member })
    return row && entryOf(row)
  }

  /** Returns the last write of a resource with its sequence number, which grows with every write. */
  async last(kind: string, id: string): Promise<(AuditEntry & { seq: number }) | null> {
    const row = await this.#newest(kind, id)
    return row && { seq: row.seq, ...entryOf(row) }
  }

  async #newest(kind: string, id: string, where: object = {}): Promise<AuditRow | null> {
    const rows = this.#world.db(this.#table).where({ kind, resource_id: id }).where(where)
    const row = await rows.orderBy('seq', 'desc').first('seq', 'actor', 'request_id', 'endpoint', 'at')
    return row ?? null
  }

  /** Lists each resource once, in order of its last write. */
  async writtenAfter(seq: number): Promise<{ kind: string; id: string }[]> {
    const rows = this.#world.db(this.#table).where('seq', '>', seq).groupBy('kind', 'resource_id')
    const written = await rows.select('kind', 'resource_id').max('seq as seq').orderBy('seq')
    return written.map((row) => ({ kind: row.kind, id: row.resource_id }))
  }

  /** Deletes rows older than `before` (RFC 3339) in small batches. Returns their number. Stops at `signal`. */
  async trim(before: string, signal?: AbortSignal): Promise<number> {
    const { db } = this.#world
    for (let dropped = 0; ; await turnOfTheLoop()) {
      if (signal?.aborted) return dropped
      const oldest = await db(this.#table).orderBy('seq').limit(TRIMMED_AT_ONCE).select('seq', 'at')
      const kept = oldest.findIndex(({ at }) => at >= before)
      const old = kept < 0 ? oldest : oldest.slice(0, kept)
      if (old.length === 0) return dropped
      const last = old.at(-1)!.seq
      dropped += await write(db, (transaction) => transaction(this.#table).where('seq', '<=', last).delete())
    }
  }

  #inOurWords(kind: string, member: string): string {
    const [first, ...rest] = stepsOf(member)
    const word = first && this.#world.words?.[kind]?.[first.key]
    return word === undefined ? member : pathOf([{ key: word, isElement: false }, ...rest])
  }
}

interface AuditRow {
  seq: number
  actor: string
  request_id: string
  endpoint: string
  at: string
}

function touching(member: string): (query: Knex.QueryBuilder) => void {
  const wholes = [...stepsOf(member).map((_, index, steps) => pathOf(steps.slice(0, index))), member]
  return (query) => {
    void query.whereIn('field', wholes)
    for (const part of [`${member}.`, `${member}[`])
      void query.orWhereRaw('substr(field, 1, ?) = ?', [part.length, part])
  }
}

function entryOf(row: AuditRow): AuditEntry {
  return { actor: row.actor, requestId: row.request_id, endpoint: row.endpoint, at: row.at }
}

export async function createAuditTable(db: Knex, prefix: string): Promise<void> {
  await db.schema.createTable(auditTableOf(prefix), (table) => {
    table.increments('seq')
    table.string('kind', 16).notNullable()
    table.string('resource_id', 256).notNullable()
    table.text('field').notNullable()
    table.text('actor').notNullable()
    table.text('request_id').notNullable()
    table.text('endpoint').notNullable()
    table.string('at', 30).notNullable()
    table.index(['kind', 'resource_id'])
  })
}

/** Indexes of the audit table for pages of the writes of an actor or of a request. A new service adds both at once. */
export async function addAuditPages(db: Knex, prefix: string): Promise<void> {
  for (const column of ['actor', 'request_id']) await pageIndex(db, auditTableOf(prefix), [column, 'seq'])
}

/** Databases limit the values of a statement. */
const INSERTED_AT_ONCE = 100
const TRIMMED_AT_ONCE = 500

export const auditTableOf = (prefix: string): string => `${prefix}_audit`

/** Paths of fields that differ. Keyed lists are compared by element, others as a whole. */
export function changedFields(before: unknown, after: unknown, keyed: KeyedLists = {}, path = ''): string[] {
  if (isPlain(before) && isPlain(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => changedFields(before[name], after[name], keyed, memberPath(path, name)))
  }
  const by = keyOfList(path, keyed)
  const [had, has] = by === null ? [null, null] : [elementsOf(before, by), elementsOf(after, by)]
  if (!had || !has) return plain(before) === plain(after) ? [] : [path]
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((key) => {
    const element = elementPath(path, key)
    if (!had.has(key) || !has.has(key)) return [element]
    return isSet(by!) ? [] : changedFields(had.get(key), has.get(key), keyed, element)
  })
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Secret)
}

function plain(value: unknown): string {
  return JSON.stringify(value instanceof Secret ? { secret: value.reveal() } : value) ?? 'undefined'
}
