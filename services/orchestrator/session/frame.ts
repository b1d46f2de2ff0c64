// Frames of the agent protocol as they come over the socket: one JSON object a line.

export type Frame = Record<string, any>

/** The frames in a message; what is no JSON object is counted, by the length of its line, and left out. */
export function parseFrames(text: string): { frames: Frame[]; badLengths: number[] } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const parsed = lines.map((line) => ({ line, frame: parse(line) }))
  return {
    frames: parsed.flatMap(({ frame }) => (frame ? [frame] : [])),
    badLengths: parsed.filter(({ frame }) => frame === null).map(({ line }) => line.length),
  }
}

function parse(line: string): Frame | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** The answer that lets a tool run with this input. */
export function allowFrame(requestId: string, updatedInput: unknown): Frame {
  return answerFrame(requestId, { behavior: 'allow', updatedInput })
}

/** The answer that keeps a tool from running; the model reads `message` word for word. */
export function denyFrame(requestId: string, message: string): Frame {
  return answerFrame(requestId, { behavior: 'deny', message })
}

function answerFrame(requestId: string, response: Frame): Frame {
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }
}
