// Who changed which field of what: one row a field, written with the change itself.
import type { Actor } from '../../platform/actor.ts'
import type { Knex } from '../../platform/database.ts'
import { Secret } from '../../schemas/secret.ts'
import { now, type Core } from './core.ts'
import type { Audit, LiveChange } from './face.ts'

type Kind = LiveChange['kind']

/** The controller's words for members that the API calls otherwise. */
const WORDS: Partial<Record<Kind, Record<string, string>>> = {
  workflows: { agent: 'agent_id', trigger: 'trigger_config' },
}

/** Records one row a field; `''` stands for the resource as a whole. */
export async function record(
  core: Core,
  transaction: Knex,
  kind: Kind,
  id: string,
  fields: string[],
  by: Actor,
): Promise<void> {
  if (fields.length === 0) return
  const at = now(core)
  await transaction('orchestrator_audit').insert(
    fields.map((field) => ({
      kind,
      resource_id: id,
      field,
      actor: by.actor,
      request_id: by.requestId,
      endpoint: by.endpoint,
      at,
    })),
  )
}

export function createAudit(core: Core): Audit {
  return {
    latest: async (kind, id, field) => {
      const rows = core.db('orchestrator_audit').where({ kind, resource_id: id })
      const row = await (field === '' ? rows : rows.where((query) => touching(query, inApiWords(kind, field))))
        .orderBy('seq', 'desc')
        .first('actor', 'request_id', 'endpoint', 'at')
      return row ? { actor: row.actor, requestId: row.request_id, endpoint: row.endpoint, at: row.at } : null
    },
  }
}

/** Rows of the field itself, of its parents (the whole resource is one) and of its children. */
function touching(query: Knex.QueryBuilder, field: string): void {
  const parents = field.split('.').map((_, index, parts) => parts.slice(0, index).join('.'))
  const below = `${field}.`
  void query.whereIn('field', [...parents, field]).orWhereRaw('substr(field, 1, ?) = ?', [below.length, below])
}

function inApiWords(kind: Kind, field: string): string {
  const [first = '', ...rest] = field.split('.')
  return [WORDS[kind]?.[first] ?? first, ...rest].join('.')
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
