import type { TSchema } from 'typebox'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { shapeOf, type ShapeFault } from '../../../schemas/validation/manifest.ts'
import { diagnosticOf } from '../document.ts'
import { Lines, type Locator } from '../yaml/positions.ts'
import { parseYaml } from '../yaml/parse.ts'

export interface OneDocument<Value> {
  /** Undefined for an empty file; null on errors. */
  value: Value | undefined | null
  diagnostics: Diagnostic[]
  /** Position of a written field, or of its nearest parent. */
  at(path: (string | number)[]): { line: number; column: number }
}

/** `check` finds errors beyond the schema. */
export function readOneDocument<Value>(
  { file, text, schema, locator }: { file: string; text: string; schema: TSchema; locator: Locator },
  check: (value: Value) => ShapeFault[] = () => [],
): OneDocument<Value> {
  const { documents, faults } = parseYaml(text)
  const lines = new Lines(text)
  const [document, second] = documents.filter(({ value, faults: own }) => value !== undefined || own.length > 0)
  const about = { kind: null, name: null }
  const diagnostics = [...faults, ...(document?.faults ?? [])].map((fault) =>
    diagnosticOf(file, fault, lines.at(fault.offset), about),
  )
  if (second)
    diagnostics.push(
      diagnosticOf(
        file,
        { code: 'not-a-mapping', message: `${file} must contain one document`, hint: 'keep the first' },
        lines.at(second.nameOffset),
        about,
      ),
    )
  const placed = { text, from: document?.from ?? 0, to: document?.to ?? 0 }
  const at = (path: (string | number)[]) => locator.at(placed, path, 'key')
  if (diagnostics.length > 0) return { value: null, diagnostics, at }
  if (!document) return { value: undefined, diagnostics: [], at }
  const shape = shapeOf(schema)
  const wrong = shape.valid(document.value)
    ? check(document.value as Value)
    : shape.faults(document.value, (path) => locator.textAt(placed, path))
  for (const fault of wrong)
    diagnostics.push(diagnosticOf(file, fault, locator.at(placed, fault.path, fault.side), about))
  return { value: wrong.length > 0 ? null : (document.value as Value), diagnostics, at }
}
