// Turns what ajv found wrong with a request into errors a person can act on. Never shows a value that may be a secret.
import type { ErrorObject } from 'ajv'
import { closest, distance } from 'fastest-levenshtein'
import type { FieldError } from '../../schemas/problem.ts'
import { invalid, type Problem } from '../problem.ts'

/** Most errors that the one-line detail names; `errors` has them all. */
const NAMED = 5

/** One 400 for all faults of a body, a query string or path parameters. `errors` need ajv's `verbose`. */
export function validationProblem(errors: readonly ErrorObject[], part: string): Problem {
  const whole = part === 'querystring' ? 'the query' : part === 'params' ? 'the address' : 'the body'
  const faults = explain(errors, whole)
  const named = faults.slice(0, NAMED).map(({ path, message }) => `${path || whole} ${message}`)
  const more = faults.length > NAMED ? [`and ${faults.length - NAMED} more`] : []
  return invalid([...named, ...more].join('; '), faults)
}

/** Each fault once, at its dotted path; `whole` is what the empty path is called. */
export function explain(errors: readonly ErrorObject[], whole: string): FieldError[] {
  return distinct(withoutAlternatives(errors).map((error) => fault(error, whole)))
}

/** An alternative that failed reports every branch: keep what the value was nearest to. */
function withoutAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  let kept = [...errors]
  for (const parent of errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')) {
    const isBranch = (error: ErrorObject) =>
      error.schemaPath.startsWith(`${parent.schemaPath}/`) && error.instancePath.startsWith(parent.instancePath)
    const branches = kept.filter(isBranch)
    const deeper = branches.filter((error) => error.instancePath !== parent.instancePath || error.keyword !== 'type')
    const types = branches.filter((error) => !deeper.includes(error)).map((error) => error.params.type as string)
    const merged =
      deeper.length > 0 || types.length === 0 ? deeper : [{ ...parent, keyword: 'type', params: { type: types } }]
    kept = [...kept.filter((error) => error !== parent && !isBranch(error)), ...merged]
  }
  return kept
}

function distinct(faults: FieldError[]): FieldError[] {
  return faults.filter(
    (fault, index) =>
      faults.findIndex((other) => other.path === fault.path && other.message === fault.message) === index,
  )
}

function fault(error: ErrorObject, whole: string): FieldError {
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const path = at.join('.')
  const below = (member: string) => [...at, member].join('.')
  switch (error.keyword) {
    case 'required':
      return { path: below(error.params.missingProperty), message: 'is missing' }
    case 'additionalProperties':
      return { path: below(error.params.additionalProperty), message: unknownMember(error, path || whole) }
    case 'discriminator':
      return discriminator(error, path, below)
    default:
      return { path, message: wanted(error) }
  }
}

function unknownMember(error: ErrorObject, owner: string): string {
  const known = Object.keys((error.parentSchema as { properties?: Record<string, unknown> }).properties ?? {})
  return `is not a member of ${owner}${nearest(error.params.additionalProperty, known)}`
}

function discriminator(error: ErrorObject, path: string, below: (member: string) => string): FieldError {
  const tag = error.params.tag as string
  const branches = (error.parentSchema as { oneOf?: { properties: Record<string, { const?: string }> }[] }).oneOf ?? []
  const known = branches.map((branch) => String(branch.properties[tag]?.const))
  if (error.params.error === 'tag')
    return { path: below(tag), message: `is missing or no string; it should be one of ${known.join(', ')}` }
  return {
    path: below(tag) || path,
    message: `should be one of ${known.join(', ')}, instead got ${JSON.stringify(error.params.tagValue)}${nearest(String(error.params.tagValue), known, false)}`,
  }
}

/** The nearest known word when it is near, else all there are. */
function nearest(word: string, known: string[], list = true): string {
  if (known.length === 0) return ''
  const guess = closest(word, known)
  if (distance(word, guess) <= Math.max(2, Math.floor(word.length * 0.4))) return `; did you mean "${guess}"?`
  return list ? `; its members are ${known.join(', ')}` : ''
}

function wanted(error: ErrorObject): string {
  const { params, data } = error
  switch (error.keyword) {
    case 'type':
      return `should be ${[params.type].flat().map(article).join(' or ')}, instead got ${kindOf(data)}`
    case 'enum':
      return `should be one of ${params.allowedValues.join(', ')}, instead got ${shown(data)}${typeof data === 'string' ? nearest(data, params.allowedValues.map(String), false) : ''}`
    case 'const':
      return `should be ${JSON.stringify(params.allowedValue)}`
    case 'format':
      return params.format === 'uuid' ? 'should be a UUID' : `should be a ${params.format}`
    case 'pattern':
      return `should be: ${(error.parentSchema as { description?: string }).description ?? `text that matches ${params.pattern}`}`
    case 'minLength':
    case 'minItems':
      return params.limit === 1 ? 'should not be empty' : `should have at least ${params.limit}`
    case 'maxLength':
    case 'maxItems':
      return `should have at most ${params.limit}`
    default:
      return error.message ?? 'is not valid'
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : article(typeof value)
}

function article(type: string): string {
  if (type === 'null') return 'null'
  return type === 'array' ? 'a list' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

/** A short value; enums are no secrets. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 64)) : kindOf(value)
}
