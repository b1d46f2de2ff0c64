// Pending decisions of people, over all services.
import * as Type from 'typebox'
import { closedObject, mapOf, namedObject, orNull } from '../shapes.ts'

export const INBOX_KINDS = [
  'approval',
  'question',
  'notification',
  'deletions',
  'confirmation',
  'denied-steps',
  'sync',
  'orphan',
  'contest',
  'drift',
  'gate',
] as const
export type InboxKind = (typeof INBOX_KINDS)[number]

/** Meanings, for help and documents. */
export const INBOX_MEANINGS: Readonly<Record<InboxKind, string>> = {
  approval: 'a pending tool request',
  question: 'an open question of the ask service',
  notification: 'an open notification that requires an answer',
  deletions: 'deletions above the budget of a source',
  confirmation: 'steps of a source that need confirmation',
  'denied-steps': 'steps of a source that policies deny',
  sync: 'a revision of a source in mode manual that is not applied',
  orphan: 'resources of a source that is no longer configured',
  contest: 'a resource that two writers keep changing',
  drift: 'a resource whose live state differs from its last applied state',
  gate: 'a pull request that waits at a gate of the conductor',
}

/** Text of others is separate, so that it cannot imitate svc. */
const InboxPart = Type.Union([
  closedObject({ text: Type.String() }, { description: 'Text of svc' }),
  closedObject(
    { quoted: Type.String(), by: orNull(Type.String(), 'Author; null for a name') },
    { description: 'Text of others; a long one without its middle' },
  ),
])
export type InboxPart = Type.Static<typeof InboxPart>

const InboxLink = closedObject({
  operation: Type.String({ description: 'Id of the operation' }),
  method: Type.String(),
  path: Type.String({ description: 'Path at the gateway' }),
  body: orNull(mapOf(Type.Unknown()), 'Fields of the body that name this item; null if none'),
})
export type InboxLink = Type.Static<typeof InboxLink>

export const InboxItem = namedObject('InboxItem', {
  id: Type.String({ description: 'Stable: the kind, and the id of the pending decision' }),
  kind: Type.Enum([...INBOX_KINDS], {
    description: INBOX_KINDS.map((kind) => `${kind}: ${INBOX_MEANINGS[kind]}`).join('; '),
  }),
  service: Type.String(),
  group: Type.String({ description: 'Id in the live topic inbox, whose items are replaced together' }),
  deadline: orNull(Type.String({ format: 'date-time' }), 'When it is decided without a person; null if never'),
  since: orNull(Type.String({ format: 'date-time' }), 'Since when it waits; null if unknown'),
  title: Type.Array(InboxPart),
  detail: Type.Array(InboxPart),
  alike: orNull(Type.String(), 'Equal for approvals that `POST /approvals/decide` decides together'),
  links: Type.Array(InboxLink, { description: 'Operations that act on it or show it' }),
})
export type InboxItem = Type.Static<typeof InboxItem>

/** Numbers of items by kind, and of all of them. */
const InboxCounts = closedObject({
  total: Type.Integer(),
  ...(Object.fromEntries(INBOX_KINDS.map((kind) => [kind, Type.Integer()])) as Record<InboxKind, Type.TInteger>),
})
export type InboxCounts = Type.Static<typeof InboxCounts>

const InboxGap = closedObject({
  kind: Type.Enum([...INBOX_KINDS]),
  service: Type.String(),
  reason: Type.Enum(['unavailable', 'refused', 'failed', 'truncated'], {
    description:
      'unavailable: the service does not answer; refused: the caller may not read it; truncated: there are more items than are read',
  }),
  detail: Type.String(),
})
export type InboxGap = Type.Static<typeof InboxGap>

const cursor = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const InboxReply = namedObject('Inbox', {
  items: Type.Array(InboxItem, { description: 'By deadline, then oldest first; items without a deadline last' }),
  next: cursor('Send as `after`; null on the last page'),
  previous: cursor('Send as `before`; null on the first page'),
  counts: InboxCounts,
  missing: Type.Array(InboxGap, { description: 'What could not be read; the counts and items are without it' }),
})
export type InboxReply = Type.Static<typeof InboxReply>
