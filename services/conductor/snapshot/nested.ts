// Reads on the lists of one item that have more pages than the query of all items reads.
import type { Forge, ForgeCall } from '../../../platform/forge/forge.ts'
import { type Cost, type ListOf, nestedPages, type NodeOf } from './answers.ts'
import { NESTED, type NestedName, nestedQuery } from './queries.ts'

export interface QueryWorld {
  forge: Forge
  call: ForgeCall
  noteCost(cost: Cost): void
}

/** Further requests for one item. */
const MOST_REQUESTS = 5

/** Oldest first. */
export interface ReadList<Name extends NestedName> {
  nodes: NodeOf<Name>[]
  /** False if it has more entries than were read. */
  isComplete: boolean
}

/** Further pages of one item's lists, of which all together take at most five requests. */
export class ItemLists {
  readonly #world: QueryWorld
  #left = MOST_REQUESTS

  constructor(world: QueryWorld) {
    this.#world = world
  }

  /** `isEnough`: the list counts as complete, although it has more entries. */
  async read<Name extends NestedName>(
    name: Name,
    id: string,
    first: ListOf<Name>,
    isEnough: (nodes: NodeOf<Name>[]) => boolean = () => false,
  ): Promise<ReadList<Name>> {
    let nodes = first.nodes as NodeOf<Name>[]
    let cursor = cursorOf(first)
    if (cursor === null || isEnough(nodes)) return { nodes, isComplete: true }
    if (this.#left === 0) return { nodes, isComplete: false }
    const { forge, call, noteCost } = this.#world
    for await (const page of forge.queryPages(nestedQuery(name), { id, cursor }, call)) {
      this.#left--
      const { rateLimit, node } = nestedPages[name](page)
      noteCost(rateLimit)
      const list = node.list as ListOf<Name>
      const more = list.nodes as NodeOf<Name>[]
      nodes = NESTED[name].isBackward ? [...more, ...nodes] : [...nodes, ...more]
      cursor = cursorOf(list)
      if (cursor === null || isEnough(nodes)) return { nodes, isComplete: true }
      if (this.#left === 0) break
    }
    return { nodes, isComplete: false }
  }
}

/** Cursor of the next page; null for the last one. */
function cursorOf({ pageInfo }: ListOf<NestedName>): string | null {
  if ('endCursor' in pageInfo && pageInfo.hasNextPage) return pageInfo.endCursor
  return 'startCursor' in pageInfo && pageInfo.hasPreviousPage ? pageInfo.startCursor : null
}
