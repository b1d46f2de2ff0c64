// A fault found in a manifest, at its place.
import * as Type from 'typebox'
import { namedObject, nullableText } from './shapes.ts'

export const Diagnostic = namedObject('Diagnostic', {
  severity: Type.Enum(['error', 'warning']),
  code: Type.String({ description: 'One word of docs/errors.md' }),
  message: Type.String(),
  hint: Type.String({ description: 'The next step' }),
  file: Type.String({ description: 'As the user typed it, or relative to the source' }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  kind: nullableText,
  name: nullableText,
})
export type Diagnostic = Type.Static<typeof Diagnostic>
