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

test('orders resources after their dependencies', () => {
  const { ordered } = order(
    [node('workflows/w', ['agents/a']), node('agents/a', ['policies/p']), node('policies/p')],
    KINDS,
  )
  expect(ids(ordered)).toEqual(['policies/p', 'agents/a', 'workflows/w'])
})

test('orders independent resources by kind, file and name', () => {
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

test('excludes only the resources of a cycle and their dependents', () => {
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

test('reports separate cycles, including a resource that depends on itself', () => {
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

test('orders long chains and cycles in linear time without stack overflow', () => {
  const chain = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      node(`agents/n${index}`, index + 1 < count ? [`agents/n${index + 1}`] : []),
    )
  expect(order(chain(20_000), KINDS).ordered).toHaveLength(20_000)
  const ring = chain(20_000)
  ring[19_999] = node('agents/n19999', ['agents/n0'])
  expect(order(ring, KINDS).cycles.map((members) => members.length)).toEqual([20_000])
  const readsOf = (count: number) => {
    let reads = 0
    const nodes = chain(count).map((each) => ({
      ...each,
      get dependsOn() {
        reads++
        return each.dependsOn
      },
      get name() {
        reads++
        return each.name
      },
    }))
    order(nodes, KINDS)
    return reads
  }
  expect(readsOf(40_000) / readsOf(5000)).toBeLessThan(10)
})
