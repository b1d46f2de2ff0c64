// Explanations in the words of a request: one line a member, in the terms of JSON. Never shows what may be a secret.
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Path } from '../kind.ts'
import type { FieldError } from '../problem.ts'
import { createAjv } from './ajv.ts'
import { explain, type Explanation } from './explain.ts'
import { twoStepValidator } from './two-step-validator.ts'

/** Each fault once, at its dotted path; `whole` is what the value itself is called. */
export function fieldErrors(errors: readonly ErrorObject[], whole: string): FieldError[] {
  return explain(errors).map((explanation) => ({
    // A name that is not possible may be a secret in the wrong place.
    path: (explanation.rule === 'name' ? explanation.path.slice(0, -1) : explanation.path).join('.'),
    message: words(explanation, whole),
    code: explanation.code,
  }))
}

/** Returns the faults of a value, at paths below `at`. */
export type ValueCheck = (value: unknown, at?: Path) => FieldError[]

/** Makes the check of a schema, which is compiled on its first use; `whole` is what the value itself is called. */
export function valueCheck(schema: object, whole: string): ValueCheck {
  const compile = (thorough: boolean) => () => createAjv({ thorough }).compile(JSON.parse(JSON.stringify(schema)))
  const validate = twoStepValidator(compile(false), compile(true))
  return (value, at = []) =>
    validate(value)
      ? []
      : fieldErrors(validate.errors!, whole).map((error) => ({ ...error, path: below(at, error.path) }))
}

const below = (at: Path, path: string): string => [...at, ...(path === '' ? [] : [path])].join('.')

function words(explanation: Explanation, whole: string): string {
  const { rule, path, seen, wanted, types, known, meant } = explanation
  const guess = meant === null ? '' : `; did you mean "${meant}"?`
  switch (rule) {
    case 'unknown': {
      const others = known.length === 0 ? '' : `; its members are ${known.join(', ')}`
      return `is not a member of ${path.slice(0, -1).join('.') || whole}${guess || others}`
    }
    case 'name':
      return `holds a name that is not possible: write ${wanted}`
    case 'missing':
      return wanted === '' ? 'is missing' : `is missing; it should be ${wanted}`
    case 'choice':
      return `should be ${wanted}, instead got ${typeof seen === 'string' ? quoted(seen) : kindOf(seen)}${guess}`
    case 'type':
      return `should be ${types.map(article).join(' or ')}, instead got ${kindOf(seen)}`
    case 'form':
      return `should be: ${wanted}`
    default:
      return `should be ${wanted}`
  }
}

const LONGEST_SHOWN = 64

/** A choice is no secret. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, LONGEST_SHOWN))

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : article(typeof value)
}

function article(type: string): string {
  if (type === 'null') return 'null'
  return type === 'array' ? 'a list' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
