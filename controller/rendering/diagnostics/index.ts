// Diagnostics in the forms that people, editors, forges and build servers read.
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { github } from './github.ts'
import { human, type RenderOptions } from './human.ts'
import { json } from './json.ts'
import { junit } from './junit.ts'
import { sarif } from './sarif.ts'

export const DIAGNOSTIC_FORMATS = ['human', 'json', 'sarif', 'junit', 'github'] as const
export type DiagnosticFormat = (typeof DIAGNOSTIC_FORMATS)[number]

const renderers: Record<DiagnosticFormat, (diagnostics: readonly Diagnostic[], options: RenderOptions) => string> = {
  human,
  json,
  sarif,
  junit,
  github,
}

/** The text to print, its last newline included. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: DiagnosticFormat,
  options: RenderOptions = {},
): string {
  return renderers[format](diagnostics, options)
}
