// The errors a service may answer with. Services throw them; `platform/http` turns them into a response.
import type { FieldError, ProblemStatus } from '../schemas/problem.ts'

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: ProblemStatus
  readonly errors: FieldError[] | undefined

  constructor(status: ProblemStatus, detail: string, options: { errors?: FieldError[]; cause?: unknown } = {}) {
    super(detail, { cause: options.cause })
    this.status = status
    this.errors = options.errors
  }
}

export const invalid = (detail: string, errors?: FieldError[]) => new Problem(400, detail, { errors })
export const forbidden = (detail: string) => new Problem(403, detail)
export const conflict = (detail: string) => new Problem(409, detail)
export const unprocessable = (detail: string) => new Problem(422, detail)
export const unavailable = (detail: string, cause?: unknown) => new Problem(503, detail, { cause })
export const notFound = (what: string, id: string) => new Problem(404, `${what} ${id} does not exist`)
