import * as Type from 'typebox'
import { Message, messageFields } from '../../../schemas/communicate/message.ts'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { closed, tool, type Tool, type ToolContext } from './tool.ts'

const MOST = 100
const room = Type.String({ minLength: 1, maxLength: 128, description: 'Name or id of the room' })
const { metadata: _metadata, message_id: _messageId, ...spoken } = messageFields
const next = {
  403: 'Only participants can read a room, and observers cannot post: continue without it, or ask a person to add you.',
  404: 'Use one of the listed rooms, and a message id from room_read.',
  429: 'You post too often: combine your messages into one, and send it later.',
  503: 'The room service is not running: nothing was posted or read. Continue without it, and report at the end what you would have posted.',
}

export const roomTools: readonly Tool[] = [
  tool({
    name: 'room_post',
    title: 'Post to a room',
    description:
      'Posts a message to a room that you participate in. Write @name to ask an agent, and ' +
      'reply_to to answer a message in its thread. If you were prompted by a room message, your answer is posted there ' +
      'automatically: do not post it again.',
    input: closed({ room, ...spoken }),
    output: Message,
    effect: 'adds',
    next,
    call: async ({ room: asked, ...message }, context) => {
      const { communicate, identifier } = context
      const body = { sender_id: identifier, ...message }
      return inRoom(asked, context, (id) => communicate.createMessage({ params: { id }, body }))
    },
  }),
  tool({
    name: 'room_read',
    title: 'Read a room',
    description: 'Returns the latest messages of a room that you participate in, oldest first.',
    input: closed({
      room,
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, description: 'Number of messages; default 20' })),
    }),
    output: closed({ room: Type.String(), messages: Type.Array(Message) }),
    effect: 'reads',
    next,
    call: async ({ room: asked, count = 20 }, context) => {
      const { communicate } = context
      const read = (id: string) => communicate.latestMessages({ params: { id }, query: { count } })
      return { room: asked, messages: await inRoom(asked, context, read) }
    },
  }),
]

/** Adds the caller's rooms to the error for an unknown room. */
async function inRoom<T>(asked: string, context: ToolContext, work: (room: string) => Promise<T>): Promise<T> {
  try {
    return await work(asked)
  } catch (error) {
    const isMissing = error instanceof Problem && error.status === 404 && error.message.startsWith('room ')
    if (!isMissing) throw error
    const { communicate, identifier } = context
    const rooms = await communicate.listRoomsOf({ params: { identifier } })
    const names = rooms.map(({ name }) => name)
    const others = names.length === 0 ? 'you are not in any room' : `your rooms: ${names.slice(0, 20).join(', ')}`
    throw new Problem(404, `${error.message}; ${nearestHint(asked, names, others)}`, { code: error.code })
  }
}
