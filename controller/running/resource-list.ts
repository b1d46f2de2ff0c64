// Lists of resources: filters, order, pages, counts and references.
import { eachOf, inPieces, type Pieces } from '../../platform/async/time-slices.ts'
import { sliceOf, type CursorAsked } from '../../platform/store/keyset.ts'
import type { Page } from '../../platform/store/page.ts'
import type { ResourceOrder } from '../../schemas/operations/gitops/resources.ts'
import type { Slice } from '../../schemas/operations/page.ts'
import { RESOURCE_STATES, type Resource, type StateCounts } from '../../schemas/resource.ts'
import type { PageAsked, ResourceFilter } from '../face.ts'
import type { Owned } from '../planning/ownership.ts'
import { compare, idOf } from '../reading/graph.ts'
import type { Search } from './resource-search.ts'
import type { Standing } from './resource-states.ts'

export interface ListAsked {
  search: Search
  sort: ResourceFilter['sort']
  standingOf(owned: Owned): Standing
}

/** A page of `resources`, and the counts of the matching ones by state. */
export async function resourceSlice(
  resources: readonly Owned[],
  asked: ListAsked,
  cursor: CursorAsked,
): Promise<Slice<Owned, StateCounts>> {
  const counts = { total: 0, ...Object.fromEntries(RESOURCE_STATES.map((state) => [state, 0])) } as StateCounts
  const matching = await inPieces(matchesOf(resources, asked, counts))
  const { order, descending } = orderOf(asked.sort)
  const list = `resources ${asked.sort ?? 'kind'}`
  const slice = await inPieces(
    sliceOf(matching, { list, parts: order.length, keyOf: keyOf(order), descending }, cursor),
  )
  return { ...slice, counts }
}

/** The whole list, or a part of it, with the total. */
export async function resourcePage(
  resources: readonly Owned[],
  asked: ListAsked,
  page: PageAsked,
): Promise<Page<Owned>> {
  const matching = await inPieces(matchesOf(resources, asked))
  const { order, descending } = orderOf(asked.sort)
  const sign = descending ? -1 : 1
  const sorted = await inPieces(sortedBy(matching, (a, b) => sign * compareBy(order, a, b)))
  return { items: page ? sorted.slice(page.offset, page.offset + page.limit) : sorted, total: sorted.length }
}

function* matchesOf(
  resources: readonly Owned[],
  { search, standingOf }: ListAsked,
  counts?: StateCounts,
): Pieces<Owned[]> {
  const found: Owned[] = []
  const needsStates = counts !== undefined || search.states.length > 0
  for (const owned of resources) {
    yield
    if (!search.holds(owned)) continue
    const states = needsStates ? standingOf(owned).states : []
    if (counts) {
      counts.total++
      for (const state of states) counts[state]++
    }
    if (search.states.every((state) => states.includes(state))) found.push(owned)
  }
  return found
}

type Field = 'kind' | 'name' | 'source' | 'file'

const ORDERS: Record<ResourceOrder, readonly Field[]> = {
  kind: ['kind', 'name'],
  name: ['name', 'kind'],
  source: ['source', 'kind', 'name'],
  file: ['file', 'kind', 'name'],
}

function orderOf(sort: ResourceFilter['sort'] = 'kind'): { order: readonly Field[]; descending: boolean } {
  const descending = sort.startsWith('-')
  return { order: ORDERS[(descending ? sort.slice(1) : sort) as ResourceOrder], descending }
}

const keyOf = (order: readonly Field[]) => (owned: Owned) => order.map((field) => owned[field])

function compareBy(order: readonly Field[], a: Owned, b: Owned): number {
  for (const field of order) if (a[field] !== b[field]) return compare(a[field], b[field])
  return 0
}

type References = Resource['references']['from']

/** Returns the number of dependents of each of `ids`, and the first `most` of them, sorted. */
export async function dependentsOf(
  ids: ReadonlySet<string>,
  resources: readonly Owned[],
  most: number,
): Promise<ReadonlyMap<string, References>> {
  const found = new Map<string, References>()
  const note = (owned: Owned) => {
    for (const id of owned.dependsOn) {
      if (!ids.has(id)) continue
      const users = found.get(id) ?? { total: 0, ids: [] }
      found.set(id, users)
      users.total++
      if (users.ids.push(idOf(owned)) > 2 * most) users.ids = users.ids.sort().slice(0, most)
    }
  }
  await inPieces(eachOf(resources, note))
  for (const users of found.values()) users.ids = (await inPieces(sortedBy(users.ids, compare))).slice(0, most)
  return found
}

/** Number of items sorted or merged without a pause. */
const SORTED_AT_ONCE = 256

/** As `toSorted`, for lists of any length. */
export function* sortedBy<T>(items: readonly T[], order: (a: T, b: T) => number): Pieces<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < items.length; at += SORTED_AT_ONCE) {
    runs.push(items.slice(at, at + SORTED_AT_ONCE).sort(order))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* mergedBy(runs[at]!, runs[at + 1] ?? [], order))
    runs = merged
  }
  return runs[0] ?? []
}

function* mergedBy<T>(a: readonly T[], b: readonly T[], order: (a: T, b: T) => number): Pieces<T[]> {
  const merged: T[] = []
  let [left, right] = [0, 0]
  while (left < a.length && right < b.length) {
    merged.push(order(a[left]!, b[right]!) <= 0 ? a[left++]! : b[right++]!)
    if (merged.length % SORTED_AT_ONCE === 0) yield
  }
  return merged.concat(a.slice(left), b.slice(right))
}
