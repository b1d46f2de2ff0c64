import { describe, expect, test } from 'vitest'
import { movedIndex } from '../../../../web/parts/lists/roving.ts'
import { treeMove, treeRows, type TreeNode } from '../../../../web/parts/lists/tree-rows.ts'

describe('a list', () => {
  test('moves within its bounds', () => {
    expect(movedIndex('j', -1, 3)).toBe(0)
    expect(movedIndex('ArrowDown', 2, 3)).toBe(2)
    expect(movedIndex('k', 0, 3)).toBe(0)
    expect([movedIndex('Home', 2, 30), movedIndex('End', 2, 30), movedIndex('PageDown', 2, 30)]).toEqual([0, 29, 12])
    expect(movedIndex('j', 0, 0)).toBeNull()
    expect(movedIndex('x', 0, 3)).toBeNull()
  })
})

const leaf = (id: string, isOdd = false): TreeNode => ({ id, label: id, isOdd })
const agents: TreeNode = {
  id: 'agents',
  label: 'agents',
  isOdd: true,
  children: [leaf('a1'), leaf('odd', true), leaf('a2'), leaf('a3'), leaf('a4')],
}
const rooms: TreeNode = { id: 'rooms', label: 'rooms', isOdd: false, children: [leaf('r1'), leaf('r2')] }
const shown = (toggled: string[]) =>
  treeRows([agents, rooms], new Set(toggled)).map(
    ({ id, level, folded }) => `${level} ${id}${folded ? ` ${folded}` : ''}`,
  )

describe('a tree', () => {
  test('folds equal siblings into one row and shows odd ones', () => {
    expect(shown([])).toEqual(['1 agents', '2 odd', '2 agents/… 4', '1 rooms', '2 r1', '2 r2'])
  })

  test('opens folders that appear later', () => {
    const late: TreeNode = { id: 'late', label: 'late', isOdd: true, children: [leaf('l1')] }
    expect(treeRows([rooms, late], new Set(['rooms'])).map(({ id }) => id)).toEqual(['rooms', 'late', 'l1'])
  })

  test('shows folded siblings in their order when opened', () => {
    expect(shown(['agents/…', 'rooms'])).toEqual([
      '1 agents',
      '2 a1',
      '2 odd',
      '2 a2',
      '2 a3',
      '2 a4',
      '2 agents/… 4',
      '1 rooms',
    ])
  })

  test('numbers siblings for assistive technology', () => {
    const rows = treeRows([agents, rooms], new Set(['rooms']))
    expect(rows.map(({ position, siblings }) => `${position}/${siblings}`)).toEqual(['1/2', '1/2', '2/2', '2/2'])
  })

  test('opens, enters, closes and leaves by arrow keys', () => {
    const closed = treeRows([agents, rooms], new Set(['agents']))
    expect(treeMove('ArrowRight', 0, closed)).toEqual({ toggle: 'agents' })
    const open = treeRows([agents, rooms], new Set())
    expect(treeMove('ArrowRight', 0, open)).toEqual({ focus: 1 })
    expect(treeMove('ArrowLeft', 1, open)).toEqual({ focus: 0 })
    expect(treeMove('ArrowLeft', 0, open)).toEqual({ toggle: 'agents' })
    expect(treeMove('ArrowLeft', 0, closed)).toBeNull()
    expect(treeMove('Enter', 0, open)).toBeNull()
  })
})
