// One suite per file, one case per diagnostic. Warnings pass, with output.
import { groupBy } from '../../../platform/core/group-by.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { printable } from './printable.ts'

export function junit(diagnostics: readonly Diagnostic[]): string {
  const files = groupBy(diagnostics, ({ file }) => file)
  const suites =
    files.size === 0
      ? [suite('manifests', [], ['    <testcase classname="manifests" name="no errors"/>'])]
      : [...files].map(([file, own]) => suite(file, own, own.map(testCase)))
  const total = Math.max(1, diagnostics.length)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="svc validate" tests="${total}" failures="${failures(diagnostics)}" errors="0">\n${suites.join('')}</testsuites>\n`
}

function suite(name: string, own: readonly Diagnostic[], cases: readonly string[]): string {
  return `  <testsuite name="${attribute(name)}" tests="${cases.length}" failures="${failures(own)}" errors="0" skipped="0">\n${cases.map((text) => `${text}\n`).join('')}  </testsuite>\n`
}

function testCase({ file, line, column, severity, code, message, hint }: Diagnostic): string {
  const head = `    <testcase classname="${attribute(file)}" name="${attribute(`${line}:${column} ${code}`)}" file="${attribute(file)}" line="${line}">`
  const reported = text(`${file}:${line}:${column}: ${message}\nhint: ${hint}`)
  if (severity === 'warning') return `${head}\n      <system-out>warning: ${reported}</system-out>\n    </testcase>`
  return `${head}\n      <failure type="${attribute(code)}" message="${attribute(message)}">${reported}</failure>\n    </testcase>`
}

function failures(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length
}

function text(value: string): string {
  return printable(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function attribute(value: string): string {
  return text(value)
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;')
}
