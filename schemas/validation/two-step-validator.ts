// Two validators of one schema: most values fit it, and only one that does not is looked at for all its faults.
import type { ValidateFunction } from 'ajv/dist/2020.js'

/** Members and entries up to which all faults of a value are told; of a larger one the first: each costs memory. */
const LOOKED_AT = 5_000

/** Each is compiled when it is needed first. `thorough` tells all faults, `quick` the first. */
export function twoStepValidator(quick: () => ValidateFunction, thorough: () => ValidateFunction): ValidateFunction {
  let compiledQuick: ValidateFunction | undefined
  let compiledThorough: ValidateFunction | undefined
  const validate = ((value: unknown) => {
    compiledQuick ??= quick()
    validate.errors = null
    if (compiledQuick(value)) return true
    validate.errors = compiledQuick.errors
    if (isLarge(value)) return false
    compiledThorough ??= thorough()
    compiledThorough(value)
    validate.errors = compiledThorough.errors
    return false
  }) as ValidateFunction
  return validate
}

/** Ends at the bound, however large the value is. */
function isLarge(whole: unknown): boolean {
  const waiting = [whole]
  let count = 0
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue
    for (const member in value) {
      if (++count > LOOKED_AT) return true
      waiting.push((value as Record<string, unknown>)[member])
    }
  }
  return false
}
