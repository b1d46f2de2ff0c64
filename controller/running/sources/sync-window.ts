import { conflict, type Problem } from '../../../platform/core/problem.ts'
import type { SourceSync } from '../../../schemas/source.ts'
import type { WindowState } from '../../../schemas/sync/window.ts'
import { foresee, type Foreseen } from '../../planning/windows.ts'

/** Limit on the time until the next check: the system clock may be changed. */
const MOST_MS = 3_600_000

/** Cached, because every turn checks. */
const known = new Map<string, Foreseen & { from: number }>()

/** Null without sync windows. */
export function windowOf(layers: readonly (SourceSync | undefined)[], now: number): WindowState | null {
  const windows = layers.flatMap((layer) => (layer?.windows?.length ? [layer.windows] : []))
  if (windows.length === 0) return null
  const key = JSON.stringify(windows)
  const before = known.get(key)
  if (before && before.from <= now && now < before.until) return before.window
  for (const [other, { from, until }] of known) if (now < from || now >= until) known.delete(other)
  const foreseen = foresee(windows, now)
  known.set(key, { ...foreseen, from: now })
  return foreseen.window
}

/** Delay until a closed source is checked again. */
export const untilChange = ({ changes_at: at }: WindowState, now: number): number =>
  at === null ? MOST_MS : Math.min(Math.max(Date.parse(at) - now, 0), MOST_MS)

/** For a requested write; null if it is permitted. */
export function refusedByWindow(name: string, window: WindowState | null): Problem | null {
  if (!window || window.open || window.manual) return null
  const opens = window.changes_at === null ? 'no opening is scheduled' : `it opens at ${window.changes_at}`
  return conflict(
    `source ${name} is outside of its sync windows, and nothing was changed: ${opens}; a window with manual: true permits requested writes earlier`,
    'window-closed',
  )
}
