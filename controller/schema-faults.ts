// What a schema finds wrong with a manifest, in words: one fault for one mistake, however many rules it breaks.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Fault, Path } from '../schemas/kind.ts'
import { nearest, nearestHint } from './nearest.ts'
import type { Side } from './positions.ts'
import { touchesSecret } from './variables.ts'

export interface ShapeFault extends Fault {
  /** Whether the member's name or its value is at fault. */
  side: Side
  /** Faulty members, and those a mistyped name stood for: what is said to be missing because of them is noise. */
  words: string[]
}

export interface Shape {
  /** Cheap; says nothing about why. */
  valid(manifest: unknown): boolean
  /** All faults of an invalid manifest. */
  faults(manifest: unknown): ShapeFault[]
}

/** Errors looked at of one manifest: far more than anybody reads, and few enough to compare with one another. */
const MOST_ERRORS = 1000

type JsonSchema = Record<string, any>

const shapes = new WeakMap<object, Shape>()

/** Compiles a schema once. Values at `secrets` are never quoted in a message. */
export function shapeOf(schema: object, secrets: readonly string[][] = []): Shape {
  const known = shapes.get(schema)
  if (known) return known
  const plain: JsonSchema = JSON.parse(JSON.stringify(schema))
  let valid: ValidateFunction | undefined
  let thorough: ValidateFunction | undefined
  const shape: Shape = {
    valid: (manifest) => (valid ??= compile(plain, false))(manifest),
    faults: (manifest) => {
      thorough ??= compile(plain, true)
      return thorough(manifest) ? [] : explain(thorough.errors!.slice(0, MOST_ERRORS), manifest, secrets)
    },
  }
  shapes.set(schema, shape)
  return shape
}

function compile(schema: JsonSchema, thorough: boolean): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, discriminator: true, allErrors: thorough, verbose: thorough })
  addFormats.default(ajv)
  return ajv.compile(schema)
}

function explain(errors: readonly ErrorObject[], manifest: unknown, secrets: readonly string[][]): ShapeFault[] {
  const faults = withoutBranches(errors).map((error) => {
    const path = pathOf(error.instancePath, manifest)
    return faultOf(error, path, touchesSecret(path, secrets))
  })
  const misspelt = new Set(
    faults
      .filter((fault) => fault.code === 'unknown-member')
      .flatMap((fault) => fault.words.map((word) => [...fault.path.slice(0, -1), word].join('/'))),
  )
  return faults.filter(
    (fault) => !(fault.code === 'missing-member' && misspelt.has([...fault.path, ...fault.words].join('/'))),
  )
}

/** Of a union that failed, the errors of the one branch whose type fits; else the union's own error alone. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  let left = [...errors]
  for (const union of errors.filter((error) => error.keyword === 'anyOf')) {
    const branches = (union.schema as JsonSchema[]).map((_, index) =>
      left.filter((error) => isBelow(error, union, `${union.schemaPath}/${index}/`)),
    )
    const fitting = branches.filter(
      (branch) =>
        branch.length > 0 &&
        !branch.some((error) => error.keyword === 'type' && error.instancePath === union.instancePath),
    )
    const kept = fitting.length === 1 ? fitting[0]! : [union]
    left = left.filter(
      (error) => kept.includes(error) || (error !== union && !branches.some((branch) => branch.includes(error))),
    )
  }
  return left
}

function isBelow(error: ErrorObject, union: ErrorObject, prefix: string): boolean {
  return (
    error.schemaPath.startsWith(prefix) &&
    (error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`))
  )
}

/** A JSON pointer as a path; whether a number is an index is for the value to say. */
function pathOf(pointer: string, manifest: unknown): Path {
  let value: any = manifest
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

/** `source.type`, `tools[2]`; the manifest itself for an empty path. */
function label(path: Path): string {
  return (
    path.reduce<string>(
      (text, segment) =>
        typeof segment === 'number' ? `${text}[${segment}]` : text === '' ? segment : `${text}.${segment}`,
      '',
    ) || 'the manifest'
  )
}

function faultOf(error: ErrorObject, path: Path, secret: boolean): ShapeFault {
  const saw = `instead got ${describe(error.data, secret)}`
  const at = { path, side: 'value' as const, words: path.length > 0 ? [String(path.at(-1))] : [] }
  const schema = (error.parentSchema ?? {}) as JsonSchema
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownMember(path, error.params.additionalProperty, schema)
    case 'required':
      return missing(path, error.params.missingProperty, schema)
    case 'discriminator':
      return wrongTag(path, error, schema)
    case 'enum':
      return {
        ...at,
        code: 'invalid-value',
        message: `${label(path)} should be one of ${list(error.schema as unknown[])}, ${saw}`,
        hint: enumHint(error.data, error.schema as unknown[]),
      }
    case 'const':
      return {
        ...at,
        code: 'invalid-value',
        message: `${label(path)} should be ${JSON.stringify(error.schema)}, ${saw}`,
        hint: `write ${JSON.stringify(error.schema)}`,
      }
    case 'type':
      return wrongType(at, [String(error.schema)], error.data, secret)
    case 'anyOf':
      return wrongType(
        at,
        (error.schema as JsonSchema[]).map((branch) => String(branch.type)),
        error.data,
        secret,
      )
    case 'pattern':
      return {
        ...at,
        code: 'invalid-value',
        message: `${label(path)} has a form that is not possible, ${saw}`,
        hint: schema.description ?? `write a text that matches ${String(error.schema)}`,
      }
    case 'format':
      return {
        ...at,
        code: 'invalid-value',
        message: `${label(path)} should be ${FORMATS[String(error.schema)] ?? `a ${String(error.schema)}`}, ${saw}`,
        hint: schema.description ?? 'write it in that form',
      }
    default:
      return {
        ...at,
        code: 'invalid-value',
        message: `${label(path)} should be ${bound(error)}, ${saw}`,
        hint: schema.description ?? 'write a value within these bounds',
      }
  }
}

const FORMATS: Record<string, string> = { 'date-time': 'a time such as 2030-01-01T00:00:00Z', uuid: 'a UUID' }

function bound(error: ErrorObject): string {
  const limit = Number(error.params.limit)
  switch (error.keyword) {
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
    default:
      return `something that ${error.message ?? 'follows the schema'}`
  }
}

function unknownMember(path: Path, name: string, schema: JsonSchema): ShapeFault {
  const known = Object.keys(schema.properties ?? {})
  const at = { path: [...path, name], side: 'key' as const }
  const meant = nearest(name, known)
  const words = meant === null ? [] : [meant]
  if (schema.patternProperties)
    return {
      ...at,
      words,
      code: 'invalid-key',
      message: `"${name}" is not possible as a name below ${label(path)}`,
      hint: `write a name that matches ${Object.keys(schema.patternProperties).join(' or ')}`,
    }
  if (name === '<<')
    return {
      ...at,
      words,
      code: 'unknown-member',
      message: 'unknown member "<<": merge keys are not part of YAML 1.2',
      hint: 'write the members out',
    }
  return {
    ...at,
    words,
    code: 'unknown-member',
    message: `unknown member "${name}"${path.length > 0 ? ` in ${label(path)}` : ''}`,
    hint: nearestHint(name, known, `known members: ${known.join(', ')}`),
  }
}

function missing(path: Path, name: string, schema: JsonSchema): ShapeFault {
  const description = schema.properties?.[name]?.description
  return {
    path,
    side: 'value',
    words: [name],
    code: 'missing-member',
    message: `${label(path)} needs "${name}"`,
    hint: `add ${name}: …${description ? ` (${description})` : ''}`,
  }
}

function wrongTag(path: Path, error: ErrorObject, schema: JsonSchema): ShapeFault {
  const { tag, tagValue } = error.params as { tag: string; tagValue: unknown }
  const known = (schema.oneOf as JsonSchema[]).map((branch) => branch.properties[tag].const as string)
  if (tagValue === undefined)
    return {
      path,
      side: 'value',
      words: [tag],
      code: 'missing-member',
      message: `${label(path)} needs "${tag}"`,
      hint: `add ${tag}: one of ${list(known)}`,
    }
  const at: Path = [...path, tag]
  return {
    path: at,
    side: 'value',
    words: [tag],
    code: 'invalid-value',
    message: `${label(at)} should be one of ${list(known)}, instead got ${describe(tagValue, false)}`,
    hint: enumHint(tagValue, known),
  }
}

const TYPES: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
}

function wrongType(
  at: Pick<ShapeFault, 'path' | 'side' | 'words'>,
  types: string[],
  data: unknown,
  secret: boolean,
): ShapeFault {
  const wanted = types.filter((type) => type in TYPES)
  const message = `${label(at.path)} should be ${wanted.map((type) => TYPES[type]).join(' or ')}, instead got ${describe(data, secret)}`
  return {
    ...at,
    code: 'wrong-type',
    message: wanted.includes('string') && isQuotable(data) ? `${message}; put it in quotes` : message,
    hint: typeHint(wanted, data, secret),
  }
}

function isQuotable(data: unknown): boolean {
  return typeof data === 'boolean' || typeof data === 'number'
}

function typeHint(wanted: string[], data: unknown, secret: boolean): string {
  if (data === null)
    return wanted.includes('string')
      ? 'write a value, or leave the member out; a single ~ is no value in YAML, the home directory is ~/'
      : 'write a value, or leave the member out'
  if (wanted.includes('string') && isQuotable(data))
    return secret && typeof data !== 'boolean' ? 'put the value in quotes' : `write "${String(data)}"`
  if (wanted.includes('boolean') && typeof data === 'string')
    return 'write true or false, without quotes: yes, no, on and off are texts in YAML 1.2'
  if ((wanted.includes('integer') || wanted.includes('number')) && typeof data === 'string')
    return 'write a number without unit and without quotes'
  if (wanted.includes('array') && !secret && typeof data !== 'object') return `write a list: [${String(data)}]`
  if (wanted.includes('array')) return 'write a list: [first, second]'
  if (wanted.includes('object')) return 'write members below it, each as name: value'
  return `write ${wanted.map((type) => TYPES[type]).join(' or ')}`
}

function enumHint(data: unknown, known: readonly unknown[]): string {
  const otherwise = `write one of ${list(known)}`
  return typeof data === 'string' ? nearestHint(data, known.map(String), otherwise) : otherwise
}

function list(values: readonly unknown[]): string {
  return values.map(String).join(', ')
}

const LONGEST_SHOWN = 60

/** What was found, for a message; of a secret only its type. */
function describe(data: unknown, secret: boolean): string {
  if (data === null || data === undefined) return 'nothing'
  if (Array.isArray(data)) return 'a list'
  if (typeof data === 'object') return 'a mapping'
  if (secret && typeof data !== 'boolean') return `a ${typeof data}`
  if (typeof data !== 'string') return `the ${typeof data} ${String(data)}`
  return JSON.stringify(data.length > LONGEST_SHOWN ? `${data.slice(0, LONGEST_SHOWN)}…` : data)
}

/** A copy of an invalid manifest without what is at fault, so that a kind's own checks can look at the rest. */
export function withoutFaulty<T>(manifest: T, faults: readonly ShapeFault[]): T {
  const copy = structuredClone(manifest)
  for (const { path, code } of faults) {
    if (code === 'missing-member' || path.length === 0) continue
    const parent = path.slice(0, -1).reduce<any>((value, segment) => value?.[segment], copy)
    const last = path.at(-1)!
    if (Array.isArray(parent)) parent[Number(last)] = undefined
    else if (typeof parent === 'object' && parent !== null) delete parent[last]
  }
  return copy
}
