// What becomes of a frame that the daemon cannot take: the closed list of reasons, and the frame that answers it.
import * as Type from 'typebox'
import { nullableText } from '../shapes.ts'

/** Reason to meaning. A reason is part of the contract, and a label of the metric. */
export const REFUSAL_REASONS = {
  'not-utf8': 'A binary message that is no UTF-8.',
  'not-json': 'A line that is no JSON object.',
  'too-deep': 'Objects and lists nested deeper than 64 levels.',
  'too-many-values': 'More than 50,000 members and entries.',
  'too-long-name': 'A member with a name of more than 65,536 characters.',
  'wrong-shape': 'A member that its type of frame does not allow, or lacks.',
} as const satisfies Record<string, string>
export type RefusalReason = keyof typeof REFUSAL_REASONS

export const FrameRefused = Type.Object({
  type: Type.Literal('frame_refused'),
  frame: Type.Integer({ description: 'Which one of this connection, counted from 1; blank lines do not count' }),
  reason: Type.Enum(Object.keys(REFUSAL_REASONS) as RefusalReason[]),
  message: Type.String({ description: 'For people' }),
  /** Of the refused frame, where it could be read. */
  of: nullableText,
})
export type FrameRefused = Type.Static<typeof FrameRefused>
