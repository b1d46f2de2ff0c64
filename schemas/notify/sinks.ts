// Where notifications go beside the list: the sinks of the configuration, and the record of each delivery.
import * as Type from 'typebox'
import { PRIORITIES } from './notification.ts'
import { closedObject, namedObject, nullableText } from '../shapes.ts'

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
  command: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description: 'Program and arguments; no shell' }),
})
const WebhookSink = closedObject({
  ...common,
  type: Type.Literal('webhook'),
  url: address,
  secret: Type.Optional(Type.String({ description: 'whsec_ and base64, or text; ${VAR} is taken of the environment' })),
})
const NtfySink = closedObject({
  ...common,
  type: Type.Literal('ntfy'),
  url: address,
  topic: Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$' }),
  token: Type.Optional(Type.String({ description: '${VAR} is taken of the environment' })),
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
  except: Type.Optional(Type.Enum([...PRIORITIES], { description: 'Delivered all the same from this priority on' })),
})
export type QuietHours = Type.Static<typeof QuietHours>

/** `notify:` of the config file. */
export const NotifyConfig = closedObject({
  sinks: Type.Optional(Type.Array(SinkConfig)),
  quiet_hours: Type.Optional(QuietHours),
  deduplicate_secs: Type.Optional(Type.Number({ minimum: 0 })),
})
export type NotifyConfig = Type.Static<typeof NotifyConfig>

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed', 'suppressed'] as const

export const Delivery = namedObject('Delivery', {
  id: Type.String({ format: 'uuid' }),
  sink: Type.String(),
  notification_id: Type.String({ format: 'uuid' }),
  status: Type.Enum([...DELIVERY_STATUSES], { description: 'suppressed: the same had been said shortly before' }),
  attempts: Type.Integer(),
  due_at: Type.String({ format: 'date-time', description: 'When it is tried next, while it waits' }),
  error: nullableText,
  created_at: Type.String({ format: 'date-time' }),
  ended_at: nullableText,
})
export type Delivery = Type.Static<typeof Delivery>
