// Whether sync windows let a source write at a time, and when that changes. Pure.
import { Cron } from 'croner'
import type { SyncWindow, WindowState } from '../../schemas/sync/window.ts'

/** Beginnings and ends that are looked at for a change: further off is not foreseeable. */
const MOST_LOOKED_AT = 400
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The window that a source is in, and for how long. */
export interface Foreseen {
  window: WindowState
  /** Milliseconds: whether one may write, by itself or when asked, is the same up to here. */
  until: number
}

interface Span {
  window: SyncWindow
  times: Cron
  lastsMs: number
  /** The last beginning up to and with the time that is looked at, and the first after it. */
  begun: number | null
  next: number | null
}

/**
 * `layers`: the windows of each place that has any, such as the configuration and `svc.yaml`; all of them must be open.
 * `now` in milliseconds.
 */
export function foresee(layers: readonly (readonly SyncWindow[])[], now: number): Foreseen {
  const spans = layers.map((windows) => windows.map((window) => spanAt(window, now)))
  const { open, manual } = at(spans, now)
  const every = spans.flat()
  let until: number | null = null
  let time = now
  for (let looked = 0; looked < MOST_LOOKED_AT; looked++) {
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
  const times = new Cron(window.schedule, { timezone: window.timezone ?? 'UTC', paused: true })
  // It looks back from whole seconds, and leaves out the one it looks from.
  const runs = times.previousRuns(2, new Date(time + 1000)).map((run) => run.getTime())
  const begun = runs.find((run) => run <= time) ?? null
  return { window, lastsMs, times, begun, next: nextBegin(times, time) }
}

const nextBegin = (times: Cron, time: number): number | null => times.nextRun(new Date(time))?.getTime() ?? null

/** Looks at a later time. */
function advance(span: Span, time: number): void {
  while (span.next !== null && span.next <= time) {
    span.begun = span.next
    span.next = nextBegin(span.times, span.next)
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

/** The next beginning or end of any after `time`, which all of them are at. */
function nextEdge(spans: readonly Span[], time: number): number | null {
  const edges = spans.flatMap(({ begun, next, lastsMs }) => [next, begun === null ? null : begun + lastsMs])
  const later = edges.filter((edge) => edge !== null && edge > time) as number[]
  return later.length > 0 ? Math.min(...later) : null
}
