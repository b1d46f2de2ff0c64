// Turns what ajv found wrong with a request into one problem that a person can act on.
import type { ErrorObject } from 'ajv'
import { fieldErrors } from '../../schemas/validation/fields.ts'
import { invalid, type Problem } from '../core/problem.ts'

/** Most errors that the one-line detail names; `errors` has them all. */
const NAMED = 5

/** Most findings that are explained at all: a hostile body has tens of thousands. */
const TOLD = 200

/** One 400 for all faults of a body, a query string or path parameters. `errors` need ajv's `verbose`. */
export function validationProblem(errors: readonly ErrorObject[], part: string): Problem {
  const whole = part === 'querystring' ? 'the query' : part === 'params' ? 'the address' : 'the body'
  const faults = fieldErrors(errors.slice(0, TOLD), whole)
  const named = faults.slice(0, NAMED).map(({ path, message }) => `${path || whole} ${message}`)
  const more = faults.length > NAMED ? [`and ${faults.length - NAMED} more`] : []
  return invalid([...named, ...more].join('; '), faults)
}
