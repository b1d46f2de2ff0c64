import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { indentedJson } from '../../../schemas/validation/text.ts'
import { CODES } from './codes.ts'

export function sarif(diagnostics: readonly Diagnostic[]): string {
  const codes = [...new Set(diagnostics.map((diagnostic) => diagnostic.code))].sort()
  const run = {
    tool: { driver: { name: 'svc', rules: codes.map(rule) } },
    columnKind: 'utf16CodeUnits',
    results: diagnostics.map((diagnostic) => result(diagnostic, codes.indexOf(diagnostic.code))),
  }
  return `${indentedJson({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] })}\n`
}

function rule(code: string) {
  const meaning = CODES[code as keyof typeof CODES] ?? code
  return { id: code, shortDescription: { text: meaning }, help: { text: `${meaning} See docs/errors.md.` } }
}

function result({ severity, code, message, hint, file, line, column }: Diagnostic, ruleIndex: number) {
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: `${message}\nhint: ${hint}` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: uri(file) }, region: { startLine: line, startColumn: column } } },
    ],
  }
}

function uri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href
  const encoded = file.split('/').map(encodeURIComponent).join('/')
  return /^[^/]*:/.test(encoded) ? `./${encoded}` : encoded
}
