// Diagnostics for programs: as the API has them, with their counts.
import type { Diagnostic } from '../../../schemas/diagnostic.ts'

export function json(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length
  return `${JSON.stringify({ errors, warnings: diagnostics.length - errors, diagnostics }, null, 2)}\n`
}
