import type { Blame } from '../../../schemas/operations/gitops/blame.ts'
import type { Drift, ResourceDetail } from '../../../schemas/resource.ts'
import { isEqual, isTree } from '../../parts/text/field-changes.ts'

export interface FieldRow {
  /** Dotted. */
  path: string
  desired: unknown
  applied: unknown
  live: unknown
  /** Live differs from last applied. */
  isDrifted: boolean
  /** Desired differs from last applied. */
  isChanged: boolean
}

/** A field that is null is not set. */
const isSame = (a: unknown, b: unknown) => isEqual(a ?? null, b ?? null)

/**
 * Fields of the three sides, in the order of the manifest. Objects are compared by field and lists as a whole. A side
 * that is unknown (null) has no drift.
 */
export function fieldRows({
  desired,
  last_applied,
  live,
}: Pick<ResourceDetail, 'desired' | 'last_applied' | 'live'>): FieldRow[] {
  const rows: FieldRow[] = []
  const isLiveKnown = isTree(live)
  const add = (path: string, sides: readonly [unknown, unknown, unknown]) => {
    const [wanted, applied, actual] = sides
    if (sides.some(isTree) && sides.every((side) => isTree(side) || side === undefined || side === null)) {
      const names = new Set(sides.flatMap((side) => (isTree(side) ? Object.keys(side) : [])))
      for (const name of names)
        add(
          path === '' ? name : `${path}.${name}`,
          sides.map((side) => (isTree(side) ? side[name] : undefined)) as never,
        )
      return
    }
    rows.push({
      path,
      desired: wanted,
      applied,
      live: actual,
      isDrifted: isLiveKnown && !isSame(applied, actual),
      isChanged: !isSame(wanted, applied),
    })
  }
  add('', [desired, last_applied, live])
  return rows
}

/** Words for a value that a side does not have. A side that is absent as a whole has no values at all. */
export function absentSides(detail: Pick<ResourceDetail, 'desired' | 'last_applied' | 'live' | 'drift'>) {
  const isMissing = detail.drift.some(({ path, resolution }) => path === '' && resolution === null)
  const word = (side: unknown, absent: string) => (isTree(side) ? 'not set' : absent)
  return {
    desired: word(detail.desired, 'not in a manifest'),
    applied: word(detail.last_applied, 'not applied yet'),
    live: word(detail.live, isMissing ? 'missing' : 'unknown'),
  }
}

/** Fields that differ on any side, and the number of the others. */
export function oddFields(rows: readonly FieldRow[]): { odd: FieldRow[]; equal: FieldRow[] } {
  const isOdd = ({ isDrifted, isChanged }: FieldRow) => isDrifted || isChanged
  return { odd: rows.filter(isOdd), equal: rows.filter((row) => !isOdd(row)) }
}

const isBelow = (path: string, above: string) => path.startsWith(`${above}.`) || path.startsWith(`${above}[`)

/** The open drift record of a field: its own, or that of an object around it or of an entry in it. */
export const driftOf = (path: string, { drift }: Pick<ResourceDetail, 'drift'>): Drift | undefined =>
  drift
    .filter(({ resolution }) => resolution === null)
    .find((each) => each.path === path || isBelow(path, each.path) || isBelow(each.path, path))

/** Place in the manifest that sets a field, as "agents/greeter.yml:6"; null if none does. */
export function placeOf(path: string, { members }: Pick<Blame, 'members'>): string | null {
  const member = members.find((each) => each.path === path || isBelow(each.path, path))
  return member?.place?.replace(/:\d+$/, '') ?? null
}

/** Number of fields with open drift; 1 for a resource that is missing. */
export function driftedFields(detail: ResourceDetail): number {
  const hasDrift = detail.drift.some(({ resolution }) => resolution === null)
  return hasDrift ? Math.max(fieldRows(detail).filter(({ isDrifted }) => isDrifted).length, 1) : 0
}
