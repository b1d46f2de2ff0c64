// What a writer has seen of a row: a write that rests on it is refused where a member it touches has moved since.
import type { ProblemCode } from '../../schemas/problem.ts'
import { conflict } from '../core/problem.ts'
import { changedFields } from './audit.ts'

/** The members that a write touches, as they were seen; others may move meanwhile. */
export interface Seen<Members extends object> {
  /** Version of the row; null where it is not known, and then the values decide. */
  version: number | null
  members: Partial<Members>
}

/** Of the problem that `refuseMoved` throws. */
export const MOVED: ProblemCode = 'moved'

/**
 * Call in the transaction that writes, with the row it holds. Throws a 409 that names the members of `seen` which have
 * other values by now; `what` is the row in words.
 */
export function refuseMoved<Members extends object>(
  what: string,
  present: Members & { version: number },
  seen: Seen<Members> | undefined,
): void {
  if (!seen || present.version === seen.version) return
  const moved = (Object.keys(seen.members) as (keyof Members & string)[]).filter(
    (member) => changedFields(present[member], seen.members[member]).length > 0,
  )
  if (moved.length > 0)
    throw conflict(
      `${moved.join(', ')} of ${what} moved since it was looked at; nothing was written: look again, and write what is still wanted`,
      MOVED,
    )
}
