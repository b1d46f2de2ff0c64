import type { About, Check } from '../../schemas/operations/gitops/doctor.ts'
import { withDeadline } from '../async/deadline.ts'

/** Limit of one check. */
const LONGEST_MS = 10_000

/** A check that fails, or takes longer than ten seconds (`longestMs`), is unknown. */
export async function bounded(about: About, work: () => Promise<Check>, longestMs = LONGEST_MS): Promise<Check> {
  const late = () => new Error(`no answer within ${longestMs / 1000} s`)
  try {
    return await withDeadline(longestMs, work(), late)
  } catch (error) {
    const next = 'check the log of the daemon and the load of the machine, then check again'
    return { ...about, state: 'unknown', seen: (error as Error).message, next }
  }
}
