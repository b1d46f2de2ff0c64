// Errors of requests, in JSON terms. Never contain possible secrets.
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Path } from '../kind.ts'
import type { FieldError } from '../problem.ts'
import { createAjv } from './ajv.ts'
import { explain, type Explanation } from './explain.ts'
import { twoStepValidator } from './two-step-validator.ts'

/** One error per fault at its dotted path; `whole` names the complete value. */
export function fieldErrors(errors: readonly ErrorObject[], whole: string): FieldError[] {
  return explain(errors).map((explanation) => ({
    // An invalid name may be a misplaced secret.
    path: (explanation.rule === 'name' ? explanation.path.slice(0, -1) : explanation.path).join('.'),
    message: words(explanation, whole),
    code: explanation.code,
  }))
}

/** Returns errors at paths below `at`. */
export type ValueCheck = (value: unknown, at?: Path) => FieldError[]

/** Compiles the schema on first use; `whole` names the complete value. */
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
  const { rule, path, seen, wanted, known, meant } = explanation
  const guess = meant === null ? '' : `; did you mean "${meant}"?`
  switch (rule) {
    case 'unknown': {
      const others = known.length === 0 ? '' : `; its fields are ${known.join(', ')}`
      return `is not a field of ${path.slice(0, -1).join('.') || whole}${guess || others}`
    }
    case 'name':
      return `contains an invalid name: use ${wanted}`
    case 'missing':
      return wanted === '' ? 'is missing' : `is missing; it should be ${wanted}`
    case 'choice':
      return `should be ${either(explanation)}, instead got ${typeof seen === 'string' ? quoted(seen) : kindOf(seen)}${guess}`
    case 'type':
      return `should be ${either(explanation)}, instead got ${kindOf(seen)}`
    case 'form':
      return `should be: ${wanted}`
    default:
      return `should be ${wanted}`
  }
}

const either = ({ wanted, types }: Explanation): string =>
  [...(wanted === '' ? [] : [wanted]), ...types.map(article)].join(' or ')

const LONGEST_SHOWN = 64

/** Choices are not secret. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, LONGEST_SHOWN))

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : article(typeof value)
}

function article(type: string): string {
  if (type === 'null') return 'null'
  return type === 'array' ? 'a list' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
