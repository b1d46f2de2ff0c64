// The sync windows of a source: whether it may write now.
import { conflict, type Problem } from '../../../platform/core/problem.ts'
import type { SourceSync } from '../../../schemas/source.ts'
import type { WindowState } from '../../../schemas/sync/window.ts'
import { foresee, type Foreseen } from '../../planning/windows.ts'

/** Looked at again after this long at the latest, in milliseconds: somebody may set the time of day. */
const MOST_MS = 3_600_000

/** What was foreseen of windows, by how they are written: each is asked about in every turn of its source. */
const known = new Map<string, Foreseen & { from: number }>()

/** By the windows of every layer of rules; null: there are none. */
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

/** Milliseconds until a closed source is worth another look. */
export const untilChange = ({ changes_at: at }: WindowState, now: number): number =>
  at === null ? MOST_MS : Math.min(Math.max(Date.parse(at) - now, 0), MOST_MS)

/** What is answered to who asks for a write while none may be made; null: one may. */
export function refusedByWindow(name: string, window: WindowState | null): Problem | null {
  if (!window || window.open || window.manual) return null
  const opens = window.changes_at === null ? 'it opens at no foreseeable time' : `it opens at ${window.changes_at}`
  return conflict(
    `source ${name} is outside of its sync windows, and nothing was changed: ${opens}; a window with manual: true lets who asks write before`,
    'window-closed',
  )
}
