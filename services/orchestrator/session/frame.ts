// One JSON object per line.

import type { Pieces } from '../../../platform/async/time-slices.ts'
import { parsedJson } from '../../../platform/json/sliced-parse.ts'

export type Frame = Record<string, any>

/** Returns null unless the line is a JSON object. */
export function* parseFrame(line: string): Pieces<Frame | null> {
  try {
    const value = yield* parsedJson(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

export function allowFrame(requestId: string, updatedInput: unknown): Frame {
  return answerFrame(requestId, { behavior: 'allow', updatedInput })
}

/** The model reads `message` verbatim. */
export function denyFrame(requestId: string, message: string): Frame {
  return answerFrame(requestId, { behavior: 'deny', message })
}

function answerFrame(requestId: string, response: Frame): Frame {
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }
}

export function errorFrame(requestId: string | number, error: string): Frame {
  return { type: 'control_response', response: { subtype: 'error', request_id: requestId, error } }
}
