import { expect, test } from 'vitest'
import { RecentMap, RecentSet } from '../../../platform/core/recent.ts'

test('evicts the oldest entry of a map', () => {
  const map = new RecentMap<number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4])
})

test('clears a map', () => {
  const map = new RecentMap<number>(2)
  map.set('a', 1)
  map.clear()
  expect(map.get('a')).toBeUndefined()
})

test('adds a key once, and again after its eviction', () => {
  const set = new RecentSet(2)
  expect(['a', 'a', 'b', 'c', 'a'].map((key) => set.add(key))).toEqual([true, false, true, true, true])
})
