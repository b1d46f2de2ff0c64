import fc from 'fast-check'
import type { TSchema } from 'typebox'

interface Shape {
  type?: string
  properties?: Record<string, TSchema>
  required?: string[]
  anyOf?: TSchema[]
  oneOf?: TSchema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  items?: TSchema
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  minLength?: number
  maxLength?: number
}

const LONGEST = 40
const MOST_ITEMS = 3
const LARGEST = 1_000_000

/** Valid values, from `examples` if present; dictionaries are empty. */
export function rightValues(schema: TSchema): fc.Arbitrary<unknown> {
  const shape = schema as Shape
  if (shape.examples) return fc.constantFrom(...shape.examples)
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.enum) return fc.constantFrom(...shape.enum)
  const branches = shape.oneOf ?? shape.anyOf
  if (branches) return fc.oneof(...branches.map(rightValues))
  switch (shape.type) {
    case 'object':
      return rightObjects(shape)
    case 'array':
      return fc.array(rightValues(shape.items ?? {}), { minLength: shape.minItems ?? 0, maxLength: MOST_ITEMS })
    case 'integer':
    case 'number':
      return rightFigures(shape)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return rightTexts(shape)
    default:
      return fc.constant({})
  }
}

function rightObjects({ properties = {}, required = [] }: Shape): fc.Arbitrary<object> {
  const members = Object.entries(properties).map(([name, member]) => [name, rightValues(member)] as const)
  return fc.record(Object.fromEntries(members), { requiredKeys: required, noNullPrototype: true })
}

function rightFigures({ minimum, maximum, exclusiveMinimum }: Shape): fc.Arbitrary<number> {
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1)
  return fc.integer({ min: least, max: Math.max(least, Math.min(maximum ?? LARGEST, LARGEST)) })
}

function rightTexts({ format, pattern, minLength, maxLength }: Shape): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time')
    return fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString())
  const plain = fc.nat(49).map((at) => `sample-${at}`)
  if (pattern !== undefined) return plain
  const any = fc.string({
    unit: 'grapheme',
    minLength: minLength ?? 0,
    maxLength: Math.min(maxLength ?? LONGEST, LONGEST),
  })
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: any })
}
