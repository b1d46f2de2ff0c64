// "Not there" is an answer, not a failure.
import { Problem } from '../platform/core/problem.ts'

/** Null in place of a 404. */
export function orMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) return null
    throw error
  })
}
