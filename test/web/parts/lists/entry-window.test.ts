import { describe, expect, test } from 'vitest'
import { EntryWindow, MOST_ENTRIES, type EntryPage } from '../../../../web/parts/lists/entry-window.ts'

const PAGE = 200

/** A conversation of `total` numbers by cursor, as the daemon serves it. */
function served(total: number) {
  const page = (from: number, to: number): EntryPage<number> => {
    const [start, end] = [Math.max(from, 0), Math.min(to, total)]
    return {
      items: Array.from({ length: Math.max(end - start, 0) }, (_, index) => start + index),
      previous: start === 0 ? null : `${start}`,
      next: total === 0 ? null : `${end}`,
    }
  }
  return {
    last: () => page(total - PAGE, total),
    before: (cursor: string | null) => page(Number(cursor) - PAGE, Number(cursor)),
    after: (cursor: string | null) => page(Number(cursor), Number(cursor) + PAGE),
  }
}

const isGapless = (list: readonly number[]) => list.every((each, index) => index === 0 || each === list[index - 1]! + 1)

describe('a window over a conversation', () => {
  test('walks to the start and back without gap or duplicate', () => {
    const pages = served(100_000)
    let window = EntryWindow.end(pages.last())
    for (let steps = 0; steps < 20; steps += 1) window = window.withOlder(pages.before(window.before))
    expect(window.entries.length).toBeLessThanOrEqual(MOST_ENTRIES)
    expect([window.isAtEnd, isGapless(window.entries), window.entries[0]]).toEqual([false, true, 95_800])
    while (!window.isAtEnd) window = window.withNewer(pages.after(window.after))
    expect([isGapless(window.entries), window.entries.at(-1)]).toEqual([true, 99_999])
    expect(window.entries.length).toBeLessThanOrEqual(MOST_ENTRIES)
  })

  test('stays bounded while it follows the end, and can go back', () => {
    let total = 1000
    let window = EntryWindow.end(served(total).last())
    for (let round = 0; round < 1500; round += 1) {
      total += 3
      window = window.withNewer(served(total).after(window.after))
    }
    expect(window.entries.length).toBeLessThanOrEqual(MOST_ENTRIES)
    expect([window.isAtEnd, isGapless(window.entries), window.entries.at(-1)]).toEqual([true, true, total - 1])
    const older = window.withOlder(served(total).before(window.before))
    expect([isGapless(older.entries), older.entries[0]! < window.entries[0]!]).toEqual([true, true])
  })

  test('stays the same without new entries', () => {
    const window = EntryWindow.end(served(300).last())
    expect(window.withNewer(served(300).after(window.after))).toBe(window)
  })

  test('is empty for an empty conversation', () => {
    const window = EntryWindow.end(served(0).last())
    expect([window.entries.length, window.before, window.after]).toEqual([0, null, null])
  })
})
