// Tests of every list that pages by cursor.
import { beforeAll, describe, expect, test } from 'vitest'
import { isPostgres, type Knex } from '../../platform/database/database.ts'
import type { ListOperation } from '../../schemas/operations/operation.ts'
import { eventually } from '../support/eventually.ts'

interface Lists {
  db(): Knex
  json(path: string): Promise<any>
  status(path: string): Promise<number>
  /** Path with a new record for its parameter; null if requests cannot make one. */
  place(list: ListOperation): Promise<string | null>
  /** Adds items, if requests can. */
  fill(list: ListOperation, path: string): Promise<void>
}

const PAGE = 7

const idOf = (item: any): string => String(item.seq ?? item.id ?? item.question_id ?? item.revision)

/** All pages from one end to the other; `between` runs after each. */
async function walk(
  { json }: Lists,
  path: string,
  { side, between }: { side: 'after' | 'before'; between?: () => Promise<void> },
): Promise<any[][]> {
  const pages: any[][] = []
  for (let cursor: string | null = ''; cursor !== null && pages.length < 100;) {
    const join = path.includes('?') ? '&' : '?'
    const page: any = await json(`${path}${join}limit=${PAGE}&${side}=${encodeURIComponent(cursor)}`)
    pages.push(page.items)
    cursor = side === 'after' ? page.next : page.previous
    await between?.()
  }
  return pages
}

/**
 * One filter for each member of the query, but for times, which select few rows: these are sorted. With the value of the
 * item, if it has the member.
 */
function filtersOf({ id, query }: ListOperation, item: any = {}): string[] {
  const positions = new Set(['limit', 'offset', 'after', 'before'])
  const members = Object.entries(query?.properties ?? {}) as [string, Member][]
  return members
    .filter(([name, { format }]) => !positions.has(name) && format === undefined && !BY_START.has(`${id} ${name}`))
    .map(([name, { enum: values, type }]) => {
      const own = item[name] ?? item[`${name}s`]?.[0]
      const value = typeof own === 'string' ? own : (values?.[0] ?? (type === 'boolean' ? 'true' : 'a/b'))
      return `${name}=${encodeURIComponent(value)}`
    })
}

interface Member {
  enum?: string[]
  type?: string
  format?: string
}

/** Plans of the pages that `work` reads. PostgreSQL shows one without an index only if there is no other. */
async function plansOf(db: Knex, work: () => Promise<unknown>): Promise<string[]> {
  // Queries of one time only are of the background.
  const again = new Set((await pagesOf(db, work)).map(({ sql }) => sql))
  const plans: string[] = []
  for (const { sql, bindings } of (await pagesOf(db, work)).filter(({ sql }) => again.has(sql)))
    plans.push(await (isPostgres(db) ? planOnPostgres : planOnSqlite)(db, sql, bindings))
  return plans
}

interface Query {
  sql: string
  bindings: Knex.RawBinding[]
}

/** Queries with an order and a limit while `work` runs. */
async function pagesOf(db: Knex, work: () => Promise<unknown>): Promise<Query[]> {
  const queries: Query[] = []
  const note = (query: Query) => void queries.push(query)
  db.on('query', note)
  await work()
  db.removeListener('query', note)
  return queries.filter(({ sql }) => / order by .* limit /i.test(sql))
}

async function planOnSqlite(db: Knex, sql: string, bindings: Knex.RawBinding[]): Promise<string> {
  const steps: { detail: string }[] = await db.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings)
  return steps.map(({ detail }) => detail).join('; ')
}

function planOnPostgres(db: Knex, sql: string, bindings: Knex.RawBinding[]): Promise<string> {
  return db.transaction(async (transaction) => {
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await transaction.raw(`SET LOCAL enable_${way} = off`)
    const { rows } = await transaction.raw(`EXPLAIN ${sql.replace(/\$\d+/g, '?')}`, bindings)
    return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('; ')
  })
}

/** Compared with the start of the id, which few callers do. */
const BY_START = new Set(['conductor.listRuns id'])

/** A page that is sorted, or that reads the rows of other filters. */
const SORTED = /TEMP B-TREE|Sort/
const UNFILTERED = /SCAN \S+(?:;|$)|Filter: \(\(?"?\w+"?\)?(?:::\w+)? = /

/** Registers the tests of `lists`. */
export function describeCursors(operations: readonly ListOperation[], lists: Lists): void {
  if (operations.length === 0) return
  describe.each(operations.map((operation) => [operation.id, operation] as const))(
    'pages of %s by cursor',
    (_id, list) => {
      let path: string | null
      const fill = () => lists.fill(list, path!)
      beforeAll(async () => void (path = await lists.place(list)))

      test('are complete in both directions, with each item once', async () => {
        if (path === null) return
        await fill()
        // Recently created records may still change between two responses.
        await eventually(async () => {
          const ids = (await walk(lists, path!, { side: 'after' })).flat().map(idOf)
          const backward = (await walk(lists, path!, { side: 'before' })).toReversed().flat().map(idOf)
          expect(backward).toEqual(ids)
          expect(new Set(ids).size).toBe(ids.length)
          expect((await lists.json(`${path}?limit=1`)).total).toBe(ids.length)
          return true
        })
      })

      test('keep every earlier item once while items are added', async () => {
        if (path === null) return
        await fill()
        const before: string[] = (await lists.json(path)).map(idOf)
        const seen = (await walk(lists, path, { side: 'after', between: fill })).flat().map(idOf)
        expect(new Set(seen).size).toBe(seen.length)
        expect(before.filter((id) => !seen.includes(id))).toEqual([])
      })

      test('are read in the order of an index', async () => {
        if (path === null) return
        await fill()
        const [item] = (await lists.json(`${path}?limit=1`)).items
        for (const filter of ['', ...filtersOf(list, item)])
          for (const side of ['after', 'before'] as const) {
            const at = `${path}?limit=1&${filter}&${side}=`
            const page = await lists.json(at)
            for (const cursor of new Set(['', (side === 'after' ? page.next : page.previous) ?? '']))
              for (const plan of await plansOf(lists.db(), () => lists.status(at + cursor))) {
                expect(plan, at).not.toMatch(SORTED)
                if (filter !== '') expect(plan, at).not.toMatch(UNFILTERED)
              }
          }
      })

      test('refuse malformed cursors, and cursors of another filter', async () => {
        if (path === null) return
        await fill()
        const { next } = await lists.json(`${path}?limit=1&after=`)
        for (const cursor of ['x', '%00', 'e30', Buffer.from('["x",1]').toString('base64url')])
          for (const side of ['after', 'before']) expect(await lists.status(`${path}?${side}=${cursor}`)).toBe(400)
        const [filter] = filtersOf(list)
        if (next === null || filter === undefined) return
        expect(await lists.status(`${path}?after=${next}`)).toBe(200)
        expect(await lists.status(`${path}?after=${next}&${filter}`)).toBe(400)
      })
    },
  )
}
