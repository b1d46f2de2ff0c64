// Optimistic concurrency: refuses a write if its fields changed since they were read.
import type { ProblemCode } from '../../schemas/problem.ts'
import { conflict } from '../core/problem.ts'
import { changedFields } from './audit.ts'

export interface Seen<Members extends object> {
  /** Null if unknown; then the values decide. */
  version: number | null
  members: Partial<Members>
}

export const MOVED: ProblemCode = 'moved'

/** Throws a 409 that names the changed fields. Call in the write transaction, with the locked row. */
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
      `${moved.join(', ')} of ${what} changed since it was read; nothing was written: read it again and retry`,
      MOVED,
    )
}
