// Values of a schema with a secret in every text, field name and list.
import { randomUUID } from 'node:crypto'
import type { TSchema } from 'typebox'

interface Shape {
  type?: string
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  additionalProperties?: unknown
  anyOf?: TSchema[]
  oneOf?: TSchema[]
  enum?: unknown[]
  const?: unknown
  items?: TSchema
  format?: string
  pattern?: string
  minimum?: number
}

/** Returns a value, and the number of texts with the secret. Every optional field is included. */
export function plantedIn(schema: TSchema, secret: string): { value: unknown; texts: number } {
  const value = planted(schema, secret)
  return { value, texts: JSON.stringify(value)?.split(secret).length - 1 }
}

function planted(shape: Shape, secret: string): unknown {
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  const branches = (shape.oneOf ?? shape.anyOf ?? []) as Shape[]
  const objects = branches.find(({ type }) => type === 'object')
  const branch = objects ?? branches.find(({ type }) => type !== 'null')
  if (branch) return planted(branch, secret)
  switch (shape.type) {
    case 'object':
      return plantedObject(shape, secret)
    case 'array':
      return shape.items ? [planted(shape.items, secret)] : []
    case 'integer':
    case 'number':
      return shape.minimum ?? 1
    case 'boolean':
      return false
    case 'string':
      return plantedText(shape, secret)
    default:
      return secret
  }
}

function plantedObject(shape: Shape, secret: string): object {
  const members = Object.entries(shape.properties ?? {}).map(([name, member]) => [
    name,
    planted(member as Shape, secret),
  ])
  const keys = Object.entries(shape.patternProperties ?? {}).map(([, member]) => [
    secret,
    planted(member as Shape, secret),
  ])
  return Object.fromEntries([...members, ...keys])
}

function plantedText({ format, pattern }: Shape, secret: string): string {
  if (format === 'uuid') return randomUUID()
  if (format === 'date-time') return '2030-01-01T00:00:00.000Z'
  return pattern === undefined || new RegExp(pattern, 'u').test(secret) ? secret : 'sample'
}
