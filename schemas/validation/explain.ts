// Explains schema errors as facts: place, value seen, value expected, suggestion.
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Path } from '../kind.ts'
import { withoutAlternatives } from './alternatives.ts'
import { nearest } from './nearest.ts'

/** Broken rule; `form` is a pattern, `bound` a limit. */
export type Rule = 'unknown' | 'name' | 'missing' | 'choice' | 'type' | 'form' | 'format' | 'bound'

/** One mistake, even if it breaks several rules. */
export interface Explanation {
  /** Path of the invalid, missing or unknown field. */
  path: Path
  rule: Rule
  /** Stable; listed in docs/errors.md. */
  code: 'unknown-member' | 'invalid-key' | 'missing-member' | 'invalid-value' | 'wrong-type'
  /** Value found, or undefined. */
  seen: unknown
  /** Completes `should be …`: `one of zsh, bash`, `at least 1`. Possible types beside it are in `types`. */
  wanted: string
  types: string[]
  /** Possible names or values. */
  known: string[]
  /** Nearest known one, if close. */
  meant: string | null
  /** Description in the schema. */
  description: string | null
}

type JsonSchema = Record<string, any>

/** Maximum errors to process, because they are compared with each other. */
const MOST_ERRORS = 1000

/** Removes duplicates. `errors` must come from a thorough validator; without `value`, list indexes stay text. */
export function explain(errors: readonly ErrorObject[], value?: unknown): Explanation[] {
  const found = withoutAlternatives(errors.slice(0, MOST_ERRORS)).map((error) =>
    explanationOf(error, pathOf(error.instancePath, value)),
  )
  const meant = new Set(
    found
      .filter(({ rule, meant }) => rule === 'unknown' && meant !== null)
      .map(({ path, meant }) => keyOf([...path.slice(0, -1), meant!])),
  )
  const once = new Set<string>()
  return found.filter((explanation) => {
    const { path, rule, wanted } = explanation
    if (rule === 'missing' && meant.has(keyOf(path))) return false // present, but misspelt
    const key = keyOf([...path, rule, wanted])
    return !once.has(key) && once.add(key)
  })
}

const keyOf = (path: Path): string => JSON.stringify(path)

/** Converts a JSON pointer; `whole` decides whether a number is an index. */
function pathOf(pointer: string, whole: unknown): Path {
  let value: any = whole
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
      const segment = Array.isArray(value) ? Number(name) : name
      value = value?.[name]
      return segment
    })
}

function explanationOf(error: ErrorObject, path: Path): Explanation {
  const { keyword, params, data } = error
  const schema = (error.parentSchema ?? {}) as JsonSchema
  const plain: Explanation = {
    path,
    rule: 'bound',
    code: 'invalid-value',
    seen: data,
    wanted: '',
    types: [],
    known: [],
    meant: null,
    description: schema.description ?? null,
  }
  switch (keyword) {
    case 'additionalProperties':
      return unknownMember(plain, params.additionalProperty, schema)
    case 'required':
      return missing(plain, params.missingProperty, schema.properties?.[params.missingProperty]?.description)
    case 'discriminator':
      return wrongTag(plain, params as { tag: string; tagValue: unknown }, schema)
    case 'enum':
      return choice(plain, data, params.allowedValues, schema)
    case 'const':
      return choice(plain, data, [params.allowedValue])
    case 'type':
    case 'anyOf':
    case 'oneOf':
      return wrongType(plain, schema)
    case 'pattern':
      return { ...plain, rule: 'form', wanted: plain.description ?? `text that matches ${params.pattern}` }
    case 'format':
      return { ...plain, rule: 'format', wanted: FORMATS[params.format] ?? `a ${params.format}` }
    default:
      return { ...plain, wanted: bound(error) }
  }
}

function unknownMember(plain: Explanation, name: string, schema: JsonSchema): Explanation {
  const path = [...plain.path, name]
  const about = { ...plain, path, seen: undefined, description: null }
  const names = Object.keys(schema.patternProperties ?? {})
  if (names.length > 0) {
    return { ...about, rule: 'name', code: 'invalid-key', wanted: `a name that matches ${names.join(' or ')}` }
  }
  const known = Object.keys(schema.properties ?? {})
  return { ...about, rule: 'unknown', code: 'unknown-member', known, meant: nearest(name, known) }
}

function missing(plain: Explanation, name: string, description: string | undefined): Explanation {
  const about = { path: [...plain.path, name], seen: undefined, description: description ?? null }
  return { ...plain, ...about, rule: 'missing', code: 'missing-member' }
}

function wrongTag(plain: Explanation, { tag, tagValue }: { tag: string; tagValue: unknown }, schema: JsonSchema) {
  const known = (schema.oneOf as JsonSchema[]).map((branch) => String(branch.properties[tag].const))
  if (tagValue !== undefined) return choice({ ...plain, path: [...plain.path, tag] }, tagValue, known)
  return { ...missing(plain, tag, undefined), known, wanted: `one of ${known.join(', ')}` }
}

function choice(plain: Explanation, seen: unknown, values: readonly unknown[], schema: JsonSchema = {}): Explanation {
  const known = values.map(String)
  return {
    ...plain,
    rule: 'choice',
    seen,
    known,
    wanted: oneOf(values),
    types: alternativeTypes(schema).filter((type) => type !== 'null'),
    meant: typeof seen === 'string' ? nearest(seen, known) : null,
  }
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(', ')}`

/** Names the words of a union beside its types. */
function wrongType(plain: Explanation, schema: JsonSchema): Explanation {
  const about = { ...plain, rule: 'type' as const, code: 'wrong-type' as const }
  const types = alternativeTypes(schema)
  if (types.length === 0) return { ...about, types: [schema.type].flat() }
  const words = branchesOf(schema).flatMap(wordsOf)
  return { ...about, types, wanted: words.length === 0 ? '' : oneOf(words), known: words.map(String) }
}

/** Branches of a union, those of nested unions included. */
function branchesOf(schema: JsonSchema): JsonSchema[] {
  const branches: JsonSchema[] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return branches.flatMap((branch) => (branch.anyOf || branch.oneOf ? branchesOf(branch) : [branch]))
}

const wordsOf = (schema: JsonSchema): unknown[] => schema.enum ?? ('const' in schema ? [schema.const] : [])

/** Types of the branches of a union that are not words. */
function alternativeTypes(schema: JsonSchema): string[] {
  const free = branchesOf(schema).filter((branch) => wordsOf(branch).length === 0)
  return [...new Set(free.flatMap(({ type }) => (type === undefined ? [] : [type].flat())))]
}

const FORMATS: Record<string, string> = { 'date-time': 'a time such as 2030-01-01T00:00:00Z', uuid: 'a UUID' }

function bound({ keyword, params, message }: ErrorObject): string {
  const limit = Number(params.limit)
  switch (keyword) {
    case 'minimum':
      return `at least ${limit}`
    case 'exclusiveMinimum':
      return `more than ${limit}`
    case 'maximum':
      return `at most ${limit}`
    case 'minLength':
      return limit === 1 ? 'a text that is not empty' : `a text of at least ${limit} characters`
    case 'maxLength':
      return `a text of at most ${limit} characters`
    case 'minItems':
      return `a list of at least ${limit} ${limit === 1 ? 'entry' : 'entries'}`
    case 'maxItems':
      return `a list of at most ${limit} ${limit === 1 ? 'entry' : 'entries'}`
    case 'minProperties':
      return `something with at least ${limit} ${limit === 1 ? 'field' : 'fields'}`
    case 'maxProperties':
      return `something with at most ${limit} ${limit === 1 ? 'field' : 'fields'}`
    case 'oneRequired':
      return `something with one of the fields ${params.names.join(', ')}`
    default:
      return `something that ${message ?? 'follows the schema'}`
  }
}
