import picocolors from 'picocolors'
import { groupBy } from '../../../platform/core/group-by.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { excerptsOf } from './excerpts.ts'
import { countLine, printable } from './printable.ts'

export interface RenderOptions {
  /** Human form only; default false. */
  colour?: boolean
  /** Text for excerpts, human form only; null or missing: none. Secrets are masked. */
  sources?: (file: string) => string | null
}

export function human(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  const colours = picocolors.createColors(options.colour ?? false)
  const files = groupBy(diagnostics, ({ file }) => file)
  const blocks = [...files].map(([file, own]) => {
    const text = options.sources?.(file) ?? null
    const excerptAt = text === null ? null : excerptsOf(text)
    return own.map((diagnostic) => one(diagnostic, excerptAt, colours)).join('')
  })
  const errors = diagnostics.some((diagnostic) => diagnostic.severity === 'error')
  const count = diagnostics.length === 0 ? colours.green : errors ? colours.red : colours.yellow
  return [...blocks, `${count(countLine(diagnostics))}\n`].join('\n')
}

function one(
  diagnostic: Diagnostic,
  excerptAt: ReturnType<typeof excerptsOf> | null,
  colours: ReturnType<typeof picocolors.createColors>,
): string {
  const { file, line, column, severity, code, message, hint } = diagnostic
  const paint = severity === 'error' ? colours.red : colours.yellow
  const lines = [
    `${colours.bold(printable(`${file}:${line}:${column}`))}: ${paint(severity)}: ${printable(message)} ${colours.dim(`[${code}]`)}`,
  ]
  const excerpt = excerptAt?.(line, column)
  if (excerpt) lines.push(`    ${excerpt.line}`, `    ${paint(excerpt.caret)}`)
  lines.push(`  ${colours.cyan('hint')}: ${printable(hint)}`)
  return lines.map((text) => `${text}\n`).join('')
}
