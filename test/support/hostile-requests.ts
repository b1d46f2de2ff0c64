// Valid and hostile requests, generated from the schemas of an operation.
import { randomUUID } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { Operation } from '../../schemas/operations/operation.ts'

interface Shape {
  type?: string
  $id?: string
  properties?: Record<string, TSchema>
  required?: string[]
  patternProperties?: Record<string, TSchema>
  anyOf?: TSchema[]
  oneOf?: TSchema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  default?: unknown
  items?: TSchema
  format?: string
  pattern?: string
  minimum?: number
  exclusiveMinimum?: number
  minItems?: number
  minLength?: number
}

/** Returns an example of the schema, or a minimal valid value; `whole` includes optional fields. */
export function sampleOf(schema: TSchema, whole = false, salt = ''): unknown {
  const shape = schema as Shape
  if (shape.examples) return shape.examples[0]
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  const branch = (shape.oneOf ?? shape.anyOf)?.find((each) => (each as Shape).type !== 'null')
  if (branch) return sampleOf(branch, whole, salt)
  switch (shape.type) {
    case 'object':
      return sampleObject(shape, whole, salt)
    case 'array':
      return shape.minItems && shape.items ? [sampleOf(shape.items, whole, salt)] : []
    case 'integer':
    case 'number':
      return shape.minimum ?? (shape.exclusiveMinimum === undefined ? 1 : shape.exclusiveMinimum + 1)
    case 'boolean':
      return false
    case 'string':
      return sampleText(shape, salt)
    default:
      return {}
  }
}

function sampleObject(shape: Shape, whole: boolean, salt: string): object {
  const members = Object.entries(shape.properties ?? {}).filter(([name]) => whole || shape.required?.includes(name))
  return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(member, whole, salt)]))
}

function sampleText(shape: Shape, salt: string): string {
  if (shape.format === 'uuid') return randomUUID()
  if (shape.format === 'date-time') return '2030-01-01T00:00:00.000Z'
  return `sample${salt}`
}

export interface HostileRequest {
  what: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

const JSON_TYPE = { 'content-type': 'application/json' }
const DEPTH = 5000
const HUGE = 2 * 1024 * 1024

/** Path with parameters of records that do not exist. */
export function samplePath(operation: Operation): string {
  const params = (operation.params?.properties ?? {}) as Record<string, TSchema>
  return operation.path.replace(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(String(sampleOf(params[name] ?? { type: 'string' }, false, randomUUID()))),
  )
}

/** Required query parameters, from `?` on; empty if there are none. */
export function sampleQuery(operation: Operation): string {
  const { required = [], properties = {} } = (operation.query ?? {}) as {
    required?: string[]
    properties?: Record<string, TSchema>
  }
  const values = Object.fromEntries(required.map((name) => [name, String(sampleOf(properties[name]!))]))
  return required.length === 0 ? '' : `?${new URLSearchParams(values).toString()}`
}

/** Requests that must get a documented status, never 5xx. */
export function hostileRequests(operation: Operation): HostileRequest[] {
  const path = samplePath(operation)
  const paths = operation.path.includes(':')
    ? ['%00', '..%2f..%2fetc', 'x'.repeat(5000), '__proto__', '%F0%9F%92%A3', '%ff'].map((segment) => ({
        what: `path parameter ${segment.slice(0, 12)}`,
        path: operation.path.replace(/:\w+/g, segment),
        headers: {},
        body: undefined,
      }))
    : []
  const queries = ['limit=nonsense', 'limit=1&limit=2', 'offset=-1', '__proto__=1', `status=${'x'.repeat(9000)}`].map(
    (query) => ({ what: `query ${query.slice(0, 16)}`, path: `${path}?${query}`, headers: {}, body: undefined }),
  )
  const schema = 'body' in operation ? operation.body : undefined
  const bodies = operation.method === 'GET' ? [] : hostileBodies(schema).map((body) => ({ path, ...body }))
  return [...paths, ...queries, ...bodies]
}

function hostileBodies(schema: TSchema | undefined): Omit<HostileRequest, 'path'>[] {
  const json = (what: string, body: string) => ({ what, headers: JSON_TYPE, body })
  const whole = schema ? (sampleOf(schema, true) as Record<string, unknown>) : {}
  const shape = (schema ?? {}) as Shape
  return [
    { what: 'no body', headers: {}, body: undefined },
    json('half an object', '{"a":'),
    json('null', 'null'),
    json('a list', '[]'),
    json('a number', '1'),
    json('a text', '"text"'),
    json('__proto__', '{"__proto__": {"polluted": true}}'),
    json('constructor', '{"constructor": {"prototype": {"polluted": true}}}'),
    json('deep', `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`),
    json('deep lists', `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`),
    json('huge', JSON.stringify({ ...whole, huge: 'x'.repeat(HUGE) })),
    json('unknown member', JSON.stringify({ ...whole, no_such_member: 1 })),
    { what: 'another content type', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
    { what: 'no UTF-8', headers: JSON_TYPE, body: '{"a": "\\ud800"}' },
    ...(shape.required ?? []).map((name) => json(`${name} missing`, JSON.stringify({ ...whole, [name]: undefined }))),
    ...Object.keys(shape.properties ?? {}).flatMap((name) => hostileMembers(whole, name, json)),
  ]
}

/** Invalid values of one field. */
function hostileMembers<T>(whole: object, name: string, json: (what: string, body: string) => T): T[] {
  const values: Record<string, unknown> = {
    null: null,
    'a number': -1.5,
    'a list': [[[]]],
    'an object': { a: { b: {} } },
    'empty text': '',
    NUL: 'a\0b',
    'long text': 'x'.repeat(100_000),
    'control characters': '\u001b[2J\u202e',
    'a huge number': 1e308,
  }
  return Object.entries(values).map(([what, value]) =>
    json(`${name} is ${what}`, JSON.stringify({ ...whole, [name]: value })),
  )
}
