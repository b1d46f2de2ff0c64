import * as Type from 'typebox'
import { nullableText } from '../../../schemas/shapes.ts'
import { CallOutcome } from '../../../schemas/tools/policy-calls.ts'

/** A decided tool request. Redacted. */
export const ToolCall = Type.Object({
  agent_id: Type.String(),
  tool: Type.String(),
  /** What the call is about, shortened. */
  about: Type.String(),
  /** JSON; null if omitted. */
  input: nullableText,
  /** Why the input is not stored: it is too large (`size`), or it contains a secret, so its rest says little. */
  omitted: Type.Union([Type.Enum(['size', 'secret']), Type.Null()]),
  /** By the policy; `ask` whatever a person decided. */
  decision: CallOutcome,
  dispatch_id: nullableText,
  created_at: Type.String(),
})
