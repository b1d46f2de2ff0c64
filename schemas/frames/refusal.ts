// Reasons for refusing a frame, and the frame that reports it.
import * as Type from 'typebox'
import { nullableText } from '../shapes.ts'

/** Reason to meaning. Reasons are part of the contract and metric labels. */
export const REFUSAL_REASONS = {
  'not-json': 'A line that is not a JSON object.',
  'too-deep': 'Objects and lists nested deeper than 64 levels.',
  'too-many-values': 'More than 50,000 fields and elements.',
  'too-long-name': 'A field with a name of more than 65,536 characters.',
  'wrong-shape': 'A field that the frame type does not allow, or a missing one.',
} as const satisfies Record<string, string>
export type RefusalReason = keyof typeof REFUSAL_REASONS

export const FrameRefused = Type.Object({
  type: Type.Literal('frame_refused'),
  frame: Type.Integer({ description: 'Number of the frame in this connection, from 1; blank lines are not counted' }),
  reason: Type.Enum(Object.keys(REFUSAL_REASONS) as RefusalReason[]),
  message: Type.String({ description: 'Human-readable message' }),
  /** Type of the refused frame, if readable. */
  of: nullableText,
})
export type FrameRefused = Type.Static<typeof FrameRefused>
