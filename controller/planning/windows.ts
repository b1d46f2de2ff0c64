// Whether sync windows let a source write at a time, and when that changes. Pure.
import { Cron } from 'croner'
import type { SyncWindow, WindowState } from '../../schemas/sync/window.ts'

/** Beginnings and ends that are looked at for a change: further off is not foreseeable. */
const MOST_LOOKED_AT = 400
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

interface Span {
  window: SyncWindow
  times: Cron
  lastsMs: number
}

/**
 * `layers`: the windows of each place that has any, such as the configuration and `svc.yaml`; all of them must be open.
 * `now` in milliseconds.
 */
export function windowState(layers: readonly (readonly SyncWindow[])[], now: number): WindowState {
  const spans = layers.map((windows) => windows.map(spanOf))
  const { open, manual } = at(spans, now)
  const every = spans.flat()
  let time: number | null = now
  for (let looked = 0; time !== null && looked < MOST_LOOKED_AT; looked++) {
    time = nextEdge(every, time)
    if (time !== null && at(spans, time).open !== open)
      return { open, manual, changes_at: new Date(time).toISOString() }
  }
  return { open, manual, changes_at: null }
}

function spanOf(window: SyncWindow): Span {
  const lastsMs = Number.parseInt(window.duration, 10) * UNITS[window.duration.at(-1)!]!
  return { window, lastsMs, times: new Cron(window.schedule, { timezone: window.timezone ?? 'UTC', paused: true }) }
}

function at(layers: readonly (readonly Span[])[], time: number): { open: boolean; manual: boolean } {
  const each = layers.map((spans) => {
    const allowing = spans.filter(({ window }) => window.effect === 'allow')
    const denying = spans.filter((span) => span.window.effect === 'deny' && isActive(span, time))
    const lacksOne = allowing.length > 0 && !allowing.some((span) => isActive(span, time))
    const open = denying.length === 0 && !lacksOne
    const allManual = denying.every(({ window }) => window.manual)
    return { open, manual: open || (allManual && (!lacksOne || allowing.some(({ window }) => window.manual))) }
  })
  return { open: each.every(({ open }) => open), manual: each.every(({ manual }) => manual) }
}

const isActive = (span: Span, time: number): boolean => {
  const begun = lastBegin(span, time)
  return begun !== null && time < begun + span.lastsMs
}

/** The last beginning up to and with `time`. */
function lastBegin({ times }: Span, time: number): number | null {
  // It looks back from whole seconds, and leaves out the one it looks from.
  const runs = times.previousRuns(2, new Date(time + 1000)).map((run) => run.getTime())
  return runs.find((run) => run <= time) ?? null
}

/** The next beginning or end of any after `time`. */
function nextEdge(spans: readonly Span[], time: number): number | null {
  const edges = spans.flatMap((span) => {
    const begun = lastBegin(span, time)
    return [span.times.nextRun(new Date(time))?.getTime() ?? null, begun === null ? null : begun + span.lastsMs]
  })
  const later = edges.filter((edge) => edge !== null && edge > time) as number[]
  return later.length > 0 ? Math.min(...later) : null
}
