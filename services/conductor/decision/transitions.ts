// Lines of a digest: what an action changes in the pipeline.
import type { Restack } from '../git.ts'
import type { Act } from './contract.ts'

/** Lines of the changes that `act` makes if it is done; empty for an action that changes no state. */
export function transitionsOf({ action, number, label, base, restack }: Act): string[] {
  switch (action) {
    case 'add-label':
      return [`#${number}: +${label}`]
    case 'remove-label':
      // The label that requests a run is no state of an item.
      return label === 'conductor-sync' ? [] : [`#${number}: -${label}`]
    case 'retarget':
      return [`#${number}: retargeted to ${shortened(base!)}`]
    case 'restack':
      return restack ? restackLines(restack) : []
    case 'merge':
      return [mergeLine(number!, base!)]
    default:
      return []
  }
}

export const mergeLine = (number: number, base: string): string => `#${number}: merged into ${shortened(base)}`

/** A pull request above another one keeps its base. */
function restackLines({ onto, branches }: Restack): string[] {
  const byNumber = new Map(branches.map(({ number, branch }) => [number, branch]))
  const baseOf = (parent: number | null) => (parent === null ? onto : (byNumber.get(parent) ?? onto))
  return branches.map(({ number, parent }) => `#${number}: restacked onto ${shortened(baseOf(parent))}`)
}

/** Git allows branch names that no line of a message has room for. */
const shortened = (branch: string): string => (branch.length > 60 ? `${branch.slice(0, 59)}…` : branch)
