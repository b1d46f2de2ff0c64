// What a run could not read or do.
import { ForgeFault } from '../../../platform/forge/faults.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { ConductorProblem, ProblemCode } from '../../../schemas/conductor/run.ts'

export class Problems {
  readonly #all: ConductorProblem[] = []

  get all(): readonly ConductorProblem[] {
    return this.#all
  }

  /** Keeps equal problems once. */
  add(code: ProblemCode, detail: string): void {
    const isKnown = this.#all.some((each) => each.code === code && each.detail === detail)
    if (!isKnown) this.#all.push({ code, detail })
  }
}

/** A run must not go on without rooms and memory: the next one would not know what this one could not report. */
export const isStopping = (error: unknown): boolean => error instanceof Problem && error.code === 'stopping'

/** Code of a failure of the forge or of git; null for any other error. */
export function faultCode(error: unknown): ProblemCode | null {
  if (error instanceof ForgeFault) return error.code
  return error instanceof Problem && error.code === 'git-failed' ? error.code : null
}
