import { invalid } from '../../platform/core/problem.ts'
import type { HistoryQuery, SystemMetrics } from '../../schemas/monitor/metrics.ts'
import { meanOf, MINUTE_MS, type Sample, type Samples } from './samples.ts'

const DAY_MS = 24 * 60 * MINUTE_MS
const LEAST_STEP_SECS = 60

/** Newest first; a step without samples is left out. Throws 400 if `until` is not after `since`. */
export async function pastMetrics(
  samples: Pick<Samples, 'between'>,
  { since, until, step = LEAST_STEP_SECS }: HistoryQuery,
  now: number,
): Promise<SystemMetrics[]> {
  const to = until === undefined ? now : Date.parse(until)
  const from = since === undefined ? to - DAY_MS : Date.parse(since)
  // Also for a leap second, which JavaScript cannot parse.
  if (!(from < to)) {
    const message = `should be a time before until (${until ?? 'now'}), instead got ${since ?? '24 hours before it'}`
    throw invalid(`since ${message}`, [{ path: 'since', message, code: 'invalid-value' }])
  }
  const found = await samples.between(Math.ceil(from / MINUTE_MS), Math.floor(to / MINUTE_MS))
  const steps = new Map<number, Sample[]>()
  for (const sample of found) {
    const at = Math.floor((sample.minute * MINUTE_MS) / (step * 1000))
    const known = steps.get(at)
    if (known) known.push(sample)
    else steps.set(at, [sample])
  }
  return [...steps]
    .map(([at, all]) => ({
      collected_at: new Date(at * step * 1000).toISOString(),
      ...meanOf(all.map(({ figures }) => figures)),
    }))
    .reverse()
}
