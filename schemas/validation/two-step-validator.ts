// Runs the thorough validator only on values that fail the quick one.
import type { ValidateFunction } from 'ajv/dist/2020.js'

/** Above this count only the first error is reported, to limit memory. */
const MOST_VALUES = 5_000

/** Both are compiled on first use. */
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

function isLarge(whole: unknown): boolean {
  const waiting = [whole]
  let count = 0
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue
    for (const member in value) {
      if (++count > MOST_VALUES) return true
      waiting.push((value as Record<string, unknown>)[member])
    }
  }
  return false
}
