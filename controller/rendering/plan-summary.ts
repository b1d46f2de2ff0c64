import { POLICY_DENIED, type Plan, type PlanDrift } from '../../schemas/plan.ts'
import type { Drift } from '../../schemas/resource.ts'
import { visible } from './values.ts'

export interface PlanRendering {
  colour?: boolean
  /** Columns; longer values are cut. Default 120. */
  width?: number
  /** These records name authors; the plan does not. */
  drift?: readonly Drift[]
  /** Command that overrides the prune guard, without the hash. Default `svc reconcile`. */
  command?: string
  /** Formats a command as the user types it. Default: unchanged. */
  typed?(command: string): string
  /** Formats a time, as in `3 s ago`. Default: unchanged. */
  when?(time: string): string
  /** Limit on Markdown characters. Default 65,536. */
  most?: number
}

/** As in `Plan: 1 to create, 2 to restart; 4 unchanged.` */
export function summaryLine(plan: Pick<Plan, 'summary' | 'drift' | 'diagnostics' | 'held'>): string {
  const { unchanged, ...actions } = plan.summary
  const parts = Object.entries(actions).filter(([, count]) => count > 0)
  const errors = plan.diagnostics.filter(({ severity, code }) => severity === 'error' && code !== POLICY_DENIED).length
  const { denied = [], unconfirmed = [], waiting = [] } = plan.held ?? {}
  const kept = denied.length + unconfirmed.length + waiting.length
  const held = kept > 0 ? ` ${kept} held back by policies.` : ''
  const faulty =
    errors > 0
      ? ` ${errors} ${errors === 1 ? 'error keeps its manifest' : 'errors keep their manifests'} out of the plan.`
      : ''
  if (parts.length > 0)
    return `Plan: ${parts.map(([action, count]) => `${count} to ${action}`).join(', ')}; ${unchanged} unchanged.${held}${faulty}`
  const drift = plan.drift.length
  if (unchanged === 0 && drift === 0) return `No changes.${held}${faulty}`
  return `No changes. ${resources(unchanged)} as desired${drift > 0 ? `, apart from ${drift} drifted ${drift === 1 ? 'field' : 'fields'}` : ''}.${held}${faulty}`
}

const resources = (count: number) => `${count} ${count === 1 ? 'resource is' : 'resources are'}`

/** Empty if no author is on record. */
export function who(
  entry: PlanDrift,
  { drift: records = [], when }: Pick<PlanRendering, 'drift' | 'when'> = {},
): string {
  const record = records.find(
    (other) =>
      other.resolution === null && other.kind === entry.kind && other.name === entry.name && other.path === entry.path,
  )
  if (!record?.actor) return ''
  const through = record.endpoint ? `, through ${record.endpoint}` : ''
  return visible(`  by ${record.actor}${through}, ${when?.(record.first_seen) ?? `at ${record.first_seen}`}`)
}

/** Null if nothing stops. */
export function impactLine({ impact }: Pick<Plan, 'impact'>): string | null {
  if (!impact || impact.stopped.length === 0) return null
  const { stopped, interrupted, affected } = impact
  const work = interrupted.length > 0 ? `, ${interrupted.length} of them with work in progress` : ''
  const dependents = affected.length > 0 ? `; dependents: ${named(affected)}` : ''
  return `Stops: ${named(stopped)}${work}${dependents}`
}

const MOST_NAMED = 8

function named(ids: readonly string[]): string {
  const more = ids.length - MOST_NAMED
  return more > 1 ? `${ids.slice(0, MOST_NAMED).join(', ')} and ${more} more` : ids.join(', ')
}
