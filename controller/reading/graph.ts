// Dependency order and cycles. Linear time, without recursion.
import type { Pieces } from '../../platform/async/time-slices.ts'
import { groupBy } from '../../platform/core/group-by.ts'

export interface GraphNode {
  kind: string
  name: string
  file: string
  /** `kind/name`; unknown names are ignored. */
  dependsOn: readonly string[]
}

export const idOf = (node: { kind: string; name: string }): string => `${node.kind}/${node.name}`

export function partsOf(id: string): [kind: string, name: string] {
  const slash = id.indexOf('/')
  return [id.slice(0, slash), id.slice(slash + 1)]
}

/** Maps each resource to its dependents. */
export function usersOf(needs: Iterable<readonly [id: string, needed: readonly string[]]>): Map<string, string[]> {
  const uses = [...needs].flatMap(([user, needed]) => needed.map((id) => ({ id, user })))
  const users = groupBy(uses, ({ id }) => id)
  return new Map([...users].map(([id, all]) => [id, all.map(({ user }) => user)]))
}

/** Returns `from`, then everything reachable from it. */
export function reachable(from: readonly string[], next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set(from)
  for (const id of seen) for (const other of next.get(id) ?? []) seen.add(other)
  return seen
}

export interface Order<Node> {
  /** By level, kind, file and name. */
  ordered: Node[]
  /** Strongly connected nodes, along one cycle through the first node as far as possible. */
  cycles: Node[][]
}

/** Omits nodes in a cycle or depending on one. `kinds`: order within a level. */
export function* ordering<Node extends GraphNode>(
  nodes: readonly Node[],
  kinds: readonly string[],
): Pieces<Order<Node>> {
  const graph = yield* graphOf(nodes)
  const levels = yield* graph.levels()
  const rank = new Map(kinds.map((kind, index) => [kind, index]))
  const ordered = nodes
    .map((node, index) => ({ node, level: levels[index]!, rank: rank.get(node.kind) ?? kinds.length }))
    .filter(({ level }) => level >= 0)
    .sort(
      (a, b) =>
        a.level - b.level || a.rank - b.rank || compare(a.node.file, b.node.file) || compare(a.node.name, b.node.name),
    )
    .map(({ node }) => node)
  return {
    ordered,
    cycles:
      ordered.length === nodes.length
        ? []
        : graph.cycles(levels).map((members) => members.map((index) => nodes[index]!)),
  }
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function* graphOf(nodes: readonly GraphNode[]): Pieces<Graph> {
  const index = new Map<string, number>()
  for (const [at, node] of nodes.entries()) {
    index.set(idOf(node), at)
    yield
  }
  const needs: number[][] = []
  for (const { dependsOn } of nodes) {
    needs.push([...new Set(dependsOn)].flatMap((id) => index.get(id) ?? []))
    yield
  }
  return new Graph(needs)
}

class Graph {
  readonly #needs: readonly number[][]

  constructor(needs: readonly number[][]) {
    this.#needs = needs
  }

  /** 1 above the highest dependency; -1 in or behind a cycle. */
  *levels(): Pieces<number[]> {
    const waiting = this.#needs.map((needs) => needs.length)
    const dependents: number[][] = this.#needs.map(() => [])
    for (const [node, needs] of this.#needs.entries()) for (const need of needs) dependents[need]!.push(node)
    yield
    const levels: number[] = waiting.map((count) => (count === 0 ? 0 : -1))
    const ready = [...levels.keys()].filter((node) => levels[node] === 0)
    for (let at = 0; at < ready.length; at++) {
      yield
      for (const dependent of dependents[ready[at]!]!) {
        if (--waiting[dependent]! > 0) continue
        levels[dependent] = levels[ready[at]!]! + 1
        ready.push(dependent)
      }
    }
    return levels
  }

  /** Tarjan's algorithm with an explicit stack, for nodes without a level. */
  cycles(levels: readonly number[]): number[][] {
    const [found, low, open, stack]: [number[], number[], boolean[], number[]] = [[], [], [], []]
    const components: number[][] = []
    let count = 0
    const visit = (root: number): void => {
      const path = [{ node: root, next: 0 }]
      while (path.length > 0) {
        const frame = path.at(-1)!
        const { node } = frame
        if (frame.next === 0) {
          found[node] = low[node] = count++
          open[node] = true
          stack.push(node)
        }
        const need = this.#needs[node]![frame.next++]
        if (need === undefined) {
          path.pop()
          const parent = path.at(-1)
          if (parent) low[parent.node] = Math.min(low[parent.node]!, low[node]!)
          if (low[node] === found[node]) components.push(closeComponent(node, stack, open))
        } else if (levels[need]! < 0 && found[need] === undefined) path.push({ node: need, next: 0 })
        else if (open[need]) low[node] = Math.min(low[node]!, found[need]!)
      }
    }
    for (const node of this.#needs.keys()) if (levels[node]! < 0 && found[node] === undefined) visit(node)
    return components
      .filter((members) => members.length > 1 || this.#needs[members[0]!]!.includes(members[0]!))
      .map((members) => this.#inOrder(members))
      .sort((a, b) => a[0]! - b[0]!)
  }

  /** Each member is followed by one of its dependencies, if one is left. */
  #inOrder(members: number[]): number[] {
    const left = new Set(members)
    const ordered: number[] = []
    for (
      let at: number | undefined = members.reduce((least, member) => Math.min(least, member));
      at !== undefined;
      at = this.#needs[at]!.find((need) => left.has(need))
    ) {
      left.delete(at)
      ordered.push(at)
    }
    return [...ordered, ...[...left].sort((a, b) => a - b)]
  }
}

function closeComponent(root: number, stack: number[], open: boolean[]): number[] {
  const members: number[] = []
  for (;;) {
    const member = stack.pop()!
    open[member] = false
    members.push(member)
    if (member === root) return members
  }
}
