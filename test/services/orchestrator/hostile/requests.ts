// Requests made from the schemas of the operations: right ones with one thing in them hostile, the same for a seed.
import type { TSchema } from 'typebox'
import type { Operation } from '../../../../schemas/operations/operation.ts'
import { sampleOf } from '../../../support/hostile-requests.ts'
import type { Random } from '../../../support/random.ts'

export interface Fuzzed {
  operation: Operation
  path: string
  /** As it goes over the wire; undefined: no body. */
  body: string | undefined
}

const TARGET = '\u{1F3AF}'
const DEEP = 3000

/** What stands in the place of a value: JSON as it is sent, also such as `JSON.stringify` never writes. */
const HOSTILE: readonly (() => string)[] = [
  // Huge.
  () => `"${'x'.repeat(200_000)}"`,
  () => `[${'0,'.repeat(20_000)}0]`,
  () => `{${Array.from({ length: 3000 }, (_each, at) => `"k${at}":${at}`).join(',')}}`,
  // Ill-typed.
  ...['null', 'true', '0', '"text"', '""', '[]', '{}', '[[[]]]', '{"a":{"b":{}}}'].map((text) => () => text),
  // Control characters, NUL, halves of surrogate pairs.
  ...['"a\\u0000b"', '"\\u001b[2J\\u202e\\u2028"', '"\\ud800"', '"\\udc00x"', '"\\n\\r\\t"'].map((text) => () => text),
  // Deep.
  () => '['.repeat(DEEP) + ']'.repeat(DEEP),
  () => `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  // Names that every object has.
  ...['"__proto__"', '"constructor"', '"hasOwnProperty"'].map((text) => () => text),
  () => '{"__proto__":{"polluted":true}}',
  () => '{"constructor":{"prototype":{"polluted":true}}}',
  () => '{"toString":1,"valueOf":1}',
  // Numbers out of range.
  ...['1e400', '-1e400', '1e308', '-1', '1.5', '9007199254740993', '-0', '5e-324'].map((text) => () => text),
  // What other programs take for more than text.
  ...['"../../etc/passwd"', '"$(touch x)"', '"{{title}}{{"', `"'; DROP TABLE x; --"`].map((text) => () => text),
]

const SEGMENTS = ['%00', '..%2f..%2fetc', 'x'.repeat(3000), '__proto__', 'constructor', '%F0%9F%92%A3', '%ff', '%', ' ']
const QUERIES = ['limit=1e400', 'offset=-1', '__proto__=1', 'limit=1&limit=2', 'constructor[prototype]=1', '%00=%00']
const KEYS = ['__proto__', 'constructor', 'toString', '', 'no_such_member', '\0']

/** Ids and names of records that exist, by the first word of the paths that they stand in. */
export type Known = Readonly<Record<string, readonly string[]>>

/** One request. */
export function fuzzed(random: Random, operations: readonly Operation[], known: Known): Fuzzed {
  // Seldom one that takes away what the others are sent to.
  const kept = operations.filter(({ method }) => method !== 'DELETE')
  const operation = random.pick(random.chance(0.03) ? operations : kept)
  const schema = 'body' in operation ? operation.body : undefined
  const where = random.weighted({ body: schema ? 8 : 0, path: operation.path.includes(':') ? 1 : 0, query: 1 })
  const there = known[operation.path.split('/')[1]!] ?? []
  const any = random.chance(0.2) ? Object.values(known).flat() : there
  const segment = where === 'path' ? random.pick(SEGMENTS) : encodeURIComponent(random.pick([...any, 'nobody']))
  const query = where === 'query' ? `?${random.pick(QUERIES)}` : ''
  const value = schema && valueOf(random, schema)
  const body = schema && (where === 'body' ? spoilt(random, value) : JSON.stringify(value))
  return { operation, path: operation.path.replace(/:\w+/g, segment) + query, body }
}

/** Right for its schema: sometimes the least, sometimes with everything that may be there. */
function valueOf(random: Random, schema: TSchema): unknown {
  return sampleOf(schema, random.chance(0.7), `-${random.whole(50)}`)
}

/** The value as JSON with one place in it, at any depth, hostile; or with a member more, or broken off. */
function spoilt(random: Random, value: unknown): string {
  if (random.chance(0.05)) {
    const whole = JSON.stringify(value)
    return whole.slice(0, random.whole(whole.length))
  }
  const places = placesOf(value)
  const objects = places.filter((place) => isObject(at(value, place)))
  if (objects.length > 0 && random.chance(0.15)) {
    const place = random.pick(objects)
    const more = `${JSON.stringify(random.pick(KEYS))}:${random.pick(HOSTILE)()}`
    const inside = JSON.stringify(at(value, place)).slice(1, -1)
    return put(value, place, `{${inside}${inside === '' ? '' : ','}${more}}`)
  }
  return put(value, random.pick(places), random.pick(HOSTILE)())
}

type Place = readonly string[]

/** Every place of a value, the whole of it first. */
function placesOf(value: unknown, place: Place = []): Place[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [place, ...inner.flatMap(([name, each]) => placesOf(each, [...place, name]))]
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

function at(value: unknown, place: Place): unknown {
  return place.reduce((inner, name) => (inner as Record<string, unknown>)[name], value)
}

function put(value: unknown, place: Place, json: string): string {
  if (place.length === 0) return json
  const copy = structuredClone(value)
  const holder = at(copy, place.slice(0, -1)) as Record<string, unknown>
  holder[place.at(-1)!] = TARGET
  return JSON.stringify(copy).replace(JSON.stringify(TARGET), () => json)
}
