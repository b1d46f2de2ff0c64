import * as Type from 'typebox'
import { namedObject, nullableText } from './shapes.ts'

export const Diagnostic = namedObject('Diagnostic', {
  severity: Type.Enum(['error', 'warning']),
  code: Type.String({ description: 'Code listed in docs/errors.md' }),
  message: Type.String(),
  hint: Type.String({ description: 'Next step' }),
  file: Type.String({ description: 'File as typed by the user, or relative to the source' }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  kind: nullableText,
  name: nullableText,
})
export type Diagnostic = Type.Static<typeof Diagnostic>
