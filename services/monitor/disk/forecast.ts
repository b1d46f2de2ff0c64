import type { DiskForecast } from '../../../schemas/monitor/disk.ts'
import { MINUTE_MS, type Sample } from '../samples.ts'

export const FORECAST_MINUTES = 6 * 60
const LEAST_MINUTES = 30
const HOUR_MS = 60 * MINUTE_MS
const YEAR_HOURS = 365 * 24

/**
 * The trend of the available space by least squares, and when it ends. Null with samples of less than half an hour. A disk
 * whose size has changed starts again. `samples`: oldest first; `now`: milliseconds since 1970.
 */
export function forecastOf(samples: readonly Sample[], now: number): DiskForecast | null {
  const known = samples.flatMap(({ minute, space }) => (space ? [{ minute, ...space }] : []))
  const last = known.at(-1)
  if (!last) return null
  const resized = known.findLastIndex(({ total_bytes }) => total_bytes !== last.total_bytes)
  const points = known.slice(resized + 1).map(({ minute, available_bytes }) => ({
    hours: (minute - last.minute) / 60,
    bytes: available_bytes,
  }))
  const hours = -points[0]!.hours
  if (hours * 60 < LEAST_MINUTES) return null
  const bytes_per_hour = Math.round(slopeOf(points))
  const left = bytes_per_hour < 0 ? last.available_bytes / -bytes_per_hour : Number.POSITIVE_INFINITY
  const full_at = left > YEAR_HOURS ? null : new Date(now + left * HOUR_MS).toISOString()
  return { bytes_per_hour, hours: Math.round(hours * 100) / 100, full_at }
}

function slopeOf(points: readonly { hours: number; bytes: number }[]): number {
  const mean = (read: (point: { hours: number; bytes: number }) => number) =>
    points.reduce((sum, point) => sum + read(point), 0) / points.length
  const [hours, bytes] = [mean((point) => point.hours), mean((point) => point.bytes)]
  const spread = mean((point) => (point.hours - hours) ** 2)
  return spread === 0 ? 0 : mean((point) => (point.hours - hours) * (point.bytes - bytes)) / spread
}
