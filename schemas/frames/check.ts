import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createAjv } from '../validation/ajv.ts'
import { agentFrames, anyFrame } from './agent-frame.ts'

/** Compiled on the first frame of a type. */
const validators = new Map<string, ValidateFunction>()
const ANY = ''
const quick = createAjv({ thorough: false, units: true })

function validatorOf(type: unknown): ValidateFunction {
  const known = typeof type === 'string' && Object.hasOwn(agentFrames, type) ? (type as keyof typeof agentFrames) : ANY
  let validate = validators.get(known)
  if (!validate) {
    validate = quick.compile(known === ANY ? anyFrame : agentFrames[known])
    validators.set(known, validate)
  }
  return validate
}

/** Returns the first error (`response.request_id must be string`) without values, or null. */
export function frameFault(frame: Record<string, unknown>): string | null {
  const validate = validatorOf(frame.type)
  if (validate(frame)) return null
  const { instancePath = '', message = 'is invalid' } = validate.errors?.[0] ?? {}
  return `${instancePath.slice(1).replaceAll('/', '.') || 'the frame'} ${message}`
}
