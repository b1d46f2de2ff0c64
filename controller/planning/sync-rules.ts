// "May I?": the sync rules of a source and of its resources, asked in plain words and nowhere else.
import { isBelow } from '../../schemas/members/member-path.ts'
import type { DriftMode, SourceSync } from '../../schemas/source.ts'
import { type Owned, contestOf } from './ownership.ts'

export interface SyncRules {
  mode: 'auto' | 'manual'
  drift: DriftMode
  /** `drift` of single members, by path. */
  fields: Readonly<Record<string, DriftMode>>
  prune: boolean
  maxDelete: string
  ignore: string[]
  /** Nothing is changed or deleted, whoever asks; what would be is told. */
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
    if (layer.fields) rules.fields = { ...rules.fields, ...layer.fields }
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
  if (!keepDrift) return { ...rules, drift: 'heal', fields: {} }
  if (!anyHeals(rules)) return rules
  const fields = Object.entries(rules.fields).map(([path, mode]) => [path, kept(mode)] as const)
  return { ...rules, drift: kept(rules.drift), fields: Object.fromEntries(fields) }
}

const kept = (mode: DriftMode): DriftMode => (mode === 'heal' ? 'report' : mode)

/**
 * What happens to a member that is changed by hand: by the longest path that holds it. What holds members with rules of
 * their own is blocked where one of them is.
 */
export function driftModeOf({ drift, fields }: Pick<SyncRules, 'drift' | 'fields'>, path: string): DriftMode {
  const paths = Object.keys(fields)
  if (paths.length === 0 || path === '') return drift
  const above = paths.filter((each) => isBelow(path, [each])).sort((a, b) => b.length - a.length)
  if (above[0] !== undefined) return fields[above[0]]!
  return paths.some((each) => isBelow(each, [path]) && fields[each] === 'block') ? 'block' : drift
}

/** Of a resource that is contested: nothing is written, whoever asks. */
const stopped = (rules: SyncRules): SyncRules => ({ ...rules, drift: 'block', fields: {} })

/** Of a resource that is suspended: drift is reported, and nothing is written. */
const leftAlone = (rules: SyncRules): SyncRules => ({ ...rules, drift: 'report', fields: {}, suspended: true })

/** The rules of a resource that may be suspended or contested. */
export function rulesInForce(rules: SyncRules, owned: Pick<Owned, 'suspended' | 'contested'>): SyncRules {
  if (owned.suspended) return leftAlone(rules)
  return contestOf(owned) ? stopped(rules) : rules
}

/** Whether anything is put back by itself. */
export const anyHeals = ({ drift, fields }: Pick<SyncRules, 'drift' | 'fields'>): boolean =>
  drift === 'heal' || Object.values(fields).includes('heal')

/** Most deletions one run may make of `owned` resources: a number or a share, at least 1. */
export function deletionsAllowed(maxDelete: string, owned: number): number {
  const amount = Number.parseInt(maxDelete, 10)
  return Math.max(1, maxDelete.endsWith('%') ? Math.floor((owned * amount) / 100) : amount)
}
