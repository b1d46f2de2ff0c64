import type { KindWords } from '../../../schemas/kind.ts'
import type { SourceSync } from '../../../schemas/source.ts'
import { policyFaults, windowFaults } from '../../../schemas/sync/check.ts'
import type { ShapeFault } from '../../../schemas/validation/manifest.ts'

/** `self_heal: true` is short for `drift: heal`. */
export function syncFaults(sync: SourceSync | undefined): ShapeFault[] {
  if (sync?.self_heal === undefined || sync.drift === undefined || sync.self_heal === (sync.drift === 'heal')) return []
  return [
    {
      path: ['sync', 'self_heal'],
      side: 'value',
      words: [],
      code: 'conflicting-members',
      message: `self_heal: ${sync.self_heal} and drift: ${sync.drift} exclude each other`,
      hint: 'keep drift and remove self_heal',
    },
  ]
}

/** Includes rules that only sources have. */
export function sourceSyncFaults(sync: SourceSync | undefined, kinds: readonly KindWords[]): ShapeFault[] {
  const faults = [...policyFaults(sync?.policies ?? [], kinds), ...windowFaults(sync?.windows ?? [])]
  const below = faults.map((fault): ShapeFault => ({
    ...fault,
    path: ['sync', ...fault.path],
    side: 'value',
    words: [],
  }))
  return [...syncFaults(sync), ...below]
}

/** Shared by thousands of resources. */
const NO_RULES: SourceSync = {}

export function normalSync(sync: SourceSync | undefined): SourceSync {
  if (sync?.self_heal !== true) return sync ?? NO_RULES
  const { self_heal: _, ...rest } = sync
  return { ...rest, drift: 'heal' }
}
