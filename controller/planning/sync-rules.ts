// "May I?": the sync rules of a source and of its resources, asked in plain words and nowhere else.
import type { SourceSync } from '../../schemas/source.ts'

export interface SyncRules {
  mode: 'auto' | 'manual'
  drift: 'report' | 'heal' | 'block'
  prune: boolean
  maxDelete: string
  ignore: string[]
}

const DEFAULT_RULES: SyncRules = { mode: 'auto', drift: 'report', prune: true, maxDelete: '20%', ignore: [] }

/** Later rules win over earlier ones; `self_heal: true` is short for `drift: heal`. */
export function syncRules(...layers: (SourceSync | undefined)[]): SyncRules {
  const rules = { ...DEFAULT_RULES }
  for (const layer of layers) {
    if (!layer) continue
    if (layer.mode) rules.mode = layer.mode
    if (layer.self_heal === true) rules.drift = 'heal'
    if (layer.self_heal === false && rules.drift === 'heal') rules.drift = 'report'
    if (layer.drift) rules.drift = layer.drift
    if (layer.prune !== undefined) rules.prune = layer.prune
    if (layer.max_delete) rules.maxDelete = layer.max_delete
    if (layer.ignore) rules.ignore = [...rules.ignore, ...layer.ignore]
  }
  return rules
}

/**
 * The rules where somebody asks: what was changed by hand is put back, for the rules of drift say what happens by
 * itself. With
 * `keepDrift` it is left: a rule to heal waits then, and one to block holds.
 */
export function askedRules(rules: SyncRules, keepDrift: boolean): SyncRules {
  if (!keepDrift) return { ...rules, drift: 'heal' }
  return rules.drift === 'heal' ? { ...rules, drift: 'report' } : rules
}

/** Most deletions one run may make of `owned` resources: a number or a share, at least 1. */
export function deletionsAllowed(maxDelete: string, owned: number): number {
  const amount = Number.parseInt(maxDelete, 10)
  return Math.max(1, maxDelete.endsWith('%') ? Math.floor((owned * amount) / 100) : amount)
}
