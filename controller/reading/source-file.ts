// `svc.yaml`: the sync rules that a folder of manifests brings with it.
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { SourceFile, type SourceSync } from '../../schemas/source.ts'
import { diagnosticOf } from './document.ts'
import { Lines, type Locator } from './yaml/positions.ts'
import { shapeOf } from '../../schemas/validation/manifest.ts'
import { normalSync, syncFaults } from './sync-faults.ts'
import { parseYaml } from './yaml/parse.ts'

export const SOURCE_FILE = 'svc.yaml'

/** In force while `svc.yaml` cannot be read and never was: nothing happens by itself. */
export const CAREFUL: SourceSync = { mode: 'manual', drift: 'report', prune: false }

export interface SourceRules {
  /** Null when the file has faults. */
  sync: SourceSync | null
  diagnostics: Diagnostic[]
}

/** Reads `svc.yaml`. An empty file says nothing, which is fine. */
export function readSourceFile(text: string, locator: Locator): SourceRules {
  const { documents, faults } = parseYaml(text)
  const lines = new Lines(text)
  const [document, second] = documents.filter(({ value, faults }) => value !== undefined || faults.length > 0)
  const about = { kind: null, name: null }
  const diagnostics = [...faults, ...(document?.faults ?? [])].map((fault) =>
    diagnosticOf(SOURCE_FILE, fault, lines.at(fault.offset), about),
  )
  if (second)
    diagnostics.push(
      diagnosticOf(
        SOURCE_FILE,
        { code: 'not-a-mapping', message: `${SOURCE_FILE} should hold one document`, hint: 'keep the first' },
        lines.at(second.nameOffset),
        about,
      ),
    )
  if (diagnostics.length > 0) return { sync: null, diagnostics }
  if (!document) return { sync: {}, diagnostics: [] }
  const shape = shapeOf(SourceFile)
  const { sync } = (document.value ?? {}) as { sync?: SourceSync }
  const wrong = shape.valid(document.value) ? syncFaults(sync) : shape.faults(document.value)
  const placed = { text, from: document.from, to: document.to }
  for (const fault of wrong)
    diagnostics.push(diagnosticOf(SOURCE_FILE, fault, locator.at(placed, fault.path, fault.side), about))
  return wrong.length > 0 ? { sync: null, diagnostics } : { sync: normalSync(sync), diagnostics: [] }
}
