// Errors of manifests, in YAML terms, with a next step.
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { Fault, Path } from '../kind.ts'
import { createAjv } from './ajv.ts'
import { explain, type Explanation } from './explain.ts'
import { nearestHint } from './nearest.ts'

export interface ShapeFault extends Fault {
  /** Whether the name or the value is invalid. */
  side: 'key' | 'value'
  /** Invalid fields and probable intended names; used to drop follow-up errors. */
  words: string[]
}

export interface Shape {
  /** Cheap check without reasons. */
  valid(manifest: unknown): boolean
  /** `written`: text of a scalar in the file; messages quote it, since `4.10` is parsed as 4.1. */
  faults(manifest: unknown, written?: WrittenText): ShapeFault[]
}

export type WrittenText = (path: Path) => string | undefined

const shapes = new Map<string, Shape>()

/** Compiled on first use, once per `$id`. Values at `secrets` are never quoted. */
export function shapeOf(schema: object, secrets: readonly string[][] = []): Shape {
  const { $id } = schema as { $id?: string }
  const known = $id === undefined ? undefined : shapes.get($id)
  if (known) return known
  const plain = JSON.parse(JSON.stringify(schema))
  let valid: ValidateFunction | undefined
  let thorough: ValidateFunction | undefined
  const shape: Shape = {
    valid: (manifest) => (valid ??= createAjv({ thorough: false }).compile(plain))(manifest),
    faults: (manifest, written = () => undefined) => {
      thorough ??= createAjv().compile(plain)
      if (thorough(manifest)) return []
      return explain(thorough.errors!, manifest).map((explanation) => {
        const secret = touchesSecret(explanation.path, secrets)
        return shapeFault(explanation, { value: explanation.seen, text: written(explanation.path), secret })
      })
    },
  }
  if ($id !== undefined) shapes.set($id, shape)
  return shape
}

/** Copy without the invalid fields, for further checks. */
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

/** True if the path touches a secret, whose text must not be shown. */
function touchesSecret(path: Path, patterns: readonly string[][]): boolean {
  return patterns.some((pattern) =>
    pattern.every((step, index) => index >= path.length || step === '*' || step === String(path[index])),
  )
}

/** `source.type`, `tools[2]`, or `the manifest` for an empty path. */
function label(path: Path): string {
  return (
    path.reduce<string>(
      (text, segment) =>
        typeof segment === 'number' ? `${text}[${segment}]` : text === '' ? segment : `${text}.${segment}`,
      '',
    ) || 'the manifest'
  )
}

/** A value as messages quote it; `text`: as in the file, if known. */
interface Seen {
  value: unknown
  text: string | undefined
  secret: boolean
}

function shapeFault(explanation: Explanation, seen: Seen): ShapeFault {
  const { path, rule, code, wanted, description } = explanation
  const saw = `instead got ${describe(seen)}`
  const at = { path, side: 'value' as const, code, words: path.slice(-1).map(String) }
  switch (rule) {
    case 'unknown':
    case 'name':
      return unknownMember(explanation, seen.secret)
    case 'missing':
      return missing(explanation)
    case 'type':
      return { ...at, ...wrongType(explanation, seen) }
    case 'choice':
      return {
        ...at,
        message: `${label(path)} should be ${either(explanation)}, ${saw}`,
        hint: choiceHint(explanation),
      }
    case 'form': {
      const hint = description ?? `write a ${wanted}`
      return { ...at, message: `${label(path)} has an invalid format, ${saw}`, hint }
    }
    default: {
      const hint = description ?? (rule === 'format' ? 'use that format' : 'use a value within these bounds')
      return { ...at, message: `${label(path)} should be ${wanted}, ${saw}`, hint }
    }
  }
}

function choiceHint(explanation: Explanation): string {
  const { seen, known } = explanation
  const hint = `write ${either(explanation)}`
  return typeof seen === 'string' ? nearestHint(seen, known, hint) : hint
}

function unknownMember({ path, rule, code, wanted, known, meant }: Explanation, secret: boolean): ShapeFault {
  const name = String(path.at(-1))
  const owner = path.slice(0, -1)
  const at = { path, side: 'key' as const, code, words: meant === null ? [] : [meant] }
  if (rule === 'name')
    return {
      ...at,
      message: `${secret ? 'this' : `"${name}"`} is not a valid name below ${label(owner)}`,
      hint: `write ${wanted}`,
    }
  if (name === '<<')
    return {
      ...at,
      message: 'unknown field "<<": YAML 1.2 has no merge keys',
      hint: 'write the fields out',
    }
  return {
    ...at,
    message: `unknown field${isName(name) ? ` "${name}"` : ''}${owner.length > 0 ? ` in ${label(owner)}` : ''}`,
    hint: nearestHint(name, known, `known fields: ${known.join(', ')}`),
  }
}

/** Other text, such as a wrongly indented `KEY=value`, may be a secret and is not shown. */
const isName = (text: string): boolean => /^[A-Za-z_][\w.-]{0,63}$/.test(text)

/** Reported at the parent, because a missing field has no position. */
function missing({ path, code, wanted, description }: Explanation): ShapeFault {
  const name = String(path.at(-1))
  const owner = path.slice(0, -1)
  const hint = wanted === '' ? `add ${name}: …${description ? ` (${description})` : ''}` : `add ${name}: ${wanted}`
  return { path: owner, side: 'value', code, words: [name], message: `${label(owner)} needs "${name}"`, hint }
}

const TYPES: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
}

const named = (types: readonly string[]): string[] => types.filter((type) => type in TYPES).map((type) => TYPES[type]!)

const either = ({ wanted, types }: Explanation): string =>
  [...(wanted === '' ? [] : [wanted]), ...named(types)].join(' or ')

function wrongType(explanation: Explanation, seen: Seen): { message: string; hint: string } {
  const { path, types, wanted } = explanation
  const message = `${label(path)} should be ${either(explanation)}, instead got ${describe(seen)}`
  if (wanted !== '' && !types.includes('string')) return { message, hint: `write ${either(explanation)}` }
  return {
    message: types.includes('string') && isQuotable(seen.value) ? `${message}; put it in quotes` : message,
    hint: typeHint(types, seen),
  }
}

function isQuotable(data: unknown): boolean {
  return typeof data === 'boolean' || typeof data === 'number'
}

function typeHint(wanted: string[], { value, text = String(value), secret }: Seen): string {
  if (value === null)
    return wanted.includes('string')
      ? 'write a value, or omit the field; a single ~ is null in YAML, the home directory is ~/'
      : 'write a value, or omit the field'
  const isShown = !secret && text.length <= LONGEST_SHOWN
  if (wanted.includes('string') && isQuotable(value))
    return isShown || typeof value === 'boolean' ? `write "${text}"` : 'put the value in quotes'
  if (wanted.includes('boolean') && typeof value === 'string')
    return 'write true or false, without quotes: yes, no, on and off are texts in YAML 1.2'
  if ((wanted.includes('integer') || wanted.includes('number')) && typeof value === 'string')
    return 'write a number without unit and without quotes'
  if (wanted.includes('array') && isShown && typeof value !== 'object') return `write a list: [${text}]`
  if (wanted.includes('array')) return 'write a list: [first, second]'
  if (wanted.includes('object')) return 'write fields below it, each as name: value'
  return `write ${named(wanted).join(' or ')}`
}

const LONGEST_SHOWN = 60

/** Describes a value; for secrets only the type. */
function describe({ value, text = String(value), secret }: Seen): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (secret && typeof value !== 'boolean') return `a ${typeof value}`
  if (typeof value !== 'string') return `the ${typeof value} ${shortened(text)}`
  return JSON.stringify(shortened(value))
}

const shortened = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text)
