import { isBelow } from '../../schemas/members/member-path.ts'
import type { DriftMode, SourceSync } from '../../schemas/source.ts'
import { type Owned, contestOf } from './ownership.ts'

export interface SyncRules {
  mode: 'auto' | 'manual'
  drift: DriftMode
  /** Drift mode by path. */
  fields: Readonly<Record<string, DriftMode>>
  prune: boolean
  maxDelete: string
  ignore: string[]
  /** Nothing is written, even on request; pending changes are reported. */
  suspended?: boolean
}

const DEFAULT_RULES: SyncRules = {
  mode: 'auto',
  drift: 'report',
  fields: {},
  prune: true,
  maxDelete: '20%',
  ignore: [],
}

/** Later layers win. */
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
    if (layer.fields) rules.fields = { ...rules.fields, ...layer.fields }
    if (layer.ignore) rules.ignore = [...rules.ignore, ...layer.ignore]
  }
  return rules
}

/**
 * Drift rules apply only to automatic passes: a request reverts drift. With `keepDrift` it remains, heal rules wait and
 * block rules apply.
 */
export function askedRules(rules: SyncRules, keepDrift: boolean): SyncRules {
  if (!keepDrift) return { ...rules, drift: 'heal', fields: {} }
  if (!anyHeals(rules)) return rules
  const fields = Object.entries(rules.fields).map(([path, mode]) => [path, kept(mode)] as const)
  return { ...rules, drift: kept(rules.drift), fields: Object.fromEntries(fields) }
}

const kept = (mode: DriftMode): DriftMode => (mode === 'heal' ? 'report' : mode)

/** The longest configured parent path decides. A parent of fields with own rules is blocked if one of them is. */
export function driftModeOf({ drift, fields }: Pick<SyncRules, 'drift' | 'fields'>, path: string): DriftMode {
  const paths = Object.keys(fields)
  if (paths.length === 0 || path === '') return drift
  const above = paths.filter((each) => isBelow(path, [each])).sort((a, b) => b.length - a.length)
  if (above[0] !== undefined) return fields[above[0]]!
  return paths.some((each) => isBelow(each, [path]) && fields[each] === 'block') ? 'block' : drift
}

/** Contested: nothing is written, even on request. */
const contestedRules = (rules: SyncRules): SyncRules => ({ ...rules, drift: 'block', fields: {} })

const suspendedRules = (rules: SyncRules): SyncRules => ({ ...rules, drift: 'report', fields: {}, suspended: true })

export function rulesInForce(rules: SyncRules, owned: Pick<Owned, 'suspended' | 'contested'>): SyncRules {
  if (owned.suspended) return suspendedRules(rules)
  return contestOf(owned) ? contestedRules(rules) : rules
}

export const anyHeals = ({ drift, fields }: Pick<SyncRules, 'drift' | 'fields'>): boolean =>
  drift === 'heal' || Object.values(fields).includes('heal')

/** Deletions per run: a number or a percentage of `owned`, at least 1. */
export function deletionsAllowed(maxDelete: string, owned: number): number {
  const amount = Number.parseInt(maxDelete, 10)
  return Math.max(1, maxDelete.endsWith('%') ? Math.floor((owned * amount) / 100) : amount)
}
