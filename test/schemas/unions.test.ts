import * as Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { NotificationLifetime, NotificationSource } from '../../schemas/notify/notification.ts'
import { valueCheck } from '../../schemas/validation/fields.ts'
import { shapeOf } from '../../schemas/validation/manifest.ts'

const closed = { additionalProperties: false }
const Limits = Type.Union([
  Type.Enum(['auto', 'on', 'off']),
  Type.Object(
    {
      read: Type.Optional(Type.Union([Type.Literal('all'), Type.Array(Type.String())])),
      level: Type.Optional(Type.Union([Type.Literal('low'), Type.Literal('high')])),
      network: Type.Optional(
        Type.Union([
          Type.Enum(['all', 'none']),
          Type.Object({ hosts: Type.Array(Type.String({ maxLength: 10 })) }, closed),
        ]),
      ),
    },
    closed,
  ),
])
const Sample = Type.Object(
  {
    limits: Type.Optional(Type.Union([Limits, Type.Null()])),
    source: Type.Optional(NotificationSource),
    lifetime: Type.Optional(NotificationLifetime),
    at: Type.Optional(
      Type.Union([
        Type.Object({ day: Type.String({ format: 'date-time' }), note: Type.Optional(Type.String()) }, closed),
        Type.Object(
          { kind: Type.Literal('cron'), spec: Type.Object({ a: Type.Integer(), b: Type.Integer() }, closed) },
          closed,
        ),
      ]),
    ),
  },
  closed,
)

const asRequest = (value: unknown) =>
  valueCheck(Sample, 'the body')(value).map(({ path, message }) => `${path} ${message}`)
const asManifest = (value: unknown) =>
  shapeOf(Sample)
    .faults(value)
    .map(({ path, message, hint }) => `${path.join('.')} ${message} | ${hint}`)

describe('the faults of a union', () => {
  const cases: Record<string, [value: unknown, request: string[], manifest?: string[]]> = {
    'list the words for a string': [
      { limits: 'atuo' },
      ['limits should be one of auto, on, off or an object, instead got "atuo"; did you mean "auto"?'],
      ['limits limits should be one of auto, on, off or a mapping, instead got "atuo" | did you mean "auto"?'],
    ],
    'list the words for a value of no branch': [
      { limits: true },
      ['limits should be one of auto, on, off or an object or null, instead got a boolean'],
      [
        'limits limits should be one of auto, on, off or a mapping, instead got the boolean true | write one of auto, on, off or a mapping',
      ],
    ],
    'name the unknown member of an object': [
      { limits: { raed: 'all' } },
      ['limits.raed is not a field of limits; did you mean "read"?'],
      ['limits.raed unknown field "raed" in limits | did you mean "read"?'],
    ],
    'name each invalid member of an object': [
      { limits: { read: 'al', level: 'mid', network: { hosts: ['a-long-host-name'] } } },
      [
        'limits.read should be "all" or a list, instead got "al"; did you mean "all"?',
        'limits.level should be one of low, high, instead got "mid"',
        'limits.network.hosts.0 should be a text of at most 10 characters',
      ],
    ],
    'name the missing member of a nested object': [
      { limits: { network: {} } },
      ['limits.network.hosts is missing'],
      ['limits.network limits.network needs "hosts" | add hosts: …'],
    ],
    'name an invalid date': [
      { lifetime: { Ephemeral: { expires_at: '2026-02-30' } } },
      ['lifetime.Ephemeral.expires_at should be a time such as 2030-01-01T00:00:00Z'],
    ],
    'follow the member names, not the number of faults': [
      { source: { AskService: { request_id: 'x', one: 1, two: 2 } } },
      [
        'source.AskService.one is not a field of source.AskService; its fields are request_id',
        'source.AskService.two is not a field of source.AskService; its fields are request_id',
        'source.AskService.request_id should be a UUID',
      ],
    ],
    'follow the member that identifies a branch': [
      { at: { kind: 'cron', spec: { a: 'x', b: 'y', c: 1 } } },
      [
        'at.spec.c is not a field of at.spec; its fields are a, b',
        'at.spec.a should be an integer, instead got a string',
        'at.spec.b should be an integer, instead got a string',
      ],
    ],
    'offer the members of all branches for a name of none': [
      { source: { AgentHok: {} } },
      ['source.AgentHok is not a field of source; did you mean "AgentHook"?'],
    ],
    'name the members of which one is missing': [
      { source: {} },
      ['source should be something with one of the fields AgentHook, AskService, MonitorService'],
    ],
  }
  for (const [title, [value, request, manifest]] of Object.entries(cases)) {
    test(title, () => {
      expect(asRequest(value)).toEqual(request)
      if (manifest) expect(asManifest(value)).toEqual(manifest)
    })
  }
})
