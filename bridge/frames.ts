// Frames of the agent protocol: one JSON object a line, of which the bridge reads few members and passes on all.
import { randomUUID } from 'node:crypto'

export type Frame = Record<string, unknown>

/** A line as a frame; null when it is not a JSON object. */
export function parseFrame(line: string): Frame | null {
  try {
    const value: unknown = JSON.parse(line)
    return isFrame(value) ? value : null
  } catch {
    return null
  }
}

export function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that should be an object; an empty one when it is not. */
export function objectAt(frame: Frame | undefined, member: string): Frame {
  const value = frame?.[member]
  return isFrame(value) ? value : {}
}

/** A member that should be text; null when it is not. */
export function textAt(frame: Frame | undefined, member: string): string | null {
  const value = frame?.[member]
  return typeof value === 'string' ? value : null
}

/** The objects of a member that should be a list; an empty list when it is not one. */
export function objectsAt(frame: Frame, member: string): Frame[] {
  const value = frame[member]
  return Array.isArray(value) ? value.filter(isFrame) : []
}

/** The strings of a member that should be a list; null when it is not one. */
export function textsAt(frame: Frame, member: string): string[] | null {
  const value = frame[member]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null
}

/** The blocks of a message's content; plain text counts as one text block. */
export function contentBlocks(message: Frame): Frame[] {
  const content = textAt(message, 'content')
  return content === null ? objectsAt(message, 'content') : [{ type: 'text', text: content }]
}

/** The text of all blocks of a message's content. */
export function contentText(message: Frame, separator = '\n'): string {
  return contentBlocks(message)
    .map((block) => textAt(block, 'text') ?? '')
    .join(separator)
}

/** A `control_response` to the request with this id. */
export function controlResponse(requestId: string | null, response: Frame): Frame {
  return { type: 'control_response', response: { ...response, request_id: requestId } }
}

/** The conversation `former` was cleared, and a new one began. */
export function conversationReset(former: string): Frame {
  const id = randomUUID()
  return { type: 'conversation_reset', new_conversation_id: id, trigger: 'clear', session_id: former, uuid: id }
}

/** True for a request to use a tool, which stays open until it is answered or withdrawn. */
export function asksForTool(frame: Frame): boolean {
  return frame['type'] === 'control_request' && textAt(objectAt(frame, 'request'), 'subtype') === 'can_use_tool'
}
