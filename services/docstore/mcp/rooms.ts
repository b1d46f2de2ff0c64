// The tools over rooms, for those who are in them.
import * as Type from 'typebox'
import { Message, said } from '../../../schemas/communicate/message.ts'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { closed, tool, type Tool, type ToolContext } from './tool.ts'

const MOST = 100
const room = Type.String({ minLength: 1, maxLength: 128, description: 'Name or id of the room' })
const { metadata: _metadata, message_id: _messageId, ...spoken } = said
const next = {
  403: 'Only who is in the room reads there, and who is no observer posts: go on without it, or ask a person to let you in.',
  404: 'Take one of the rooms named here, and a message that room_read shows.',
  429: 'You say too much at once: put it into one message, later.',
  503: 'The rooms do not run now: nothing was posted or read. Go on without them, and say at the end what you would have posted.',
}

export const roomTools: readonly Tool[] = [
  tool({
    name: 'room_post',
    title: 'Say something in a room',
    description:
      'Posts a message to a room that you are in, for the people and agents there. Write @name to ask an agent, and ' +
      'reply_to to answer a message in its thread. What you answer to a message of a room that you were asked with goes ' +
      'there by itself: do not post it again.',
    input: closed({ room, ...spoken }),
    output: Message,
    effect: 'adds',
    next,
    call: async ({ room: asked, ...message }, context) => {
      const { communicate, headers, identifier } = context
      const body = { sender_id: identifier, ...message }
      return inRoom(asked, context, (id) => communicate.createMessage({ params: { id }, body, headers }))
    },
  }),
  tool({
    name: 'room_read',
    title: 'Read a room',
    description: 'The last messages of a room that you are in, the oldest first.',
    input: closed({
      room,
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, description: 'How many; default 20' })),
    }),
    output: closed({ room: Type.String(), messages: Type.Array(Message) }),
    effect: 'reads',
    next,
    call: async ({ room: asked, count = 20 }, context) => {
      const { communicate, headers } = context
      const read = (id: string) => communicate.latestMessages({ params: { id }, query: { count }, headers })
      return { room: asked, messages: await inRoom(asked, context, read) }
    },
  }),
]

/** A room that is not there is told with those that whoever asks is in. */
async function inRoom<T>(asked: string, context: ToolContext, work: (room: string) => Promise<T>): Promise<T> {
  try {
    return await work(asked)
  } catch (error) {
    const isMissing = error instanceof Problem && error.status === 404 && error.message.startsWith('room ')
    if (!isMissing) throw error
    const { communicate, headers, identifier } = context
    const rooms = await communicate.listRoomsOf({ params: { identifier }, headers })
    const names = rooms.map(({ name }) => name)
    const others = names.length === 0 ? 'you are in no room' : `you are in ${names.slice(0, 20).join(', ')}`
    throw new Problem(404, `${error.message}; ${nearestHint(asked, names, others)}`, { code: error.code })
  }
}
