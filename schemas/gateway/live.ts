// Frames of the live WebSocket, in both directions.
import * as Type from 'typebox'
import { closedObject, orNull } from '../shapes.ts'

/** Maximum bytes of a frame of the client. */
export const MOST_CLIENT_FRAME = 4096
export const MOST_TOPICS = 100

/** Close codes, beside those of the protocol. */
export const LIVE_CLOSE = {
  binary: 1003,
  malformed: 1007,
  tooManyFrames: 1008,
  tooLarge: 1009,
  internal: 1011,
  unauthorized: 4401,
} as const

const topic = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the topic, with an id where it has one: `agents`, `room/<id>`',
})
const position = Type.String({
  pattern: '^[0-9a-f]{12}:(0|[1-9][0-9]{0,14}):(0|[1-9][0-9]{0,14})$',
  description: 'Epoch of the database, number of the change, which grows in the order of commits, and its time (s)',
})

/** The first frame if tokens are on. */
export const KeyFrame = closedObject({
  key: Type.String({ minLength: 1, maxLength: 256, description: 'Key of the session' }),
})

export const SubscribeFrame = closedObject({
  subscribe: Type.Boolean({ description: 'False ends the subscription' }),
  topic,
  after: Type.Optional(
    orNull(position, 'Last position that the client has seen. Without it, only changes from now on are sent'),
  ),
})
export type SubscribeFrame = Type.Static<typeof SubscribeFrame>

const item = closedObject({
  seq: orNull(position, 'Null for figures, which are not resumed'),
  id: Type.String({ description: 'Id of the record within the topic' }),
  item: orNull(Type.Unsafe<object>(Type.Object({})), 'Current record; null if it was deleted'),
})

export const LiveFrame = Type.Union(
  [
    closedObject({ topic, seq: position }, { description: 'Subscribed; the position before the first item' }),
    closedObject({ topic, items: Type.Array(item) }, { description: 'Changes in the order of commits' }),
    closedObject(
      { topic, gone: Type.Literal(true) },
      { description: 'Changes after the position are no longer kept: read the records again, then subscribe' },
    ),
    closedObject(
      { topic, error: closedObject({ code: Type.String(), message: Type.String() }) },
      { description: 'The subscription was refused, or has ended' },
    ),
    closedObject(
      {
        tick: Type.Integer({ description: 'Counts from 1' }),
        at: Type.String({ format: 'date-time' }),
        seq: orNull(position, 'All topics are sent up to this position; null while some are not'),
      },
      { description: 'Every 5 seconds' },
    ),
  ],
  { $id: 'LiveFrame' },
)
export type LiveFrame = Type.Static<typeof LiveFrame>
export type LiveItem = Type.Static<typeof item>
