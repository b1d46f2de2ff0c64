import { InvalidArgumentError } from 'commander'

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses `60s`, `2m`, `500ms` or plain seconds to milliseconds. For commander options. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim())
  if (!match) throw new InvalidArgumentError('expected a time such as 60s, 2m or 500ms')
  return Number(match[1]) * UNITS[match[2] ?? 's']!
}

/** Parses `10m` (ago) or an RFC 3339 time to an RFC 3339 time. For commander options. */
export function parseSince(text: string): string {
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString()
  try {
    return new Date(Date.now() - parseDuration(text)).toISOString()
  } catch {
    throw new InvalidArgumentError('expected a time ago such as 10m or 2h, or a time such as 2030-01-31T09:00:00Z')
  }
}

/** Formats in the largest unit: `3 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`
  return ms < 172_800_000 ? `${Math.floor(ms / 3_600_000)} h` : `${Math.floor(ms / 86_400_000)} days`
}

/** Time since an RFC 3339 time, or `-`. */
export function age(timestamp: string | null | undefined): string {
  const then = Date.parse(timestamp ?? '')
  return Number.isNaN(then) ? '-' : roughly(Date.now() - then)
}

export const ago = (timestamp: string): string => `${age(timestamp)} ago`

/** `in 4 min`, or `now` if the RFC 3339 time has passed. */
export function untilText(timestamp: string): string {
  const left = Date.parse(timestamp) - Date.now()
  return left > 0 ? `in ${roughly(left)}` : 'now'
}

export function roughly(ms: number): string {
  return ms < 1000 ? '<1 s' : ms < 60_000 ? `${Math.floor(ms / 1000)} s` : formatDuration(ms)
}
