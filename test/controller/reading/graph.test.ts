import { expect, test } from 'vitest'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { idOf, ordering, type GraphNode } from '../../../controller/reading/graph.ts'

const KINDS = ['policies', 'agents', 'workflows']
const node = (id: string, dependsOn: string[] = [], file = 'a.yml'): GraphNode => ({
  kind: id.split('/')[0]!,
  name: id.split('/')[1]!,
  file,
  dependsOn,
})
const order = <N extends GraphNode>(nodes: readonly N[], kinds: readonly string[]) => atOnce(ordering(nodes, kinds))
const ids = (nodes: readonly GraphNode[]) => nodes.map(idOf)

test('each resource comes after those it depends on', () => {
  const { ordered } = order(
    [node('workflows/w', ['agents/a']), node('agents/a', ['policies/p']), node('policies/p')],
    KINDS,
  )
  expect(ids(ordered)).toEqual(['policies/p', 'agents/a', 'workflows/w'])
})

test('within a level kinds, then files, then names decide', () => {
  const { ordered } = order(
    [
      node('agents/z', [], 'b.yml'),
      node('agents/b', [], 'c.yml'),
      node('agents/a', [], 'c.yml'),
      node('policies/p', [], 'z.yml'),
    ],
    KINDS,
  )
  expect(ids(ordered)).toEqual(['policies/p', 'agents/z', 'agents/a', 'agents/b'])
})

test('ignores edges to unknown nodes', () => {
  expect(ids(order([node('agents/a', ['rooms/engineering'])], KINDS).ordered)).toEqual(['agents/a'])
})

test('a cycle stops only its members and their dependents', () => {
  const nodes = [
    node('workflows/c', ['workflows/b']),
    node('workflows/a', ['workflows/c']),
    node('workflows/b', ['workflows/a']),
    node('workflows/behind', ['workflows/a']),
    node('agents/free'),
  ]
  const { ordered, cycles } = order(nodes, KINDS)
  expect(ids(ordered)).toEqual(['agents/free'])
  expect(cycles.map(ids)).toEqual([['workflows/c', 'workflows/b', 'workflows/a']])
})

test('distinguishes two cycles and accepts a resource as its own cycle', () => {
  const nodes = [
    node('agents/a', ['agents/b']),
    node('agents/b', ['agents/a']),
    node('agents/c', ['agents/d', 'agents/a']),
    node('agents/d', ['agents/c']),
    node('agents/e', ['agents/e']),
  ]
  expect(order(nodes, KINDS).cycles.map(ids)).toEqual([
    ['agents/a', 'agents/b'],
    ['agents/c', 'agents/d'],
    ['agents/e'],
  ])
})

test('a chain and a ring of many thousand neither overflow the stack nor grow faster than their length', () => {
  const chain = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      node(`agents/n${index}`, index + 1 < count ? [`agents/n${index + 1}`] : []),
    )
  expect(order(chain(20_000), KINDS).ordered).toHaveLength(20_000)
  const ring = chain(20_000)
  ring[19_999] = node('agents/n19999', ['agents/n0'])
  expect(order(ring, KINDS).cycles.map((members) => members.length)).toEqual([20_000])
  const looks = (count: number) => {
    let made = 0
    const nodes = chain(count).map((each) => ({
      ...each,
      get dependsOn() {
        made++
        return each.dependsOn
      },
      get name() {
        made++
        return each.name
      },
    }))
    order(nodes, KINDS)
    return made
  }
  expect(looks(40_000) / looks(5000)).toBeLessThan(10)
})
