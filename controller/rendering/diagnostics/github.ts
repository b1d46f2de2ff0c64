// Diagnostics as workflow commands: a forge shows them at their lines in a change.
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { countLine, printable } from './printable.ts'

export function github(diagnostics: readonly Diagnostic[]): string {
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
