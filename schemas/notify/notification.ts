import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'

/** From least to most urgent. */
export const PRIORITIES = ['Low', 'Normal', 'High', 'Critical'] as const
export type Priority = (typeof PRIORITIES)[number]
export const NOTIFICATION_STATUSES = ['Pending', 'Viewed', 'Dismissed', 'Responded', 'Expired'] as const
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]
/** Statuses that still allow an answer. */
export const OPEN_STATUSES: readonly NotificationStatus[] = ['Pending', 'Viewed']

const MOST_NAME = 256
const MOST_TITLE = 1000
const MOST_TEXT = 65_536

const name = Type.String({ minLength: 1, maxLength: MOST_NAME })

export const NotificationSource = Type.Union(
  [
    Type.Enum(['System']),
    closedObject({ AgentHook: closedObject({ agent_id: name, hook_type: name }) }),
    closedObject({ AskService: closedObject({ request_id: Type.String({ format: 'uuid' }) }) }),
    closedObject({ MonitorService: closedObject({ alert_type: name }) }),
  ],
  { description: 'Sender: System, or {AgentHook}, {AskService} or {MonitorService} with details' },
)
export type NotificationSource = Type.Static<typeof NotificationSource>

export const NotificationLifetime = Type.Union(
  [
    Type.Enum(['Persistent']),
    closedObject({ Ephemeral: closedObject({ expires_at: Type.String({ format: 'date-time' }) }) }),
  ],
  { description: 'Persistent: until dismissed; {Ephemeral: {expires_at}}: until that time' },
)
export type NotificationLifetime = Type.Static<typeof NotificationLifetime>

const inputFields = {
  source: NotificationSource,
  lifetime: NotificationLifetime,
  priority: Type.Enum([...PRIORITIES]),
  title: Type.String({ minLength: 1, maxLength: MOST_TITLE }),
  message: Type.String({ maxLength: MOST_TEXT }),
  requires_response: Type.Boolean({ description: 'Whether an answer is expected' }),
}

export const Notification = namedObject('Notification', {
  id: Type.String({ format: 'uuid' }),
  ...inputFields,
  owner: orNull(
    Type.String(),
    'Id of the agent that sent it, or name of another sender with limits; null if it has none',
  ),
  status: Type.Enum([...NOTIFICATION_STATUSES]),
  response: nullableText,
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})
export type Notification = Type.Static<typeof Notification>

export const NotificationInput = namedObject('NotificationInput', inputFields)
export type NotificationInput = Type.Static<typeof NotificationInput>

export const NotificationUpdate = namedObject('NotificationUpdate', {
  status: Type.Optional(Type.Enum([...NOTIFICATION_STATUSES])),
  response: Type.Optional(
    Type.String({ maxLength: MOST_TEXT, description: 'Answer; without a status it sets Responded' }),
  ),
})
export type NotificationUpdate = Type.Static<typeof NotificationUpdate>

const count = Type.Integer({ minimum: 0 })

export const NotificationCount = namedObject('NotificationCount', {
  total: count,
  by_status: closedObject({ Pending: count, Viewed: count, Dismissed: count, Responded: count, Expired: count }),
})
export type NotificationCount = Type.Static<typeof NotificationCount>

/** Expiry time (RFC 3339), or null if it does not expire. */
export const expiryOf = (lifetime: NotificationLifetime): string | null =>
  typeof lifetime === 'string' ? null : lifetime.Ephemeral.expires_at
