// The newest row of an audit about each of several resources, in one question.
import { pathOf, stepsOf } from '../../schemas/members/member-path.ts'
import { Batches, type Outcome } from '../async/batches.ts'
import type { Knex } from '../database/database.ts'

export interface AskedWrite {
  kind: string
  id: string
  /** As the rows spell it; `''`: anything of the resource. */
  member: string
}

export interface NewestWrite {
  seq: number
  actor: string
  request_id: string
  endpoint: string
  at: string
}

/** Resources of one question: the statement is to stay short enough to stay prepared. */
const MOST = 16

/** What is asked for while a question is under way goes into the next one. */
export function newestWrites(db: Knex, table: string): Batches<AskedWrite, NewestWrite | null> {
  return new Batches(MOST, async (asked) => {
    const alike = new Map<string, AskedWrite[]>()
    for (const each of asked) {
      const about = JSON.stringify([each.kind, each.member])
      alike.set(about, [...(alike.get(about) ?? []), each])
    }
    const found = new Map<AskedWrite, Outcome<NewestWrite | null>>()
    for (const some of alike.values()) {
      const ids = new Set(some.map(({ id }) => id))
      const rows = await newestOf(db, table, { ...some[0]!, ids: [...ids] }).catch((error: unknown) => ({ error }))
      for (const each of some) found.set(each, 'error' in rows ? rows : { value: rows.get(each.id) ?? null })
    }
    return asked.map((each) => found.get(each)!)
  })
}

interface AskedOfMany extends Omit<AskedWrite, 'id'> {
  ids: readonly string[]
}

/** By id. Each resource is a look at the end of its part of the index, however many rows it has. */
async function newestOf(
  db: Knex,
  table: string,
  { kind, ids, member }: AskedOfMany,
): Promise<Map<string, NewestWrite>> {
  const [touching, values] = member === '' ? ['', []] : touchingSql(member)
  const newest = `(select max(seq) from ${table} where kind = ? and resource_id = ?${touching})`
  // One again and again is found once: so there are few statements, and these stay prepared.
  const filled = [...ids]
  while ((filled.length & (filled.length - 1)) !== 0) filled.push(ids[0]!)
  const rows: (NewestWrite & { resource_id: string })[] = await db(table)
    .whereRaw(
      `seq in (${filled.map(() => newest).join(', ')})`,
      filled.flatMap((id) => [kind, id, ...values]),
    )
    .select('resource_id', 'seq', 'actor', 'request_id', 'endpoint', 'at')
  return new Map(rows.map((row) => [row.resource_id, row]))
}

/** Rows of the member itself, of what it is part of (the whole resource as well) and of its parts. */
function touchingSql(member: string): [sql: string, values: (string | number)[]] {
  const wholes = [...stepsOf(member).map((_, index, steps) => pathOf(steps.slice(0, index))), member]
  const parts = [`${member}.`, `${member}[`]
  const conditions = [`field in (${wholes.map(() => '?').join(', ')})`, ...parts.map(() => 'substr(field, 1, ?) = ?')]
  return [` and (${conditions.join(' or ')})`, [...wholes, ...parts.flatMap((part) => [part.length, part])]]
}
