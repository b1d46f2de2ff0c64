// Who changed which member of what: one row a member, written with the change itself.
import { Secret } from '../../schemas/secret.ts'
import type { Actor } from '../actor.ts'
import { timestamp, type Clock } from '../clock.ts'
import { write, type Knex, type Migrations } from '../database.ts'

/** A recorded write: who, in which request, through which door, and when (RFC 3339). */
export interface AuditEntry extends Pick<Actor, 'actor' | 'requestId' | 'endpoint'> {
  at: string
}

export interface AuditWorld {
  db: Knex
  clock: Clock
  /** Prefix of the service's tables: `orchestrator`. */
  prefix: string
  /** Per kind what others call a member, and what it is called in the rows: `{ workflows: { agent: 'agent_id' } }`. */
  words?: Record<string, Record<string, string>>
}

export class Audit {
  readonly #world: AuditWorld
  readonly #table: string

  constructor(world: AuditWorld) {
    this.#world = world
    this.#table = tableOf(world.prefix)
  }

  /**
   * Records that `by` wrote these members (dotted paths; `''` is the resource as a whole), and notes on `by` that
   * this request has its rows. No member, no row.
   */
  async record(transaction: Knex, kind: string, id: string, members: readonly string[], by: Actor): Promise<void> {
    if (members.length === 0) return
    const at = timestamp(this.#world.clock)
    await transaction(this.#table).insert(
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
    by.audited = true
  }

  /**
   * The last write of a member, of what it is part of, or of a part of it; of `''`, of anything. Null when there is
   * none.
   */
  async latest(kind: string, id: string, member: string): Promise<AuditEntry | null> {
    const rows = this.#world.db(this.#table).where({ kind, resource_id: id })
    if (member !== '') void rows.where((query) => touching(query, this.#inOurWords(kind, member)))
    const row = await rows.orderBy('seq', 'desc').first('actor', 'request_id', 'endpoint', 'at')
    return row ? { actor: row.actor, requestId: row.request_id, endpoint: row.endpoint, at: row.at } : null
  }

  /** Drops the rows of before `before` (RFC 3339); returns how many. */
  async trim(before: string): Promise<number> {
    return write(this.#world.db, (transaction) => transaction(this.#table).where('at', '<', before).delete())
  }

  #inOurWords(kind: string, member: string): string {
    const [first = '', ...rest] = member.split('.')
    return [this.#world.words?.[kind]?.[first] ?? first, ...rest].join('.')
  }
}

/** The audit of one service, on the table that `auditTable` makes. */
export function openAudit(world: AuditWorld): Audit {
  return new Audit(world)
}

/** The migration that makes the audit table of a service. */
export function auditTable(prefix: string, name = 'audit'): Migrations['steps'][number] {
  return {
    name,
    up: (db) =>
      db.schema.createTable(tableOf(prefix), (table) => {
        table.increments('seq')
        table.string('kind', 16).notNullable()
        table.string('resource_id', 256).notNullable()
        table.text('field').notNullable()
        table.text('actor').notNullable()
        table.text('request_id').notNullable()
        table.text('endpoint').notNullable()
        table.string('at', 30).notNullable()
        table.index(['kind', 'resource_id'])
      }),
  }
}

const tableOf = (prefix: string): string => `${prefix}_audit`

/** Rows of the member itself, of what it is part of (the whole resource as well) and of its parts. */
function touching(query: Knex.QueryBuilder, member: string): void {
  const parents = member.split('.').map((_, index, parts) => parts.slice(0, index).join('.'))
  const below = `${member}.`
  void query.whereIn('field', [...parents, member]).orWhereRaw('substr(field, 1, ?) = ?', [below.length, below])
}

/** Dotted paths of the members that differ; lists count as one member. */
export function changedFields(before: unknown, after: unknown, path = ''): string[] {
  if (isPlain(before) && isPlain(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => changedFields(before[name], after[name], path === '' ? name : `${path}.${name}`))
  }
  return plain(before) === plain(after) ? [] : [path]
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Secret)
}

function plain(value: unknown): string {
  return JSON.stringify(value instanceof Secret ? { secret: value.reveal() } : value) ?? 'undefined'
}
