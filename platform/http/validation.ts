import type { ErrorObject } from 'ajv'
import { fieldErrors } from '../../schemas/validation/fields.ts'
import { invalid, type Problem } from '../core/problem.ts'

const NAMED = 5

/** Limits the work, because a hostile body can have tens of thousands of faults. */
const MOST_EXPLAINED = 200

/** Returns one 400 for all faults. `errors` need ajv's `verbose`. */
export function validationProblem(errors: readonly ErrorObject[], part: string): Problem {
  const whole = part === 'querystring' ? 'the query' : part === 'params' ? 'the address' : 'the body'
  const faults = fieldErrors(errors.slice(0, MOST_EXPLAINED), whole)
  const named = faults.slice(0, NAMED).map(({ path, message }) => `${path || whole} ${message}`)
  const more = faults.length > NAMED ? [`and ${faults.length - NAMED} more`] : []
  return invalid([...named, ...more].join('; '), faults)
}
