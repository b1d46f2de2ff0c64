// Frames of the agent protocol: one JSON object a line, of which the bridge reads few members and passes on all.

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

function isFrame(value: unknown): value is Frame {
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

/** The blocks of a message's content; plain text counts as one text block. */
export function contentBlocks(message: Frame): Frame[] {
  const content = message['content']
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isFrame) : []
}

/** The id of the request that a `control_response` answers. */
export function answeredRequest(frame: Frame): string | null {
  return textAt(objectAt(frame, 'response'), 'request_id')
}

/** True for a request to use a tool, which stays open until it is answered or withdrawn. */
export function asksForTool(frame: Frame): boolean {
  return frame['type'] === 'control_request' && textAt(objectAt(frame, 'request'), 'subtype') === 'can_use_tool'
}
