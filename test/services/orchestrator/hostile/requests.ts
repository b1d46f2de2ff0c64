// Valid requests with one hostile part. All choices are fast-check values, so that a faulty request shrinks.
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import type { Operation } from '../../../../schemas/operations/operation.ts'
import { rightValues } from './values.ts'

export interface Fuzzed {
  operation: Operation
  /** Verbatim text, or a reference to an existing record. */
  segment: string | { of: 'its kind' | 'any kind'; at: number }
  query: string
  /** Raw body; undefined for none. */
  body: string | undefined
}

/** Ids and names of existing records, by the first path segment. */
export type Known = Readonly<Record<string, readonly string[]>>

const TARGET = '\u{1F3AF}'
const DEEP = 3000

/** JSON for the hostile part, including text that `JSON.stringify` never writes. */
const hostile: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.nat(200_000).map((length) => `"${'x'.repeat(length)}"`) },
  { weight: 1, arbitrary: fc.nat(20_000).map((length) => `[${'0,'.repeat(length)}0]`) },
  { weight: 1, arbitrary: fc.nat(3000).map(objectOf) },
  { weight: 1, arbitrary: fc.nat(DEEP).map((depth) => '['.repeat(depth) + ']'.repeat(depth)) },
  { weight: 1, arbitrary: fc.nat(DEEP).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) },
  {
    weight: 5,
    arbitrary: fc.constantFrom('null', 'true', '0', '"text"', '""', '[]', '{}', '[[[]]]', '{"a":{"b":{}}}'),
  },
  { weight: 4, arbitrary: fc.json({ maxDepth: 3 }) },
  // Any text: control characters, NUL, lone surrogates.
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('"a\\u0000b"', '"\\u001b[2J\\u202e"', '"\\ud800"', '"\\udc00x"', '"\\n\\r"'),
  },
  // Names that every object inherits.
  { weight: 2, arbitrary: fc.constantFrom('"__proto__"', '"constructor"', '"hasOwnProperty"') },
  { weight: 1, arbitrary: fc.constantFrom('{"__proto__":{"polluted":true}}', '{"toString":1,"valueOf":1}') },
  { weight: 1, arbitrary: fc.constant('{"constructor":{"prototype":{"polluted":true}}}') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('1e400', '-1e400', '1e308', '-1', '1.5', '9007199254740993', '-0', '5e-324'),
  },
  { weight: 1, arbitrary: fc.double({ noNaN: true }).map((figure) => JSON.stringify(figure)) },
  // Text that other programs interpret.
  {
    weight: 2,
    arbitrary: fc.constantFrom('"../../etc/passwd"', '"$(touch x)"', '"{{title}}{{"', `"'; DROP TABLE x; --"`),
  },
)

function objectOf(members: number): string {
  return `{${Array.from({ length: members }, (_each, at) => `"k${at}":${at}`).join(',')}}`
}

const SEGMENTS = ['%00', '..%2f..%2fetc', 'x'.repeat(3000), '__proto__', 'constructor', '%F0%9F%92%A3', '%ff', '%', ' ']
const QUERIES = ['limit=1e400', 'offset=-1', '__proto__=1', 'limit=1&limit=2', 'constructor[prototype]=1', '%00=%00']
const KEYS = ['__proto__', 'constructor', 'toString', '', 'no_such_member', '\0']

export function requestsTo(operations: readonly Operation[]): fc.Arbitrary<Fuzzed> {
  const all = operations.map(requestTo)
  const kept = all.filter((_each, at) => operations[at]!.method !== 'DELETE')
  // Rare, because deletions remove the targets of other requests.
  return fc.oneof({ weight: 97, arbitrary: fc.oneof(...kept) }, { weight: 3, arbitrary: fc.oneof(...all) })
}

function requestTo(operation: Operation): fc.Arbitrary<Fuzzed> {
  const schema: TSchema | undefined = 'body' in operation ? operation.body : undefined
  const body = schema ? rightValues(schema).map((value) => JSON.stringify(value)) : fc.constant(undefined)
  const right = { operation: fc.constant(operation), segment: existing, query: fc.constant(''), body }
  const queries = fc.constantFrom(...QUERIES.map((query) => `?${query}`))
  return fc.oneof(
    { weight: 1, arbitrary: fc.record({ ...right, query: queries }) },
    ...(operation.path.includes(':')
      ? [{ weight: 1, arbitrary: fc.record({ ...right, segment: fc.constantFrom(...SEGMENTS) }) }]
      : []),
    ...(schema ? [{ weight: 8, arbitrary: fc.record({ ...right, body: spoilt(rightValues(schema)) }) }] : []),
  )
}

const existing: fc.Arbitrary<Fuzzed['segment']> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ of: fc.constant('its kind' as const), at: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ of: fc.constant('any kind' as const), at: fc.nat(99) }) },
)

export function addressOf({ operation, segment, query }: Fuzzed, known: Known): string {
  return operation.path.replace(/:\w+/g, segmentOf(operation, segment, known)) + query
}

function segmentOf(operation: Operation, segment: Fuzzed['segment'], known: Known): string {
  if (typeof segment === 'string') return segment
  const own = known[operation.path.split('/')[1]!] ?? []
  const all = [...(segment.of === 'its kind' ? own : Object.values(known).flat()), 'nobody']
  return encodeURIComponent(all[segment.at % all.length]!)
}

/** Replaces a value in the JSON, adds a field, or truncates it. */
function spoilt(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const which = fc.nat(999)
  return fc.oneof(
    { weight: 16, arbitrary: fc.tuple(values, which, hostile).map(([value, at, json]) => replaced(value, at, json)) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(values, which, fc.constantFrom(...KEYS), hostile)
        .map(([value, at, key, json]) => withMember(value, at, `${JSON.stringify(key)}:${json}`)),
    },
    { weight: 1, arbitrary: fc.tuple(values, which).map(([value, at]) => brokenOff(JSON.stringify(value), at)) },
  )
}

function replaced(value: unknown, at: number, json: string): string {
  const places = placesOf(value)
  return put(value, places[at % places.length]!, json)
}

function withMember(value: unknown, at: number, member: string): string {
  const objects = placesOf(value).filter((place) => isObject(inside(value, place)))
  if (objects.length === 0) return `{${member}}`
  const place = objects[at % objects.length]!
  const members = JSON.stringify(inside(value, place)).slice(1, -1)
  return put(value, place, `{${members}${members === '' ? '' : ','}${member}}`)
}

const brokenOff = (json: string, at: number): string => json.slice(0, at % json.length)

type Place = readonly string[]

/** Paths of all values, the root first. */
function placesOf(value: unknown, place: Place = []): Place[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [place, ...inner.flatMap(([name, each]) => placesOf(each, [...place, name]))]
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

function inside(value: unknown, place: Place): unknown {
  return place.reduce((outer, name) => (outer as Record<string, unknown>)[name], value)
}

function put(value: unknown, place: Place, json: string): string {
  if (place.length === 0) return json
  const copy = structuredClone(value)
  const holder = inside(copy, place.slice(0, -1)) as Record<string, unknown>
  holder[place.at(-1)!] = TARGET
  return JSON.stringify(copy).replace(JSON.stringify(TARGET), () => json)
}
