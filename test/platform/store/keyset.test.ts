import { beforeAll, describe, expect, test } from 'vitest'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { columnSlice, rowSlice, sliceOf, type CursorAsked } from '../../../platform/store/keyset.ts'
import type { Slice } from '../../../schemas/operations/page.ts'
import { onEachDatabase } from '../../support/databases.ts'

interface Item {
  at: string
  id: string
}

/** In no order; five items share each `at`. */
const items: Item[] = Array.from({ length: 60 }, (_, index) => ({
  at: `2030-01-01T00:00:${String(Math.floor(((index * 37) % 60) / 5)).padStart(2, '0')}Z`,
  id: `id-${String((index * 37) % 60).padStart(2, '0')}`,
}))
const sorted = items.toSorted((a, b) => (a.id < b.id ? -1 : 1))
const order = { list: 'items', parts: 2, keyOf: ({ at, id }: Item) => [at, id] }
const orders = [
  { how: 'ascending', descending: false, whole: sorted },
  { how: 'descending', descending: true, whole: sorted.toReversed() },
]

type Read = (asked: CursorAsked) => Promise<Slice<Item>>

/** All items, page by page from one end to the other. */
async function walk(read: Read, side: 'after' | 'before', limit: number): Promise<Item[][]> {
  const pages: Item[][] = []
  for (let cursor: string | null = ''; cursor !== null && pages.length < 100;) {
    const slice: Slice<Item> = await read({ limit, side, cursor })
    pages.push(slice.items)
    cursor = side === 'after' ? slice.next : slice.previous
  }
  return pages
}

/** Describes pages that `read` makes of `items`. */
function describePages(readBy: (descending: boolean) => Read): void {
  test.each(orders)('pages completely in both directions in $how order', async ({ descending, whole }) => {
    const read = readBy(descending)
    for (const limit of [1, 7, 30, 60, 200]) {
      const [forward, backward] = [await walk(read, 'after', limit), await walk(read, 'before', limit)]
      expect(forward.flat()).toEqual(whole)
      expect(backward.toReversed().flat()).toEqual(whole)
      expect(forward).toHaveLength(Math.ceil(60 / limit))
    }
  })

  test('leads from a page back to the one before it', async () => {
    const read = readBy(false)
    const first = await read({ limit: 7, side: 'after', cursor: '' })
    const second = await read({ limit: 7, side: 'after', cursor: first.next! })
    expect([first.previous, second.items[0]]).toEqual([null, sorted[7]])
    const back = await read({ limit: 7, side: 'before', cursor: second.previous! })
    expect(back.items).toEqual(first.items)
    expect(back.previous).toBe(null)
    expect((await read({ limit: 7, side: 'after', cursor: back.next! })).items).toEqual(second.items)
  })
}

const memory =
  (of: readonly Item[], descending = false): Read =>
  async (asked) =>
    atOnce(sliceOf(of, { ...order, descending }, asked))

describe('pages of items in memory', () => {
  describePages((descending) => memory(items, descending))

  test('keeps the place of a cursor while items come and go', async () => {
    const { next } = await memory(sorted)({ limit: 10, side: 'after', cursor: '' })
    const before = { at: '2029-01-01T00:00:00Z', id: 'early' }
    const changed = [before, ...sorted.filter(({ id }) => id !== 'id-09' && id !== 'id-03')]
    const { items: second } = await memory(changed)({ limit: 10, side: 'after', cursor: next! })
    expect(second).toEqual(sorted.slice(10, 20))
  })

  test('leads back from an empty page to the last items', async () => {
    const { next } = await memory(sorted)({ limit: 50, side: 'after', cursor: '' })
    const left = sorted.slice(0, 50)
    const past = await memory(left)({ limit: 50, side: 'after', cursor: next! })
    expect([past.items, past.next]).toEqual([[], null])
    const back = await memory(left)({ limit: 10, side: 'before', cursor: past.previous! })
    expect(back.items).toEqual(sorted.slice(40, 50))
  })

  test('returns an empty page of an empty list', async () => {
    for (const side of ['after', 'before'] as const)
      expect(await memory([])({ limit: 10, side, cursor: '' })).toEqual({ items: [], next: null, previous: null })
  })
})

describe('bad cursors', () => {
  test('refuses a cursor of another filter', async () => {
    const read = (list: string, cursor: string) => memory(items)({ limit: 5, side: 'after', cursor, list })
    const { next } = await read('open', '')
    expect((await read('open', next!)).items).toEqual(sorted.slice(5, 10))
    await expect(read('closed', next!)).rejects.toMatchObject({ status: 400 })
    await expect(memory(items)({ limit: 5, side: 'after', cursor: next! })).rejects.toMatchObject({ status: 400 })
  })

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const cases: Record<string, [cursor: string, seen: string]> = {
    'a text that is no cursor': ['nonsense', 'got the text "nonsense"'],
    'a text with other characters than those of a cursor': ['=?&/ü', 'got the text "=?&/ü"'],
    'a cursor with a character too many': [`${encoded(['items', 'a', 'b'])}!`, 'got the text'],
    'a cursor of another list': [encoded(['things', 'a', 'b']), 'got a cursor of another list, filter or order, "'],
    'a cursor with too few parts': [encoded(['items', 'a']), 'got the text'],
    'a cursor with too many parts': [encoded(['items', 'a', 'b', 'c']), 'got the text'],
    'a cursor with a part of another type': [encoded(['items', 'a', 7]), 'got the text'],
    'a cursor with a part that is null': [encoded(['items', 'a', null]), 'got the text'],
    'a cursor with a fraction': [encoded(['items', 'a', 0.5]), 'got the text'],
    'a cursor without a list': [encoded([7, 'a', 'b']), 'got the text'],
    'a cursor with a NUL character': [encoded(['items', 'a', 'b\0']), 'got the text'],
    'an object': [encoded({ list: 'items' }), 'got the text'],
    'a long text': ['x'.repeat(8000), `got the text "${'x'.repeat(60)}"`],
  }
  test.each(Object.entries(cases))('refuses %s with 400', async (_title, [cursor, seen]) => {
    for (const side of ['after', 'before'] as const) {
      const refusal = await memory(items)({ limit: 5, side, cursor }).catch((error: unknown) => error)
      expect(refusal).toMatchObject({
        status: 400,
        message: expect.stringContaining(`${side}: expected "next" or "previous" of an answer of this list`),
        errors: [{ path: side, message: expect.stringContaining(seen), code: 'invalid-value' }],
      })
    }
  })
})

onEachDatabase((database) => {
  beforeAll(async () => {
    await database.db.schema.createTable('keyset_rows', (table) => {
      table.string('at', 30).notNullable()
      table.string('id', 36).notNullable().unique()
      table.integer('seq').notNullable().unique()
      table.index(['at', 'id'])
    })
    await database.db('keyset_rows').insert(items.map((item) => ({ ...item, seq: Number(item.id.slice(3)) - 10 })))
  })

  const rows =
    (descending: boolean, id?: string): Read =>
    (asked) => {
      const query = database.db('keyset_rows').where(id === undefined ? {} : { id })
      return rowSlice(query, ['at', 'id'], { order: { ...order, descending }, asked, decode })
    }
  const decode = (columns: object) => {
    const { at, id } = columns as Item
    return { at, id }
  }
  const numbered =
    (descending: boolean): Read =>
    (asked) => {
      const query = database.db('keyset_rows').select('at', 'id')
      return columnSlice(query, { list: 'rows', columns: { seq: 'number' }, descending }, { asked, decode })
    }

  describePages((descending) => rows(descending))

  describe('by number', () => {
    describePages(numbered)

    test('accepts every whole number and refuses texts', async () => {
      const read = (value: unknown) => {
        const cursor = Buffer.from(JSON.stringify(['rows', value])).toString('base64url')
        return numbered(false)({ limit: 1, side: 'after', cursor })
      }
      expect((await read(-(2 ** 53) + 1)).items).toEqual([sorted[0]])
      expect((await read(2 ** 53 - 1)).items).toEqual([])
      for (const value of ['5', '5; drop', null, 1e300])
        await expect(read(value)).rejects.toMatchObject({ status: 400 })
    })
  })

  test('keeps the conditions of the query', async () => {
    const { next } = await rows(false)({ limit: 10, side: 'after', cursor: '' })
    expect((await rows(false, 'id-40')({ limit: 10, side: 'after', cursor: next! })).items).toEqual([sorted[40]])
    expect((await rows(false, 'id-04')({ limit: 10, side: 'after', cursor: next! })).items).toEqual([])
  })

  test('refuses a cursor that the table cannot compare', async () => {
    const cursor = Buffer.from(JSON.stringify(['items', 'a'])).toString('base64url')
    await expect(rows(false)({ limit: 5, side: 'after', cursor })).rejects.toMatchObject({ status: 400 })
  })
})
