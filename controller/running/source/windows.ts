// The sync windows of a source: whether it may write now.
import { conflict, type Problem } from '../../../platform/problem.ts'
import type { SourceSync } from '../../../schemas/source.ts'
import type { WindowState } from '../../../schemas/sync/window.ts'
import { windowState } from '../../planning/windows.ts'

/** Looked at again after this long at the latest, in milliseconds: somebody may set the time of day. */
const MOST_MS = 3_600_000

/** By the windows of every layer of rules; null: there are none. */
export function windowOf(layers: readonly (SourceSync | undefined)[], now: number): WindowState | null {
  const windows = layers.flatMap((layer) => (layer?.windows?.length ? [layer.windows] : []))
  return windows.length > 0 ? windowState(windows, now) : null
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
