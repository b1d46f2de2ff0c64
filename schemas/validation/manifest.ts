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
  faults(manifest: unknown): ShapeFault[]
}

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
    faults: (manifest) => {
      thorough ??= createAjv().compile(plain)
      if (thorough(manifest)) return []
      return explain(thorough.errors!, manifest).map((explanation) =>
        shapeFault(explanation, touchesSecret(explanation.path, secrets)),
      )
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

function shapeFault(explanation: Explanation, secret: boolean): ShapeFault {
  const { path, rule, code, seen, wanted, description } = explanation
  const saw = `instead got ${describe(seen, secret)}`
  const at = { path, side: 'value' as const, code, words: path.slice(-1).map(String) }
  switch (rule) {
    case 'unknown':
    case 'name':
      return unknownMember(explanation, secret)
    case 'missing':
      return missing(explanation)
    case 'type':
      return { ...at, ...wrongType(explanation, secret) }
    case 'choice':
      return { ...at, message: `${label(path)} should be ${wanted}, ${saw}`, hint: choiceHint(explanation) }
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

function choiceHint({ seen, known, wanted }: Explanation): string {
  return typeof seen === 'string' ? nearestHint(seen, known, `write ${wanted}`) : `write ${wanted}`
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

function wrongType({ path, types, seen }: Explanation, secret: boolean): { message: string; hint: string } {
  const wanted = types.filter((type) => type in TYPES)
  const named = wanted.map((type) => TYPES[type]).join(' or ')
  const message = `${label(path)} should be ${named}, instead got ${describe(seen, secret)}`
  return {
    message: wanted.includes('string') && isQuotable(seen) ? `${message}; put it in quotes` : message,
    hint: typeHint(wanted, seen, secret),
  }
}

function isQuotable(data: unknown): boolean {
  return typeof data === 'boolean' || typeof data === 'number'
}

function typeHint(wanted: string[], data: unknown, secret: boolean): string {
  if (data === null)
    return wanted.includes('string')
      ? 'write a value, or omit the field; a single ~ is null in YAML, the home directory is ~/'
      : 'write a value, or omit the field'
  if (wanted.includes('string') && isQuotable(data))
    return secret && typeof data !== 'boolean' ? 'put the value in quotes' : `write "${String(data)}"`
  if (wanted.includes('boolean') && typeof data === 'string')
    return 'write true or false, without quotes: yes, no, on and off are texts in YAML 1.2'
  if ((wanted.includes('integer') || wanted.includes('number')) && typeof data === 'string')
    return 'write a number without unit and without quotes'
  if (wanted.includes('array') && !secret && typeof data !== 'object') return `write a list: [${String(data)}]`
  if (wanted.includes('array')) return 'write a list: [first, second]'
  if (wanted.includes('object')) return 'write fields below it, each as name: value'
  return `write ${wanted.map((type) => TYPES[type]).join(' or ')}`
}

const LONGEST_SHOWN = 60

/** Describes a value; for secrets only the type. */
function describe(data: unknown, secret: boolean): string {
  if (data === null || data === undefined) return 'nothing'
  if (Array.isArray(data)) return 'a list'
  if (typeof data === 'object') return 'a mapping'
  if (secret && typeof data !== 'boolean') return `a ${typeof data}`
  if (typeof data !== 'string') return `the ${typeof data} ${String(data)}`
  return JSON.stringify(data.length > LONGEST_SHOWN ? `${data.slice(0, LONGEST_SHOWN)}…` : data)
}
