// Cost of a query by GitHub's published rules.
import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql'

/** Requests that fetch one connection each count a hundredth of a point. */
const REQUESTS_PER_POINT = 100

export interface Cost {
  points: number
  nodes: number
}

export function costOf(document: DocumentNode, variables: Record<string, unknown>): Cost {
  const fragments = new Map(
    document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  )
  let requests = 0
  let nodes = 0
  const visit = (set: SelectionSetNode | undefined, parents: number): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet, parents)
      else if (selection.kind === Kind.FRAGMENT_SPREAD)
        visit(fragments.get(selection.name.value)?.selectionSet, parents)
      else {
        const size = sizeOf(selection, variables)
        if (size !== null) {
          requests += parents
          nodes += parents * size
        }
        visit(selection.selectionSet, size === null ? parents : parents * size)
      }
    }
  }
  for (const each of document.definitions) if (each.kind === Kind.OPERATION_DEFINITION) visit(each.selectionSet, 1)
  return { points: Math.max(1, Math.round(requests / REQUESTS_PER_POINT)), nodes }
}

/** Entries of a connection, or of the nodes of given ids. */
function sizeOf({ arguments: given = [] }: FieldNode, variables: Record<string, unknown>): number | null {
  if (given.some(({ name }) => name.value === 'ids')) return (variables.ids as unknown[]).length
  const value = given.find(({ name }) => name.value === 'first' || name.value === 'last')?.value
  if (value?.kind === Kind.INT) return Number(value.value)
  return value?.kind === Kind.VARIABLE ? Number(variables[value.name.value] ?? 0) : null
}
