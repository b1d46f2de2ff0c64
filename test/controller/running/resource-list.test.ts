import { expect, test } from 'vitest'
import { dependentsOf, sortedBy } from '../../../controller/running/resource-list.ts'
import { newEntry } from '../../../controller/planning/ownership.ts'

/** In no order; each number twice. */
const numbers = Array.from({ length: 20_000 }, (_, index) => ((index * 7_919) % 20_000) >> 1)

test('sorts a long list as toSorted does, in short pieces', () => {
  const items = numbers.map((number, index) => ({ number, index }))
  const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number
  let compared = 0
  const work = sortedBy(items, (a, b) => {
    compared++
    return byNumber(a, b)
  })
  let step = work.next()
  for (let before = 0; !step.done; before = compared, step = work.next()) expect(compared - before).toBeLessThan(2_500)
  expect(step.value).toEqual(items.toSorted(byNumber))
})

test.each([[[]], [['only']], [['b', 'a', 'b', 'B']]])('sorts the short list %j', (items: string[]) => {
  const step = sortedBy(items, (a, b) => (a < b ? -1 : a > b ? 1 : 0))
  let next = step.next()
  while (!next.done) next = step.next()
  expect(next.value).toEqual(items.toSorted())
})

test('counts all dependents and keeps the first of them', async () => {
  const place = { kind: 'things', file: 't.yml', line: 1, column: 1, sync: {}, spec: {} }
  const owned = (name: string) =>
    newEntry({ ...place, name, dependsOn: ['things/t', 'things/u'], position: () => place }, 'default', null)
  const users = numbers.slice(0, 100).map((number, index) => `${number}-${index}`)
  const ids = users.map((name) => `things/${name}`).toSorted()
  const found = (most: number) => dependentsOf(new Set(['things/t', 'things/none']), users.map(owned), most)
  expect(await found(10)).toEqual(new Map([['things/t', { total: 100, ids: ids.slice(0, 10) }]]))
  expect(await found(Infinity)).toEqual(new Map([['things/t', { total: 100, ids }]]))
})
