import { describe, expect, test } from 'vitest'
import type { InboxItem } from '../../../../schemas/gateway/inbox.ts'
import {
  approvalInAddress,
  arranged,
  filterOf,
  hiddenText,
  NOTHING,
  rowsOf,
  titleOf,
  waitingCount,
} from '../../../../web/screens/inbox/rows.ts'

const item = (id: string, more: Partial<InboxItem> = {}): InboxItem => ({
  id,
  group: id,
  kind: 'approval',
  service: 'orchestrator',
  deadline: null,
  since: null,
  title: [],
  detail: [],
  alike: null,
  links: [],
  ...more,
})
const at = (minute: number) => `2026-11-27T14:${minute.toString().padStart(2, '0')}:00.000Z`
const ids = (items: InboxItem[]) => rowsOf(items).map(({ id }) => id)

describe('rows of the inbox', () => {
  test('are sorted by section, deadline and age', () => {
    const items = [
      item('notification', { kind: 'notification', since: at(1) }),
      item('drift', { kind: 'drift', since: at(9) }),
      item('held', { kind: 'deletions', since: at(3) }),
      item('late', { deadline: at(40) }),
      item('soon', { deadline: at(20) }),
    ]
    expect(ids(items)).toEqual(['soon', 'late', 'held', 'drift', 'notification'])
  })

  test('join requests that are alike, with their earliest deadline', () => {
    const rows = rowsOf([
      item('a', { alike: 'x', deadline: at(30) }),
      item('b', { deadline: at(25) }),
      item('c', { alike: 'x', deadline: at(20) }),
    ])
    expect(rows.map((row) => [row.id, row.items.length, row.deadline])).toEqual([
      ['a', 2, at(20)],
      ['b', 1, at(25)],
    ])
  })
})

describe('the shown inbox', () => {
  const start = arranged(NOTHING, [item('b', { deadline: at(20) }), item('c', { deadline: at(30) })])

  test('hides new items until they are asked for', () => {
    const next = arranged(start, [item('a', { deadline: at(10) }), ...start.rows.flatMap(({ items }) => items)])
    expect(next.rows.map(({ id }) => id)).toEqual(['b', 'c'])
    expect([hiddenText(next), waitingCount(next)]).toEqual(['1 new', 3])
    expect(hiddenText(start)).toBeNull()
  })

  test('keeps decided rows in their place', () => {
    const next = arranged(start, [item('c', { deadline: at(30) })])
    expect(next.rows.map(({ id, isGone }) => [id, isGone])).toEqual([
      ['b', true],
      ['c', false],
    ])
    expect(waitingCount(next)).toBe(1)
  })

  test('keeps the address of a row whose first item is decided', () => {
    const alike = arranged(NOTHING, [item('a', { alike: 'x' }), item('b', { alike: 'x' })])
    const next = arranged(alike, [item('b', { alike: 'x' })])
    expect(next.rows.map((row) => [row.id, row.isGone, row.items.map(({ id }) => id)])).toEqual([['a', false, ['b']]])
  })

  test('fills an empty inbox at once', () => {
    expect(arranged(NOTHING, [item('a')]).rows.length).toBe(1)
  })
})

describe('the title of a row', () => {
  const title = (name: string) => [{ quoted: name, by: null }, { text: ' requests ' }, { quoted: 'Bash', by: null }]
  const words = (items: InboxItem[]) =>
    titleOf(items)
      .map((part) => ('text' in part ? part.text : part.quoted))
      .join('')

  test('names every agent of identical requests', () => {
    const items = ['builder', 'api-2', 'builder'].map((name) => item(name, { title: title(name) }))
    expect(words(items)).toBe('builder, api-2 request Bash')
    expect(words(items.slice(0, 1))).toBe('builder requests Bash')
  })
})

describe('the address of the inbox', () => {
  test('selects a known section only', () => {
    expect(['held', 'constructor', 3].map(filterOf)).toEqual(['held', null, null])
  })

  test('names an approval that left the list', () => {
    const id = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'
    expect([`approval/${id}`, 'approval/../agents', `question/${id}`].map(approvalInAddress)).toEqual([id, null, null])
  })
})
