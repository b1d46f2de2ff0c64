// A notification: what a part of the system tells a person, and what the person made of it.
import * as Type from 'typebox'

/** From the least to the most urgent. */
export const PRIORITIES = ['Low', 'Normal', 'High', 'Critical'] as const
export type Priority = (typeof PRIORITIES)[number]
export const NOTIFICATION_STATUSES = ['Pending', 'Viewed', 'Dismissed', 'Responded', 'Expired'] as const
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]
/** A person may still do something about these. */
export const OPEN_STATUSES: readonly NotificationStatus[] = ['Pending', 'Viewed']

const MOST_NAME = 256
const MOST_TITLE = 1000
const MOST_TEXT = 65_536

const name = Type.String({ minLength: 1, maxLength: MOST_NAME })
const closed = { additionalProperties: false }

export const NotificationSource = Type.Union(
  [
    Type.Enum(['System']),
    Type.Object({ AgentHook: Type.Object({ agent_id: name, hook_type: name }, closed) }, closed),
    Type.Object({ AskService: Type.Object({ request_id: Type.String({ format: 'uuid' }) }, closed) }, closed),
    Type.Object({ MonitorService: Type.Object({ alert_type: name }, closed) }, closed),
  ],
  { description: 'Who tells it: System, or {AgentHook}, {AskService} or {MonitorService} with what it is about' },
)
export type NotificationSource = Type.Static<typeof NotificationSource>

export const NotificationLifetime = Type.Union(
  [
    Type.Enum(['Persistent']),
    Type.Object({ Ephemeral: Type.Object({ expires_at: Type.String({ format: 'date-time' }) }, closed) }, closed),
  ],
  { description: 'Persistent: until it is dismissed; {Ephemeral: {expires_at}}: until then' },
)
export type NotificationLifetime = Type.Static<typeof NotificationLifetime>

const told = {
  source: NotificationSource,
  lifetime: NotificationLifetime,
  priority: Type.Enum([...PRIORITIES]),
  title: Type.String({ minLength: 1, maxLength: MOST_TITLE }),
  message: Type.String({ maxLength: MOST_TEXT }),
  requires_response: Type.Boolean({ description: 'Somebody waits for an answer' }),
}

export const Notification = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...told,
    status: Type.Enum([...NOTIFICATION_STATUSES]),
    response: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Notification', additionalProperties: false },
)
export type Notification = Type.Static<typeof Notification>

export const NotificationInput = Type.Object(told, { $id: 'NotificationInput', additionalProperties: false })
export type NotificationInput = Type.Static<typeof NotificationInput>

export const NotificationUpdate = Type.Object(
  {
    status: Type.Optional(Type.Enum([...NOTIFICATION_STATUSES])),
    response: Type.Optional(
      Type.String({ maxLength: MOST_TEXT, description: 'The answer; without a status it makes it Responded' }),
    ),
  },
  { $id: 'NotificationUpdate', additionalProperties: false },
)
export type NotificationUpdate = Type.Static<typeof NotificationUpdate>

const count = Type.Integer({ minimum: 0 })

export const NotificationCount = Type.Object(
  {
    total: count,
    by_status: Type.Object(
      { Pending: count, Viewed: count, Dismissed: count, Responded: count, Expired: count },
      { additionalProperties: false },
    ),
  },
  { $id: 'NotificationCount', additionalProperties: false },
)
export type NotificationCount = Type.Static<typeof NotificationCount>

/** When it expires (RFC 3339), or null when it stays. */
export const expiryOf = (lifetime: NotificationLifetime): string | null =>
  typeof lifetime === 'string' ? null : lifetime.Ephemeral.expires_at
