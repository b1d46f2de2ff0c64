import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { indentedJson } from '../../../schemas/validation/text.ts'
import { human, type RenderOptions } from './human.ts'
import { junit } from './junit.ts'
import { countLine, printable } from './printable.ts'
import { sarif } from './sarif.ts'

const renderers = { human, json, sarif, junit, github }

export type DiagnosticFormat = keyof typeof renderers
export const DIAGNOSTIC_FORMATS = Object.keys(renderers) as DiagnosticFormat[]

/** Ends with a newline. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: DiagnosticFormat,
  options: RenderOptions = {},
): string {
  return renderers[format](diagnostics, options)
}

function json(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length
  return `${indentedJson({ errors, warnings: diagnostics.length - errors, diagnostics })}\n`
}

/** GitHub workflow commands, shown at their lines in a pull request. */
function github(diagnostics: readonly Diagnostic[]): string {
  const lines = diagnostics.map(({ severity, file, line, column, code, message, hint }) => {
    const properties = Object.entries({ file, line, col: column, title: code }).map(
      ([key, value]) => `${key}=${property(String(value))}`,
    )
    return `::${severity} ${properties.join(',')}::${data(`${message}\nhint: ${hint}`)}`
  })
  return [...lines, countLine(diagnostics)].map((line) => `${line}\n`).join('')
}

function data(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
