import type { Fault } from '../../schemas/kind.ts'
import { unknownName } from '../../schemas/validation/nearest.ts'
import {
  faultErrors,
  STATUS_CODES,
  type FieldError,
  type ProblemCode,
  type ProblemStatus,
} from '../../schemas/problem.ts'

export interface ProblemOptions {
  /** Default: the code of the status. */
  code?: ProblemCode
  errors?: FieldError[]
  cause?: unknown
  /** Sent as Retry-After and `retry_after_secs`. */
  retrySecs?: number
}

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: ProblemStatus
  readonly code: ProblemCode
  readonly errors: FieldError[] | undefined
  readonly retrySecs: number | undefined

  constructor(status: ProblemStatus, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause })
    this.status = status
    this.code = options.code ?? STATUS_CODES[status]
    this.errors = options.errors
    this.retrySecs = options.retrySecs
  }
}

export const invalid = (detail: string, errors?: FieldError[], code?: ProblemCode) =>
  new Problem(400, detail, { errors, code })
export const forbidden = (detail: string, code?: ProblemCode) => new Problem(403, detail, { code })
export const conflict = (detail: string, code?: ProblemCode) => new Problem(409, detail, { code })
export const unprocessable = (detail: string, code?: ProblemCode) => new Problem(422, detail, { code })
export const unavailable = (detail: string, code?: ProblemCode, cause?: unknown) =>
  new Problem(503, detail, { code, cause })
/** For generated ids, without suggestions. */
export const notFound = (what: string, id: string) => new Problem(404, `${what} ${id} does not exist`)
/** Suggests the nearest name in `known`. */
export const noSuch = (what: string, name: string, known: Iterable<string>) =>
  new Problem(404, unknownName(what, name, known))

/** Throws one 400 for all `faults`; does nothing if there are none. */
export function refuseFaults(faults: readonly Fault[]): void {
  const errors = faultErrors(faults)
  if (errors.length > 0) throw invalid(errors.map(({ path, message }) => `${path} ${message}`).join('; '), errors)
}
