import * as Type from 'typebox'
import { PRIORITIES } from './notification.ts'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'

const timeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'HH:MM' })
const address = Type.String({ pattern: '^https?://' })
const priority = Type.Enum([...PRIORITIES])

const common = {
  name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' }),
  min_priority: Type.Optional(priority),
  timeout_secs: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 300 })),
}

const CommandSink = closedObject({
  ...common,
  type: Type.Literal('command'),
  command: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    description: 'Program and arguments, run without a shell',
  }),
})
const WebhookSink = closedObject({
  ...common,
  type: Type.Literal('webhook'),
  url: address,
  secret: Type.Optional(
    Type.String({ description: 'whsec_ followed by base64, or text; ${VAR} is read from the environment' }),
  ),
})
const NtfySink = closedObject({
  ...common,
  type: Type.Literal('ntfy'),
  url: address,
  topic: Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$' }),
  token: Type.Optional(Type.String({ description: '${VAR} is read from the environment' })),
})

export const SinkConfig = Type.Unsafe<
  Type.Static<typeof CommandSink> | Type.Static<typeof WebhookSink> | Type.Static<typeof NtfySink>
>({
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [CommandSink, WebhookSink, NtfySink],
})
export type SinkConfig = Type.Static<typeof SinkConfig>

const QuietHours = closedObject({
  from: timeOfDay,
  to: timeOfDay,
  timezone: Type.Optional(Type.String({ description: 'IANA name; default UTC' })),
  except: Type.Optional(
    Type.Enum([...PRIORITIES], { description: 'Priority from which notifications are delivered anyway' }),
  ),
})
export type QuietHours = Type.Static<typeof QuietHours>

/** `notify:` of the config file. */
export const NotifyConfig = closedObject({
  sinks: Type.Optional(Type.Array(SinkConfig)),
  quiet_hours: Type.Optional(QuietHours),
  deduplicate_secs: Type.Optional(Type.Number({ minimum: 0 })),
})
export type NotifyConfig = Type.Static<typeof NotifyConfig>

export const SINK_TYPES = ['command', 'webhook', 'ntfy'] as const

export const Sink = namedObject('Sink', {
  name: Type.String(),
  type: Type.Enum([...SINK_TYPES]),
  target: Type.String({ description: 'Program, or scheme and host of the address; the rest can be a secret' }),
  min_priority: priority,
  timeout_secs: Type.Number(),
  waiting: Type.Integer({ description: 'Deliveries that it has not accepted yet' }),
})
export type Sink = Type.Static<typeof Sink>

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed', 'suppressed'] as const

export const Delivery = namedObject('Delivery', {
  id: Type.String({ format: 'uuid' }),
  sink: Type.String(),
  notification_id: Type.String({ format: 'uuid' }),
  status: Type.Enum([...DELIVERY_STATUSES], { description: 'suppressed: a duplicate of a recent notification' }),
  attempts: Type.Integer(),
  due_at: Type.String({ format: 'date-time', description: 'Time of the next attempt while waiting' }),
  error: nullableText,
  created_at: Type.String({ format: 'date-time' }),
  ended_at: nullableText,
})
export type Delivery = Type.Static<typeof Delivery>

/** Outcome of a test. The notification is not stored and not retried. */
export const SinkTest = namedObject('SinkTest', {
  sink: Type.String(),
  status: Type.Enum(['delivered', 'failed']),
  error: orNull(Type.String(), 'Without secrets, and without path and credentials of the address; null if delivered'),
  duration_ms: Type.Integer({ minimum: 0 }),
})
export type SinkTest = Type.Static<typeof SinkTest>
