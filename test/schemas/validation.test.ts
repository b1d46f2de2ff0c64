import * as Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { valueCheck } from '../../schemas/validation/fields.ts'
import { shapeOf } from '../../schemas/validation/manifest.ts'
import { nearest } from '../../schemas/validation/nearest.ts'

const closed = { additionalProperties: false }
const Sample = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    size: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
    mode: Type.Optional(Type.Union([Type.Enum(['auto', 'manual']), Type.Null()])),
    id: Type.Optional(Type.String({ format: 'uuid' })),
    word: Type.Optional(Type.String({ pattern: '^[a-z]+$', description: 'small letters' })),
    env: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Z]+$' }), Type.String(), closed)),
    parts: Type.Optional(
      Type.Array(
        Type.Union([Type.String(), Type.Object({ name: Type.String(), role: Type.Enum(['a', 'b']) }, closed)]),
      ),
    ),
  },
  closed,
)

/** `path code message` per fault, for a request and for a manifest. */
const asRequest = (value: unknown) =>
  valueCheck(Sample, 'the body')(value).map(({ path, code, message }) => `${path} ${code} ${message}`)
const asManifest = (value: unknown) =>
  shapeOf(Sample, [['env', '*']])
    .faults(value)
    .map(({ path, code, message, hint }) => `${path.join('.')} ${code} ${message} | ${hint}`)

const cases: Record<string, [unknown, string[], string[]]> = {
  'is absent for a valid value': [
    { name: 'x', size: null, mode: null, parts: ['a', { name: 'b', role: 'a' }] },
    [],
    [],
  ],
  'reports a mistyped field once, not as missing': [
    { nmae: 'x' },
    ['nmae unknown-member is not a field of the body; did you mean "name"?'],
    ['nmae unknown-member unknown field "nmae" | did you mean "name"?'],
  ],
  'reports the bound of a nullable field': [
    { name: 'x', size: 0 },
    ['size invalid-value should be at least 1'],
    ['size invalid-value size should be at least 1, instead got the number 0 | use a value within these bounds'],
  ],
  'reports the choices of a nullable field': [
    { name: 'x', mode: 'atuo' },
    ['mode invalid-value should be one of auto, manual, instead got "atuo"; did you mean "auto"?'],
    ['mode invalid-value mode should be one of auto, manual, instead got "atuo" | did you mean "auto"?'],
  ],
  'names types in the terms of JSON or YAML': [
    { name: 'x', size: {} },
    ['size wrong-type should be an integer or null, instead got an object'],
    ['size wrong-type size should be an integer, instead got a mapping | write an integer'],
  ],
  'explains the alternative with the matching type': [
    { name: 'x', parts: [{ name: 'y', role: 'c' }] },
    ['parts.0.role invalid-value should be one of a, b, instead got "c"'],
    ['parts.0.role invalid-value parts[0].role should be one of a, b, instead got "c" | write one of a, b'],
  ],
  'names the types if no alternative matches': [
    { name: 'x', parts: [5] },
    ['parts.0 wrong-type should be a string or an object, instead got a number'],
    [
      'parts.0 wrong-type parts[0] should be a string or a mapping, instead got the number 5; put it in quotes | write "5"',
    ],
  ],
  'describes a pattern in its own words': [
    { name: 'x', word: 'A' },
    ['word invalid-value should be: small letters'],
    ['word invalid-value word has an invalid format, instead got "A" | small letters'],
  ],
  'rejects a UUID in another notation': [
    { name: 'x', id: 'urn:uuid:7d444840-9dc0-11d1-b245-5ffdce74fad2' },
    ['id invalid-value should be a UUID'],
    [
      'id invalid-value id should be a UUID, instead got "urn:uuid:7d444840-9dc0-11d1-b245-5ffdce74fad2" | use that format',
    ],
  ],
}

describe('a schema fault', () => {
  for (const [title, [value, request, manifest]] of Object.entries(cases)) {
    test(title, () => {
      expect(asRequest(value)).toEqual(request)
      expect(asManifest(value)).toEqual(manifest)
    })
  }

  test('reports all faults at once', () => {
    const paths = asRequest({ size: 'x', mode: 5, other: 1 }).map((line) => line.split(' ')[0])
    expect(new Set(paths)).toEqual(new Set(['name', 'other', 'size', 'mode']))
  })

  test('never shows a value that may be a secret', () => {
    const value = { name: 'x', env: { TOKEN: 271828, low: 'hunter2' } }
    const told = [...asRequest(value), ...asManifest(value)]
    expect(told).toHaveLength(4)
    expect(told.join('\n')).not.toMatch(/271828|hunter2/)
  })

  test('explains thousands of faults in less than quadratic time', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]))
    expect(asRequest(many(20_000)).length).toBeLessThanOrEqual(1000)
  })
})

test('prefixes the path of a nested value', () => {
  expect(valueCheck(Sample, 'it')({ name: '' }, ['at', 2])).toMatchObject([{ path: 'at.2.name' }])
  expect(valueCheck(Sample, 'it')(5, ['at'])).toMatchObject([{ path: 'at', code: 'wrong-type' }])
})

test('suggests a word that a typo explains', () => {
  const known = ['name', 'working_dir', 'tools']
  expect(nearest('nmae', known)).toBe('name')
  expect(nearest('Name', known)).toBe('name')
  expect(nearest('workng_dri', known)).toBe('working_dir')
  expect(nearest('claude', ['claude-code', 'scripted'])).toBe('claude-code')
  expect(nearest('work', ['work-a', 'work-b'])).toBeNull()
  expect(nearest('cl', ['cl-code'])).toBeNull()
  expect(nearest('mean', known)).toBeNull()
  expect(nearest('x'.repeat(100_000), known)).toBeNull()
})
