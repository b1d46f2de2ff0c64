// Frames: one JSON object per line. The bridge reads few fields and forwards frames unchanged.
import { randomUUID } from 'node:crypto'

export type Frame = Record<string, unknown>

/** Returns null unless the line is a JSON object. */
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

/** Returns an empty object if the field is not an object. */
export function objectAt(frame: Frame | undefined, member: string): Frame {
  const value = frame?.[member]
  return isFrame(value) ? value : {}
}

/** Returns null if the field is not a string. */
export function textAt(frame: Frame | undefined, member: string): string | null {
  const value = frame?.[member]
  return typeof value === 'string' ? value : null
}

/** Returns an empty list if the field is not a list. */
export function objectsAt(frame: Frame, member: string): Frame[] {
  const value = frame[member]
  return Array.isArray(value) ? value.filter(isFrame) : []
}

/** Returns null if the field is not a list. */
export function textsAt(frame: Frame, member: string): string[] | null {
  const value = frame[member]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null
}

/** Returns content blocks; plain text becomes one. */
export function contentBlocks(message: Frame): Frame[] {
  const content = textAt(message, 'content')
  return content === null ? objectsAt(message, 'content') : [{ type: 'text', text: content }]
}

export function contentText(message: Frame, separator = '\n'): string {
  return contentBlocks(message)
    .map((block) => textAt(block, 'text') ?? '')
    .join(separator)
}

export function controlResponse(requestId: string | null, response: Frame): Frame {
  return { type: 'control_response', response: { ...response, request_id: requestId } }
}

export function conversationReset(former: string): Frame {
  const id = randomUUID()
  return { type: 'conversation_reset', new_conversation_id: id, trigger: 'clear', session_id: former, uuid: id }
}

export function asksForTool(frame: Frame): boolean {
  return frame['type'] === 'control_request' && textAt(objectAt(frame, 'request'), 'subtype') === 'can_use_tool'
}
