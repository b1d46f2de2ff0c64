import type { KnownKinds } from '../desired-state.ts'
import type { Static } from 'typebox'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { SourceFile, type SourceSync } from '../../../schemas/source.ts'
import { readOneDocument } from './one-document.ts'
import type { Locator } from '../yaml/positions.ts'
import { normalSync, sourceSyncFaults } from './sync-faults.ts'

export const SOURCE_FILE = 'svc.yaml'

/** Applies until `svc.yaml` has been valid once: nothing happens automatically. */
export const CAREFUL: SourceSync = { mode: 'manual', drift: 'report', prune: false }

export interface SourceRules {
  /** Null on errors. */
  sync: SourceSync | null
  diagnostics: Diagnostic[]
}

export function readSourceFile(text: string, locator: Locator, { kinds }: Pick<KnownKinds, 'kinds'>): SourceRules {
  const read = readOneDocument<Static<typeof SourceFile>>(
    { file: SOURCE_FILE, text, schema: SourceFile, locator },
    (value) => sourceSyncFaults(value?.sync, kinds),
  )
  if (read.value === undefined) return { sync: {}, diagnostics: [] }
  return { sync: read.value && normalSync(read.value.sync), diagnostics: read.diagnostics }
}
