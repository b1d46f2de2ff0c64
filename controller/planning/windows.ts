// Predicts when sync windows permit writes. Pure.
import type { SyncWindow, WindowState } from '../../schemas/sync/window.ts'
import { cronTimes, type CronTimes } from '../../schemas/workflow/cron-times.ts'

/** Limit on window edges to search; later changes are not predicted. */
const MOST_EDGES = 400
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export interface Foreseen {
  window: WindowState
  /** Milliseconds since 1970; until then, automatic and manual permission are unchanged. */
  until: number
}

interface Span {
  window: SyncWindow
  times: CronTimes
  lastsMs: number
  begun: number | null
  next: number | null
}

/** All `layers`, such as the configuration and `svc.yaml`, must be open. `now` is in milliseconds since 1970. */
export function foresee(layers: readonly (readonly SyncWindow[])[], now: number): Foreseen {
  const spans = layers.map((windows) => windows.map((window) => spanAt(window, now)))
  const { open, manual } = at(spans, now)
  const every = spans.flat()
  let until: number | null = null
  let time = now
  for (let looked = 0; looked < MOST_EDGES; looked++) {
    const edge = nextEdge(every, time)
    if (edge === null) break
    time = edge
    for (const span of every) advance(span, time)
    const then = at(spans, time)
    if (then.open !== open || then.manual !== manual) until ??= time
    if (then.open !== open)
      return { window: { open, manual, changes_at: new Date(time).toISOString() }, until: until ?? time }
  }
  return { window: { open, manual, changes_at: null }, until: until ?? time }
}

function spanAt(window: SyncWindow, time: number): Span {
  const lastsMs = Number.parseInt(window.duration, 10) * UNITS[window.duration.at(-1)!]!
  const times = cronTimes(window.schedule, window.timezone ?? 'UTC')
  return { window, lastsMs, times, begun: times.last(time), next: times.next(time) }
}

function advance(span: Span, time: number): void {
  while (span.next !== null && span.next <= time) {
    span.begun = span.next
    span.next = span.times.next(span.next)
  }
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

const isActive = ({ begun, lastsMs }: Span, time: number): boolean => begun !== null && time < begun + lastsMs

/** `spans` must have been advanced to `time`. */
function nextEdge(spans: readonly Span[], time: number): number | null {
  const edges = spans.flatMap(({ begun, next, lastsMs }) => [next, begun === null ? null : begun + lastsMs])
  const later = edges.filter((edge) => edge !== null && edge > time) as number[]
  return later.length > 0 ? Math.min(...later) : null
}
