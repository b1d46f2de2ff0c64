// Lines of a digest: what an action changes in the pipeline.
import { CONDUCTOR_LABELS } from '../../../schemas/conductor/request.ts'
import type { Restack } from '../git.ts'
import type { Snapshot } from '../snapshot/facts.ts'
import type { Act } from './contract.ts'
import { hasLabel } from './labels.ts'

/** Lines of the changes that `act` makes if it is done; empty for an action that changes no state. */
export function transitionsOf({ action, number, label, base, restack }: Act): string[] {
  switch (action) {
    case 'add-label':
      return [additionLine(number!, label!)]
    case 'remove-label':
      // The label that requests a run is no state of an item.
      return label === 'conductor-sync' ? [] : [removalLine(number!, label!)]
    case 'retarget':
      return [`#${number}: retargeted to ${shortened(base!)}`]
    case 'restack':
      return restack ? restackLines(restack) : []
    case 'merge':
      return [mergeLine(number!)]
    default:
      return []
  }
}

/** Without the base, which is main or the pipeline base, and may have changed since an interrupted merge. */
export const mergeLine = (number: number): string => `#${number}: merged`

const additionLine = (number: number, label: string): string => `#${number}: +${label}`
const removalLine = (number: number, label: string): string => `#${number}: -${label}`

/** Lines of merges and labels that a snapshot contradicts: an interrupted run may have stored them without the change. */
export function contradictedLines({ issues, pullRequests }: Snapshot): ReadonlySet<string> {
  const lines = new Set(pullRequests.map(({ number }) => mergeLine(number)))
  for (const item of [...issues, ...pullRequests])
    for (const label of CONDUCTOR_LABELS)
      lines.add(hasLabel(item, label) ? removalLine(item.number, label) : additionLine(item.number, label))
  return lines
}

/** A pull request above another one keeps its base. */
function restackLines({ onto, branches }: Restack): string[] {
  const byNumber = new Map(branches.map(({ number, branch }) => [number, branch]))
  const baseOf = (parent: number | null) => (parent === null ? onto : (byNumber.get(parent) ?? onto))
  return branches.map(({ number, parent }) => `#${number}: restacked onto ${shortened(baseOf(parent))}`)
}

/** Git allows branch names that no line of a message has room for. */
const shortened = (branch: string): string => (branch.length > 60 ? `${branch.slice(0, 59)}…` : branch)
