// Spans of time as people write and read them.
import { InvalidArgumentError } from 'commander'

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** `60s`, `2m`, `500ms`, or seconds without a unit; as milliseconds. For commander options. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim())
  if (!match) throw new InvalidArgumentError('wanted a time such as 60s, 2m or 500ms.')
  return Number(match[1]) * UNITS[match[2] ?? 's']!
}

/** Rounded to its biggest unit: `3 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`
  return ms < 172_800_000 ? `${Math.floor(ms / 3_600_000)} h` : `${Math.floor(ms / 86_400_000)} days`
}

/** Time since an RFC 3339 time, or `-`. */
export function age(timestamp: string | null | undefined): string {
  const then = Date.parse(timestamp ?? '')
  return Number.isNaN(then) ? '-' : formatDuration(Date.now() - then)
}
